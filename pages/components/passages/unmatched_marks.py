"""Gold marks that match no passage of the index, each with buttons that resolve it."""

from functools import partial
from hashlib import blake2b
from html import escape

import streamlit as st

from core.marks import Mark, Unsettled, unsettled
from core.marks.unsettled import unmatched_sentence
from core.store.index import Index
from core.text.clean import one_line
from core.text.display.passage_labels import shortened
from pages.components.shell import layout
from pages.components.shell.actions import gold_actions
from pages.components.shell.visitors.visitor import visitor

_SHOWN = 20
_EXCERPT = 200  # characters


def show_unsettled(index: Index, *, place: str) -> None:
    """List the marks that could not be followed, if there are any; editors settle them here.

    Parameters
    ----------
    place : keeps the widgets of a page apart from those of others.
    """
    with layout.mendable():
        lost = unsettled(index)
        if not lost:
            return
        with st.expander(unmatched_sentence(lost), key=f"{place}_unsettled"):
            for each in lost[:_SHOWN]:
                _show(index, each, place)
            if len(lost) > _SHOWN:
                st.caption(f"{len(lost) - _SHOWN:,} more appear once you resolve these.")


def _show(index: Index, each: Unsettled, place: str) -> None:
    """Draw a mark without a passage, its nearest passage, and buttons to move or drop it."""
    about = f"{each.mark.question}\n{each.mark.name}".encode("utf-8", "replace")
    key = f"{place}_{blake2b(about, digest_size=6).hexdigest()}"
    kind = "Marked as gold" if each.mark.gold else "Marked as not gold"
    near = "No similar passage."
    if each.nearest:
        text = escape(shortened(one_line(each.nearest.text), _EXCERPT))
        near = f"Nearest passage <code>{escape(each.nearest.id)}</code>: {text}"
    with st.container(border=True, key=key):
        st.html(
            f"<p dir='auto'><b>{escape(each.mark.question)}</b></p>"
            f"<p dir='auto'>{kind}: {escape(each.excerpt)}</p>"
            f"<p class='hop-quiet' dir='auto'>{escape(each.why)} {near}</p>"
        )
        if visitor().may_edit:
            with st.container(horizontal=True, gap="small"):
                if each.nearest:
                    st.button(
                        "Mark this passage",
                        key=f"{key}_move",
                        on_click=partial(_move, index, each.mark, each.nearest.id),
                        help="Move the mark to the nearest passage.",
                    )
                st.button(
                    "Drop the mark",
                    key=f"{key}_drop",
                    on_click=partial(_drop, index, each.mark),
                )


def _move(index: Index, mark: Mark, passage_id: str) -> None:
    with layout.mendable():
        gold_actions.move_mark(index, mark, passage_id)


def _drop(index: Index, mark: Mark) -> None:
    with layout.mendable():
        gold_actions.drop_mark(index, mark)
