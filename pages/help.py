"""Help: the pages of the documentation."""

import re

import streamlit as st

from core.glossary import GLOSSARY
from core.help_pages import FOLDER, GROUPS, NAMES, HelpPage, help_pages
from pages.components.shell import layout, nav

_PICTURE = re.compile(r"^!\[[^\]]*\]\(([\w-]+\.(?:svg|webp))\)$", re.MULTILINE)


def choose() -> HelpPage:
    """Draw the list of help pages by audience, and return the one of the address."""
    pages = help_pages()
    wanted = st.query_params.get("topic", NAMES[0])
    now = wanted if wanted in pages else NAMES[0]
    for group, names in GROUPS.items():
        st.html(f"<h3 class='hop-small-title'>{group}</h3>")
        for name in names:
            if st.button(
                pages[name].title,
                key=f"help_{name}",
                type="secondary" if name == now else "tertiary",
                width="stretch",
            ):
                nav.go("help", topic=name)
    return pages[now]


def show(page: HelpPage) -> None:
    """Draw a help page; its pictures are in the same folder."""
    st.markdown(f"## {page.title}")
    if term := GLOSSARY.get(st.query_params.get("term", "")):
        st.info(f"**{term.name}**: {term.told}")  # our own text
    for number, part in enumerate(_PICTURE.split(page.screen_text)):
        if number % 2:
            st.image(FOLDER / part, width="stretch")
        else:
            st.markdown(part)  # our own text


nav.guard()
layout.heading("Help", "How to use the app and the command line, and how they work.")
contents, text = st.columns([1, 4], gap="large")
with contents, st.container(key="help_contents", gap=None):
    chosen = choose()
with text, st.container(key="help_text"):
    show(chosen)
