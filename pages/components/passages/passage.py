"""One passage in full: title, text, origin, and gold mark."""

from html import escape
from typing import Protocol

import streamlit as st

from core.marks import NO_GOLD, Gold
from core.store.index import Index
from core.text.clean import one_line
from core.text.display.passage_labels import shortened
from core.types import Passage
from pages.components.passages.edit_button import edit_button
from pages.components.passages.gold import GoldMarks, star
from pages.components.passages.highlighting import highlighted
from pages.components.shell import layout

LONGEST_WORDS = 2_000  # characters
_EXCERPT = 200  # characters


class Source(Protocol):
    """A source of passages: an open index or a trace."""

    def passage(self, passage_id: str) -> Passage: ...


def show_passage(
    source: Source,
    passage_id: str,
    *,
    key: str,
    marks: GoldMarks | None = None,
    height: int | None = None,
) -> None:
    """Draw a passage's title, text, id and document; with `marks` also the button for its gold
    mark.

    `key` sets this panel apart from others of the page. A text taller than `height` pixels scrolls,
    and ends at a whole line.
    """
    passage = source.passage(passage_id)
    known = marks.now() if marks else NO_GOLD
    gold, gone = known.has(passage.id), passage_id in known.removed
    by = known.author_of(passage_id) if gold else ""
    part = f" · part {passage.position + 1}" if passage.position else ""
    limit = f" style='max-height:round(down, {height}px, 1lh)'" if height else ""
    text = highlighted(passage.text, known.evidence_in(passage.id))
    st.html(
        f"<article class='hop-passage'><h3 dir='auto'>{star(by)} {escape(passage.title)}</h3>"
        f"<p class='hop-ids'>passage <code>{escape(passage.id)}</code> of document "
        f"<code>{escape(passage.document_id)}</code>{part}</p>"
        f"<div class='hop-text' dir='auto'{limit}>{text}</div></article>"
    )
    if by == "hand" or gone:
        st.caption(layout.literal(_mark_description(marks, known, passage_id, gone=gone)))
    if isinstance(source, Index):
        edit_button(source, passage_id, key)
    if marks is not None and marks.may_mark:
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.button(
                "Unmark as gold" if gold else "Mark as gold",
                key=f"{key}_gold",
                on_click=marks.put,
                args=(passage, not gold),
            )
            if marks.index and not gold:
                _mark_words(marks, passage, key)


def _mark_words(marks: GoldMarks, passage: Passage, key: str) -> None:
    """Draw the field that marks only some words of a passage."""
    field = f"{key}_words"

    def mark() -> None:
        """Mark the typed words of the passage as gold."""
        if words := str(st.session_state.get(field) or "").strip():
            marks.put(passage, True, words=words)
        else:
            st.error("Enter the words to mark exactly as they appear in the passage.")

    with st.popover("Mark only some words"):
        st.text_area("Only these words", key=field, max_chars=LONGEST_WORDS)
        st.button("Mark these words", key=f"{key}_gold_words", on_click=mark)


def _mark_description(marks: GoldMarks | None, known: Gold, passage_id: str, *, gone: bool) -> str:
    """Describe how a mark was changed by hand, by whom and when if known, and where it is
    stored.
    """
    kept = "the trace" if marks and marks.trace else "the index"
    name = passage_id if gone else known.mark_in(passage_id) or passage_id
    by = known.told.get(name, "")
    done = " ".join(filter(None, ("Unmarked by hand" if gone else "Marked by hand", by)))
    return " ".join(filter(None, (f"{done}. Saved with {kept}.", _marked_part(known, name))))


def _marked_part(known: Gold, name: str) -> str:
    """Describe the marked part of a passage, if not all of it is marked."""
    found = known.marked.get(name)
    if not found:
        return ""
    if found.kind == "fact":
        return f"Only these words: '{shortened(one_line(found.text), _EXCERPT)}'"
    if len(found.parts) == 1 and len(found.parts[0]) > 1:
        return "This index splits the marked passage. Retrieving any part of it is enough."
    return ""
