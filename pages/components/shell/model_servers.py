"""The model servers of this session: of the environment, typed here, or saved for the machine."""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import streamlit as st

from core.model_servers import fixed, merged, names, overlaid, read_saved
from core.settings import SERVER_EMBEDDER, Endpoint, Settings, read_settings, settings

_TYPED = "typed_servers"
Source = Literal["environment", "session", "machine"]


def session_settings() -> Settings:
    """Return the settings with what was typed in this session, which no other session sees."""
    if not typed():
        return settings()
    return read_settings(_environ())


def endpoint() -> Endpoint | None:
    """Return the language model of this session."""
    return session_settings().endpoint


def embedder_server(embedder: str) -> Endpoint | None:
    """Return the model of an embedder on the server of this session.

    None if it needs or has none.
    """
    server = session_settings().embedder_server
    if server is None or not embedder.startswith(SERVER_EMBEDDER):
        return None
    return replace(server, model=embedder.removeprefix(SERVER_EMBEDDER))


def typed() -> dict[str, str]:
    """Return the settings typed in this session, by environment variable."""
    found: dict[str, str] = st.session_state.get(_TYPED, {})
    return found


def type_for_session(values: Mapping[str, str]) -> None:
    """Replace the settings typed in this session by `values`."""
    st.session_state[_TYPED] = dict(values)


def environ_of_jobs() -> dict[str, str] | None:
    """Return the environment of a job that this session starts.

    None if it is that of this process.
    """
    return overlaid(os.environ, typed()) if typed() else None


def source(role: str) -> Source:
    """Return the source of the model of a role."""
    model = names(role)[0]
    if model in fixed(os.environ, role):
        return "environment"
    return "session" if model in typed() else "machine"


def is_typed(role: str) -> bool:
    """Return whether anything of a role was typed, for this session or for the machine."""
    return any(name in _typed_or_saved() for name in names(role))


def _typed_or_saved() -> dict[str, str]:
    return merged(read_saved(settings().home), typed())


def _environ() -> dict[str, str]:
    return overlaid(os.environ, _typed_or_saved())
