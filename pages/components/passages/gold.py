"""The gold passages of a question, and marks by hand, which are stored at once.

Marks in a trace from a file belong to that trace: the session keeps them, and a saved copy contains
them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

import streamlit as st

from core.marks import Gold, Mark, gold_of, made_now, marks_on, with_mark
from core.marks.gold_signs import Marked, star_sign
from core.store.index import Index
from core.traces import Trace
from core.types import Passage
from pages.components.shell import layout
from pages.components.shell.actions import gold_actions
from pages.components.shell.visitors.signature import signature
from pages.components.shell.visitors.visitor import visitor

STARS: dict[Marked, str] = {
    "given": "gold",
    "rules": "gold, rule-based",
    "hand": "gold, marked by hand",
}
"""What the stars of gold say: that of a question set stands alone, that of a person is open."""
_OF_FILES, _DONE = "gold_of_files", "gold_done"
Kept = Gold | list[Mark]
"""What is kept: all of a trace from a file, or of one passage of an index."""


def star(marked: Marked, word: str = "", history: str = "") -> str:
    """Return the star of a gold passage as HTML, by who marked it; empty for other passages.

    Parameters
    ----------
    word : written beside the star if there is room.
    history : who marked it, and when.
    """
    if not marked:
        return ""
    sign = star_sign(marked)
    beside = f"<span class='hop-wide'>{word}</span>" if word else ""
    said = escape(f"{STARS[marked]} {history}".strip())
    return (
        f"<span class='hop-star' title='{said}'><span role='img' "
        f"aria-label='{said}'>{sign}</span>{beside}</span>"
    )


def star_key() -> str:
    """Return the legend of the two stars, as HTML."""
    return f"<p class='hop-caption'>{star('given')} gold &ensp; {star('hand')} marked by hand</p>"


@dataclass(frozen=True, slots=True)
class GoldMarks:
    """The gold of one question of `index`; or of `trace`, which is from a file."""

    question: str
    index: Index | None = None
    trace: Trace | None = None

    def now(self) -> Gold:
        """Return the current gold and its authors, read anew because others may change it."""
        if self.trace:
            return _of_files().get(_name(self.trace)) or self.trace.kept_gold
        return gold_of(self.index, self.question) if self.index else Gold()

    def has(self, passage: Passage) -> bool:
        return self.now().has(passage.id)

    def among(self, passages: Iterable[Passage]) -> frozenset[str]:
        """Return ids of those of `passages` that are gold."""
        gold = self.now().passage_ids
        return frozenset(passage.id for passage in passages if passage.id in gold)

    @property
    def may_mark(self) -> bool:
        """Return whether the visitor may mark gold: anyone in a trace file, else editors only."""
        return self.trace is not None or visitor().may_edit

    def put(self, passage: Passage, gold: bool, *, undo: bool = False, words: str = "") -> None:
        """Mark or unmark a passage by hand, unless it already is so in another window.

        Parameters
        ----------
        undo : restore the mark that the last change here replaced, with its author and time.
        words : the only words to mark, which are stored with the index.
        """
        if self.has(passage) == gold:
            return
        with layout.mendable():
            now, key = self._kept(passage), (self._name, passage.id)
            before, left = _last_changes().pop(key, (None, None))
            if undo and before is not None and left == now:
                self._put_back(passage, before)
                return
            self._mark(passage, gold, words)
            _last_changes()[key] = now, self._kept(passage)

    @property
    def _name(self) -> tuple[str, ...]:
        if self.trace:
            return _name(self.trace)
        return (str(self.index and self.index.path), self.question)

    def _kept(self, passage: Passage) -> Kept:
        if self.trace or not self.index:
            return self.now()
        return marks_on(self.index, self.question, passage.id)

    def _mark(self, passage: Passage, gold: bool, words: str) -> None:
        """Store a mark: in the session for a trace from a file, else with the index."""
        if self.trace:
            known = {**self.trace.passages, passage.id: passage}
            marked = with_mark(known, self.now(), passage.id, made_now(signature()), on=gold)
            _of_files()[_name(self.trace)] = marked
        elif self.index:
            gold_actions.mark_gold(self.index, self.question, passage.id, gold=gold, words=words)

    def _put_back(self, passage: Passage, before: Kept) -> None:
        """Restore what was stored `before` the last mark, with its author and time."""
        if self.trace and isinstance(before, Gold):
            _of_files()[_name(self.trace)] = before
        elif self.index and not isinstance(before, Gold):
            gold_actions.put_mark_back(self.index, self.question, passage.id, before)


def _last_changes() -> dict[object, tuple[Kept | None, Kept | None]]:
    """Return the marks before and after the last change here, by question and passage."""
    found: dict[object, tuple[Kept | None, Kept | None]]
    found = st.session_state.setdefault(_DONE, {})
    return found


def _of_files() -> dict[tuple[str, str, str], Gold]:
    found: dict[tuple[str, str, str], Gold] = st.session_state.setdefault(_OF_FILES, {})
    return found


def _name(trace: Trace) -> tuple[str, str, str]:
    return trace.created, trace.query, trace.retriever
