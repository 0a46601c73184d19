"""The middleware in front of the application (`core.visitors.access`)."""

import os
import re
from collections.abc import Mapping

import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.settings import settings
from core.visitors.access import AccessMiddleware, Scope
from core.visitors.hosts import listens_beyond_loopback
from core.visitors.roles import Visitor
from pages.components.shell.visitors.page_outline import First
from pages.components.shell.visitors.uploads import EndedSessions, issue_file_ids, uploads

_EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - an address to know, none to listen on
# The cookie of a sign-in, and the parts into which Streamlit splits a long one.
_SIGN_IN = re.compile(r"_streamlit_user(_\d+)?")
_built: list[Middleware] = []


def middleware() -> list[Middleware]:
    """Return the middleware that `streamlit run app.py` puts in front of Streamlit."""
    st.secrets.load_if_toml_exists()  # whose first lines are settings too
    address = st.get_option("server.address")
    hosts = () if address is None or address in _EVERYWHERE else (address,)
    forwarders = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1,::1").split(",")
    issue_file_ids()
    _built.append(
        Middleware(
            AccessMiddleware,
            rules=settings().visitors,
            hosts=hosts,
            uploads=uploads(),
            credential=_credential_of_request,
            guarded=is_guarded(),
            forwarders=tuple(each.strip() for each in forwarders),
        )
    )
    return [*_built, Middleware(EndedSessions), Middleware(First)]


def is_installed() -> bool:
    """Return whether the access middleware is installed, so that the headers of a proxy can be
    trusted.
    """
    return bool(_built)


def is_reachable() -> bool:
    """Return whether other machines can reach the server, or the settings name visitors."""
    rules = settings().visitors
    beyond = listens_beyond_loopback(st.get_option("server.address"))
    return beyond or rules.named or bool(rules.problems)


def is_guarded() -> bool:
    """Return whether visitors are identified: the server is reachable and not open to all."""
    return is_reachable() and not settings().visitors.open


def admit(person: Visitor) -> None:
    """Record that `person` signed in to this session; only an editor may upload."""
    context = get_script_run_ctx()
    if context:
        credential = _credential(st.context.headers, st.context.cookies)
        uploads().admit(
            context.session_id, person.name, may_upload=person.may_edit, credential=credential
        )


def _credential_of_request(scope: Scope) -> str:
    request = HTTPConnection(scope)
    return _credential(request.headers, request.cookies)


def _credential(headers: Mapping[str, str], cookies: Mapping[str, str]) -> str:
    """Return a credential that identifies the visitor; empty if visitors are not identified.

    The signature of the cookie is checked when the session begins: whoever sends the same cookie
    later is the same visitor.
    """
    if not is_guarded():
        return ""
    header = settings().visitors.user_header
    if header:
        return headers.get(header, "")
    parts = (name for name in sorted(cookies) if _SIGN_IN.fullmatch(name))
    return "\n".join(f"{name}={cookies[name]}" for name in parts)
