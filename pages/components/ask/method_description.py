"""Descriptions of retrievers in words and formulae, from the pages in `assets/methods/`."""

import streamlit as st

from core.playback.wording import begun
from core.retrievers import Spec
from core.settings import ASSETS
from pages.components.shell import layout

FOLDER = ASSETS / "methods"


def how_it_ranks(spec: Spec, *, place: str) -> None:
    """Draw a button that opens the description of a retriever and of those it is made of.

    Parameters
    ----------
    place : distinguishes this button from others on the page.
    """
    with (
        st.popover(
            "How it ranks",
            type="tertiary",
            icon=":material/function:",
            help=spec.card.summary,
            key=f"how_{place}",
        ),
        st.container(key=f"method_{place}"),
    ):
        # Our own text, and the one place where markdown is wanted: for its formulae.
        for one in {one.key: one for one in spec.all_of_it()}.values():
            st.markdown(page_of(one))
            st.markdown(settings_table(one))


def page_of(spec: Spec) -> str:
    """Return the description of a retriever as markdown; a short note if it has no page."""
    key, card = spec.key, spec.card
    path = FOLDER / f"{key}.md"
    if card.family == "custom":
        return layout.literal(
            f"A custom retriever: {card.paper}. Its intermediate steps are shown if it yields them."
        )
    if path.is_file():
        return path.read_text(encoding="utf-8")
    return f"`{key}` has no description yet. Add one in `assets/methods/{key}.md`."


def settings_table(spec: Spec) -> str:
    """Return every setting of a retriever with its name in code and its default, as markdown."""
    rows = (
        f"| {begun(one.title)} :small[`{one.name}`] | {one.usual} | {one.setting.says}; "
        f"{one.allowed} |"
        for one in spec.declared
    )
    return "\n".join(("| setting | default | meaning |", "| --- | --- | --- |", *rows))
