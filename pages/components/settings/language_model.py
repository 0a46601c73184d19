"""The part of the Settings page that is about the language model."""

from collections.abc import Sequence

import streamlit as st

from core.answers.context import TOKEN_LIMIT
from core.models.diagnose import Diagnosis, diagnose
from core.models.reach import reach
from core.settings import Endpoint, settings
from pages.components.ask.naming import needing_model
from pages.components.shell import acts, frame
from pages.components.shell.figures import section, show_words

_WAYS = [
    ("OpenAI", "HOPRAG_LLM=gpt-4.1-mini OPENAI_API_KEY=…"),
    ("Ollama", "HOPRAG_LLM=qwen3:8b HOPRAG_LLM_URL=http://localhost:11434/v1"),
    ("vLLM", "HOPRAG_LLM=Qwen/Qwen3-8B HOPRAG_LLM_URL=http://localhost:8000/v1"),
]


def show_language_model() -> None:
    """What is configured, with a test of it; how to get it where nothing is."""
    section("Language model")
    endpoint = settings().endpoint
    if endpoint is None:
        st.caption(
            f"No language model is set up. {_quoted(needing_model())} need one, as do "
            "model-generated pseudo-queries and answers. Other retrievers fall back to rules. Any "
            "OpenAI-compatible server works. Set these before you start the app:"
        )
        show_words(_WAYS)
    else:
        _show(endpoint)
    st.caption(
        "Set in the environment, or in `.streamlit/secrets.toml`. The key and the URL are never "
        "stored in an index or a trace."
    )


def _quoted(titles: Sequence[str]) -> str:
    return " and ".join(f"“{title}”" for title in titles)


def _show(endpoint: Endpoint) -> None:
    show_words(
        [
            ("Model", endpoint.model),
            ("Server", endpoint.host or "HOPRAG_LLM_URL is not a URL"),
            ("Key", "set" if endpoint.key else "not set"),
        ]
    )
    st.caption(
        "The test makes three or four calls: a short sum, one or two to check the reply limit, "
        f"and about {TOKEN_LIMIT:,} tokens to check the context length. Your provider may charge "
        "for them."
    )
    if st.button("Test the connection", key="settings_llm_test"):
        with frame.mendable():
            leave = acts.leave()
            with st.spinner("Asking the model for a short sum"):
                works = _told(diagnose(endpoint, leave))
            if works:
                with st.spinner("Testing a prompt of full length"):
                    _told(reach(endpoint, leave, TOKEN_LIMIT))


def _told(found: Diagnosis) -> bool:
    show = st.success if found.works else st.error
    show(frame.literal(found.line))
    return found.works
