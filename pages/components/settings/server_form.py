"""The form in which an editor enters a model server, its model and its key."""

import os
from collections.abc import Callable

import streamlit as st

from core.model_servers import fixed, names
from pages.components.shell import layout, model_servers
from pages.components.shell.actions import server_actions

_SESSION, _MACHINE = "This session", "This machine"
_WHERE = {
    "environment": "the environment",
    "session": "this session only",
    "machine": "this machine, for all users of the app",
}


def where_from(role: str) -> str:
    """Describe the place in which the model of a role is set."""
    return _WHERE[model_servers.source(role)]


def show_server_form(role: str, example: str, done: Callable[[], None] = lambda: None) -> None:
    """Draw fields for the model, URL and key that the environment does not set, and a reset button.

    Parameters
    ----------
    role : the variable that names the model.
    example : of such a name.
    done : called when a server was set.
    """
    model_name, url_name, key_name, _ = names(role)
    taken = fixed(os.environ, role)
    if taken:
        st.caption(
            f"The environment takes precedence: {' and '.join(sorted(taken))} cannot be changed "
            "here."
        )
    if {model_name, url_name, key_name} <= taken:
        return
    key = role.lower()
    with st.form(f"settings_{key}", clear_on_submit=True, border=True):
        left, right = st.columns(2)
        url = left.text_input(
            "Server URL",
            key=f"settings_{key}_url",
            placeholder="http://localhost:11434/v1",
            help="Leave empty for OpenAI.",
            disabled=url_name in taken,
            max_chars=2_000,
        )
        model = right.text_input(
            "Model",
            key=f"settings_{key}_model",
            placeholder=example,
            disabled=model_name in taken,
            max_chars=200,
        )
        secret = left.text_input(
            "Key",
            key=f"settings_{key}_key",
            type="password",
            placeholder="optional",
            help="Leave empty for no key, or to keep the saved one.",
            autocomplete="off",
            disabled=key_name in taken,
            max_chars=2_000,
        )
        kept = right.radio(
            "Use for",
            [_SESSION, _MACHINE] if server_actions.may_save_keys() else [_SESSION],
            key=f"settings_{key}_kept",
            horizontal=True,
            help="A session ends when you close or reload the page, and its key is deleted. For "
            "the machine, the key is stored in a file that only the user running the app can read.",
        )
        if st.form_submit_button("Use this server", key=f"settings_{key}_use"):
            with layout.mendable():
                server_actions.set_server(role, model, url, secret, for_machine=kept == _MACHINE)
                done()
                st.rerun()
