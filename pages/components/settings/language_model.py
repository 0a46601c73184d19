"""The part of the Settings page that is about the language model."""

from collections.abc import Callable, Sequence

import streamlit as st

from core.answers.context import TOKEN_LIMIT
from core.models.diagnose import Diagnosis, diagnose, diagnose_limit
from core.models.leave import Leave
from core.models.reach import reach
from core.settings import Endpoint
from pages.components.ask.naming import needing_model
from pages.components.settings.server_form import show_server_form, where_from
from pages.components.shell import acts, frame, model_servers
from pages.components.shell.figures import section, show_words

_ROLE = "HOPRAG_LLM"
_PATIENCE = 20.0  # seconds of the test, for which somebody waits


def show_language_model() -> None:
    """What is set, with a test of it, and the form that sets another."""
    section("Language model")
    endpoint = model_servers.endpoint()
    if endpoint is None:
        st.caption(
            f"No language model is set up. {_quoted(needing_model())} need one, as do "
            "model-generated pseudo-queries and answers. Other retrievers fall back to rules. Any "
            "OpenAI-compatible server works: OpenAI, Ollama, vLLM, llama.cpp."
        )
        show_server_form(_ROLE, "gpt-4.1-mini, qwen3:8b")
    else:
        _show(endpoint)
        with st.expander("Use another server"):
            show_server_form(_ROLE, "gpt-4.1-mini, qwen3:8b")
    st.caption(
        "The key and the URL are never shown, and never stored in an index, a trace or a log. "
        "`HOPRAG_LLM`, `HOPRAG_LLM_URL` and `HOPRAG_LLM_KEY`, in the environment or in "
        "`.streamlit/secrets.toml`, take precedence over this form."
    )


def _quoted(titles: Sequence[str]) -> str:
    return " and ".join(f"“{title}”" for title in titles)


def _show(endpoint: Endpoint) -> None:
    show_words(
        [
            ("Model", endpoint.model),
            ("Server", endpoint.host or "HOPRAG_LLM_URL is not a URL"),
            ("Key", "set" if endpoint.key else "not set"),
            ("Set in", where_from(_ROLE)),
        ]
    )
    with st.container(horizontal=True):
        tested = st.button("Test", key="settings_llm_test", help="Makes one small request.")
        limits = st.button(
            "Test its limits",
            key="settings_llm_limits",
            help=f"Makes two or three requests, one of about {TOKEN_LIMIT:,} tokens: does the "
            "model keep to the limit on replies, and read a whole context? Your provider may "
            "charge for them.",
        )
        if model_servers.is_typed(_ROLE):
            st.button("Forget", key="settings_llm_forget", on_click=_forget)
    with frame.mendable():
        if tested:
            _tell("Asking the model for a short sum", _sum, endpoint)
        elif limits:
            _tell("Testing the limit on replies", diagnose_limit, endpoint)
            _tell("Testing a prompt of full length", _whole, endpoint)


def _sum(endpoint: Endpoint, leave: Leave) -> Diagnosis:
    return diagnose(endpoint, leave, time_limit=min(endpoint.seconds, _PATIENCE))


def _whole(endpoint: Endpoint, leave: Leave) -> Diagnosis:
    return reach(endpoint, leave, TOKEN_LIMIT)


def _forget() -> None:
    with frame.mendable():
        acts.forget_server(_ROLE)


def _tell(doing: str, test: Callable[[Endpoint, Leave], Diagnosis], endpoint: Endpoint) -> None:
    leave = acts.leave()
    with st.spinner(doing):
        found = test(endpoint, leave)
    show = st.success if found.works else st.error
    show(frame.literal(found.line))
