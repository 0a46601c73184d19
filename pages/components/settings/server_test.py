"""A model server's details, with a test and a button that forgets it."""

from collections.abc import Callable, Mapping

import streamlit as st

from core.model_servers import ROLES
from core.models.diagnose import Diagnosis
from core.models.leave import Leave
from core.settings import Endpoint
from pages.components.settings.server_form import where_from
from pages.components.shell import layout, model_servers
from pages.components.shell.actions import permissions, server_actions
from pages.components.shell.figures import show_words

PATIENCE = 20.0  # seconds of a test, for which somebody waits
Test = Callable[[Endpoint, Leave], Diagnosis]
_PREFIXES: Mapping[str, str] = dict(zip(ROLES, ("settings_llm", "settings_embedder"), strict=True))


def show_server(
    endpoint: Endpoint, test: Test, doing: str, more: Mapping[str, tuple[str, Mapping[str, Test]]]
) -> None:
    """Show the model, its server and their origin, with buttons.

    Parameters
    ----------
    test, doing : the small test, and what it does in words.
    more : by the label of a further button, its help, and its tests with what each does in words.
    """
    role = endpoint.variable
    prefix = _PREFIXES[role]
    show_words(
        [
            ("Model", endpoint.model or "named by the index"),
            ("Server", endpoint.host or f"{role}_URL is not a URL"),
            ("Key", "set" if endpoint.key else "not set"),
            ("Set in", where_from(role)),
        ]
    )
    tests: Mapping[str, Test] = {}
    with st.container(horizontal=True):
        help_ = "Sends one small request."
        if st.button("Test", key=f"{prefix}_test", help=help_, disabled=not endpoint.model):
            tests = {doing: test}
        for label, (about, further) in more.items():
            if st.button(label, key=f"{prefix}_more", help=about):
                tests = further
        if model_servers.is_typed(role):
            st.button("Forget", key=f"{prefix}_forget", on_click=_forget, args=(role,))
    with layout.mendable():
        for said, each in tests.items():
            leave = permissions.leave()
            with st.spinner(said):
                found = each(endpoint, leave)
            show = st.success if found.works else st.error
            show(layout.literal(found.line))


def _forget(role: str) -> None:
    with layout.mendable():
        server_actions.forget_server(role)
