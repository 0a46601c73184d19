"""The part of the Settings page that is about the language model."""

import streamlit as st

from core.models.diagnose import diagnose
from core.models.leave import Leave
from core.settings import Endpoint, settings
from pages.components.shell import frame
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
            "None. Everything but `hoprag-llm`, questions made by a model and answers works "
            "without. Any OpenAI-compatible server will do; set one before the start:"
        )
        show_words(_WAYS)
    else:
        _show(endpoint)
    st.caption(
        "Set in the environment, or in `.streamlit/secrets.toml`. Neither key nor URL is stored "
        "with an index or a trace."
    )


def _show(endpoint: Endpoint) -> None:
    show_words(
        [
            ("Model", endpoint.model),
            ("Server", endpoint.host or "HOPRAG_LLM_URL is no URL"),
            ("Key", "set" if endpoint.key else "not set"),
        ]
    )
    if st.button("Test the connection", key="settings_llm_test"):
        with st.spinner("Asking the model for a small sum"):
            found = diagnose(endpoint, Leave("a click"))
        show = st.success if found.works else st.error
        show(frame.literal(found.line))
