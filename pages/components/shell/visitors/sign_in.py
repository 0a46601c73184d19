"""Sign-in before the first page, or instructions if access rules are missing."""

from typing import NoReturn

import streamlit as st

from core.settings import settings
from core.visitors.rules import OPEN
from pages.components.shell.figures import show_words
from pages.components.shell.visitors import access
from pages.components.shell.visitors.visitor import has_sign_in, visitor

_WAYS = (
    (
        "For one person on this machine",
        "server.address = 127.0.0.1, and no other name in HOPRAG_HOSTS",
    ),
    ("To require sign-in", "[auth] in .streamlit/secrets.toml, with your provider"),
    ("… or let a proxy identify users", "HOPRAG_USER_HEADER, with its address in HOPRAG_PROXIES"),
    ("… and set permissions", "HOPRAG_EDITORS and HOPRAG_READERS: addresses, or *@domain"),
    ("To allow everyone full access", f"HOPRAG_OPEN='{OPEN}'"),
)


def may_enter() -> bool:
    """Return whether the visitor may come in, where that is asked at all."""
    asked = access.is_guarded()
    return not asked or (not settings().visitors.problems and visitor().role is not None)


def pass_through() -> None:
    """Let the visitor in; or draw why not, and end there."""
    if not access.is_guarded():
        access.admit(visitor())
        return
    rules = settings().visitors
    told = has_sign_in() or (rules.user_header and rules.proxies and access.is_installed())
    if rules.problems or not told or not (rules.editors or rules.readers):
        _set_up(rules.problems)
    person = visitor()
    if person.role is None:
        _keep_out(person.name)
    access.admit(person)


def show_visitor() -> None:
    """Show the signed-in person and the sign-out button in the sidebar; nothing without sign-in."""
    person = visitor()
    if person.name:
        with st.sidebar:
            st.text(f"{person.name}, {person.role}")
            _draw_sign_out_button()


def _set_up(problems: tuple[str, ...]) -> NoReturn:
    """Show which access rules the server lacks and how to set them, and end the page."""
    st.html("<h1 class='hop-title'>This server is not set up yet</h1>")
    st.text(
        "Other machines can reach this server, so it needs access rules first. Set one of these "
        "on the server and restart it. assets/docs/visitors.md has examples."
    )
    show_words([*(("Fix this first", problem) for problem in problems), *_WAYS])
    st.stop()


def _keep_out(name: str) -> NoReturn:
    """Say why the visitor has no access, offer to sign in, and end the page."""
    st.html("<h1 class='hop-title'>HopRAG Explorer</h1>")
    by_proxy = bool(settings().visitors.user_header)
    if name:
        st.text(f"{name} has no access to this server. Ask the administrator to add you.")
        _draw_sign_out_button()
    elif by_proxy:
        st.text(
            "The proxy in front of this server did not identify you. Ask the administrator to "
            "check it."
        )
    else:
        st.text("To use this server, sign in with a verified email address.")
        if st.button("Sign in", type="primary", key="sign_in"):
            st.login()
    st.stop()


def _draw_sign_out_button() -> None:
    by_proxy = bool(settings().visitors.user_header)
    if not by_proxy and st.button("Sign out", key="sign_out"):
        st.logout()
