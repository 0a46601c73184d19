"""Layout shared by all pages: title, error messages, empty states, and a shell command."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import NoReturn

import streamlit as st

from core import colours
from core.errors import HopRagError
from core.models.leave import asked_by
from core.settings import ASSETS
from pages.components.shell import browser_scripts, nav
from pages.components.shell.visitors.visitor import shown, visitor

_SPECIAL = str.maketrans({c: "\\" + c for c in "\\`*_{}[]()#+-.!|<>~$:^=&"})
# What Streamlit makes arrows, dashes, pictures and links of, though every sign is escaped.
_TURNED = re.compile(
    r"(?<!\S)(?:<->|->|<-|--|[<>~]=)(?!\S)|:(?=streamlit:|material[_/])|https?(?=://)|www(?=\.)|\w(?=@)",
    re.IGNORECASE,
)
_JOINER = "\u2060"  # has no width, and keeps a sign from its neighbour


def run(*beside: Callable[[], None]) -> None:
    """Run the application: called by app.py and by nothing else.

    Parameters
    ----------
    beside : draw what every page has: the search, and a dialog that is open.
    """
    st.set_page_config(
        page_title="HopRAG Explorer",
        page_icon=str(ASSETS / "favicon.png"),
        layout="wide",
    )
    st.logo(ASSETS / "favicon.png")
    theme = ASSETS / "theme"
    files = (theme / "tones.css", theme / "tokens.css", ASSETS / "style.css", ASSETS / "print.css")
    sheets = (colours.css(), *(file.read_text() for file in files))
    st.html("<style>" + "\n".join(sheets) + "</style>")
    browser_scripts.mount()
    asked_by.set(visitor().name)
    with mendable():
        nav.run(*beside)


def literal(text: str) -> str:
    """Escape `text` for markdown, so that it is shown letter by letter."""
    return _TURNED.sub(rf"\g<0>{_JOINER}", text).translate(_SPECIAL)


def heading(title: str, lead: str) -> None:
    """Draw a page's title with one line on its purpose."""
    st.html(f"<h1 class='hop-title'>{escape(title)}</h1><p class='hop-lead'>{escape(lead)}</p>")


@contextmanager
def mendable() -> Iterator[None]:
    """Show an error of `core.errors` with its remedy; let other exceptions through."""
    try:
        yield
    except HopRagError as error:
        st.error(literal(shown(str(error))))


def empty(
    title: str, text: str, button: str, page: str, *, also: Callable[[], None] | None = None
) -> NoReturn:
    """Draw an empty state with one button that fixes it, and end the page.

    `also` draws further choices below.
    """
    with st.container(border=True, horizontal_alignment="center", key="empty_state"):
        st.html(f"<h3>{escape(title)}</h3><p>{escape(text)}</p>")
        if st.button(button, type="primary", key="empty_button"):
            nav.go(page)
        if also:
            also()
    st.stop()


def only_editors() -> None:
    """End a page here for visitors who may not edit."""
    if not visitor().may_edit:
        empty(
            "Only for editors",
            "You can trace, compare and view. Only editors of this server can build and change.",
            "Go to Start",
            "start",
        )


def show_equivalent_command(command: str) -> None:
    """Show the equivalent command line to editors."""
    if not visitor().may_edit:
        return
    with st.expander("Command-line equivalent"):
        st.code(command, language="bash", wrap_lines=True)
