"""The server around the application: what each request passes first (`core.visitors.door`)."""

import os
from collections import OrderedDict

import streamlit as st
from starlette.middleware import Middleware
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.settings import settings
from core.visitors.door import Door
from core.visitors.hosts import listens_beyond_loopback
from pages.components.shell.first import First

_EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - an address to know, none to listen on
_HELD = 10_000  # sessions; the oldest is forgotten
_admitted: OrderedDict[str, None] = OrderedDict()
_built: list[Middleware] = []


def middleware() -> list[Middleware]:
    """What `streamlit run app.py` puts in front of Streamlit."""
    st.secrets.load_if_toml_exists()  # whose first lines are settings too
    address = st.get_option("server.address")
    hosts = () if address is None or address in _EVERYWHERE else (address,)
    forwarders = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1,::1").split(",")
    _built.append(
        Middleware(
            Door,
            rules=settings().visitors,
            hosts=hosts,
            admitted=_admitted.__contains__ if is_guarded() else None,
            forwarders=tuple(each.strip() for each in forwarders),
        )
    )
    return [*_built, Middleware(First)]


def stands() -> bool:
    """Whether this process answers behind the door, so that what a proxy says can be believed."""
    return bool(_built)


def is_reachable() -> bool:
    """Whether others can reach the server, or the settings name visitors of it."""
    rules = settings().visitors
    beyond = listens_beyond_loopback(st.get_option("server.address"))
    return beyond or rules.named or bool(rules.problems)


def is_guarded() -> bool:
    """Whether visitors are told apart: the server can be reached, and is not open to all."""
    return is_reachable() and not settings().visitors.open


def admit() -> None:
    """This session's visitor was let in, and may upload."""
    context = get_script_run_ctx()
    if context:
        _admitted[context.session_id] = None
        _admitted.move_to_end(context.session_id)
        while len(_admitted) > _HELD:
            _admitted.popitem(last=False)
