"""Settings: the language model."""

import streamlit as st

from core.answers.context import TOKEN_LIMIT
from core.models.diagnose import Diagnosis, diagnose, diagnose_limit
from core.models.leave import Leave
from core.models.reach import diagnose_reach
from core.settings import Endpoint
from pages.components.ask.model_setup import without_model
from pages.components.settings.server_form import show_server_form
from pages.components.settings.server_test import PATIENCE, show_server
from pages.components.shell import layout, model_servers
from pages.components.shell.figures import section

_ROLE, _EXAMPLE = "HOPRAG_LLM", "gpt-4.1-mini, qwen3:8b"


def show_language_model() -> None:
    """Show the language model with a test, and the form that sets another."""
    section("Language model")
    endpoint = model_servers.endpoint()
    if endpoint is None:
        st.caption(
            f"No language model is set up. {without_model()} Generated answers and model-generated "
            "pseudo-queries need one, too. Any OpenAI-compatible server works: OpenAI, Ollama, "
            "vLLM, llama.cpp."
        )
        show_server_form(_ROLE, _EXAMPLE)
    else:
        about = (
            f"Sends two or three requests, one of about {TOKEN_LIMIT:,} tokens, to test "
            "whether the model respects the reply limit and reads its entire context. Your "
            "provider may charge for them."
        )
        limits = {
            "Testing the reply limit": diagnose_limit,
            "Testing a long prompt": _diagnose_fully,
        }
        more = {"Test its limits": (about, limits)}
        show_server(endpoint, _diagnose, "Asking the model for a short sum", more)
        reader = endpoint.reader.model if endpoint.reader else ""
        st.caption(
            layout.literal(f"Another model writes the answers: {reader} (HOPRAG_READER).")
            if reader
            else ("It also writes the answers. Set `HOPRAG_READER` to use another model for them.")
        )
        with st.expander("Use another server"):
            show_server_form(_ROLE, _EXAMPLE)
    st.caption(
        "The key and the URL are never shown, and never stored in an index, a trace or a log. "
        "`HOPRAG_LLM`, `HOPRAG_LLM_URL` and `HOPRAG_LLM_KEY`, in the environment or in "
        "`.streamlit/secrets.toml`, take precedence over this form."
    )


def _diagnose(endpoint: Endpoint, leave: Leave) -> Diagnosis:
    return diagnose(endpoint, leave, time_limit=min(endpoint.seconds, PATIENCE))


def _diagnose_fully(endpoint: Endpoint, leave: Leave) -> Diagnosis:
    return diagnose_reach(endpoint, leave, TOKEN_LIMIT)
