"""Settings: embedders on a server."""

import streamlit as st

from core.model_servers import EMBEDDER
from core.models.diagnose import Diagnosis, diagnose_embedder
from core.models.leave import Leave
from core.settings import Endpoint
from pages.components.settings.server_form import show_server_form
from pages.components.settings.server_test import PATIENCE, show_server
from pages.components.shell import model_servers, resources

_EXAMPLE = "text-embedding-3-small, nomic-embed-text"


def show_embedder_server() -> None:
    """Show the embedder server with a test, and the form that sets one."""
    server = model_servers.session_settings().embedder_server
    if server:
        show_server(server, _vector, "Embedding a short text", {})
    with st.expander("Use an embedder on a server"):
        st.caption(
            "Any server with OpenAI's `/embeddings` works: OpenAI, Ollama, vLLM, TEI. Passages and "
            "queries are sent to it. The embedder's name is `server:` followed by the model name. "
            "`HOPRAG_EMBEDDER`, `HOPRAG_EMBEDDER_URL` and `HOPRAG_EMBEDDER_KEY` in the environment "
            "take precedence over this form."
        )
        show_server_form(EMBEDDER, _EXAMPLE, _use)


def _use() -> None:
    """Use the embedder just entered for new indexes of this session."""
    resources.choose_embedder(model_servers.session_settings().embedder)


def _vector(endpoint: Endpoint, leave: Leave) -> Diagnosis:
    return diagnose_embedder(endpoint, leave, time_limit=min(endpoint.seconds, PATIENCE))
