"""The visitor of this session, and which paths of the machine they may see."""

import streamlit as st

from core.settings import settings
from core.visitors.roles import ANYBODY, Visitor, visitor_called
from pages.components.shell.visitors import access


def visitor() -> Visitor:
    """Return the person of this session, as named by the sign-in or the proxy."""
    if not access.is_guarded():
        return ANYBODY
    rules = settings().visitors
    if rules.user_header:
        # The access middleware has taken the header away from whoever is no proxy of ours.
        name = st.context.headers.get(rules.user_header) if access.is_installed() else None
        return visitor_called(name or "", rules)
    return visitor_called(_verified_email(), rules)


def has_sign_in() -> bool:
    """Return whether `.streamlit/secrets.toml` configures a sign-in provider."""
    return bool(st.secrets.load_if_toml_exists() and "auth" in st.secrets)


def shown(text: str) -> str:
    """Remove the server's folders from `text`, unless the visitor may see them."""
    if visitor().may_edit:
        return text
    now = settings()
    for folder in (now.indexes, now.uploads, now.home, *now.roots):
        text = text.replace(f"{folder}/", "").replace(str(folder), "the server's folder")
    return text


def _verified_email() -> str:
    """Return the verified email address of the signed-in person; empty without one."""
    found = st.user.to_dict()
    checked = str(found.get("email_verified", True)).lower() == "true"
    return str(found.get("email") or "") if found.get("is_logged_in") and checked else ""
