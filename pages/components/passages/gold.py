"""Which passages are gold for a question: those that are known, and those marked by hand.

Marks live in the session, one set a question of an index, so that every page shows the same.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import streamlit as st

from core.types import Passage

_STORE = "gold_marks"


@dataclass(frozen=True, slots=True)
class GoldMarks:
    """The gold of one question. `known` are ids of passages, or of documents as a whole."""

    index: str
    question: str
    known: frozenset[str] = frozenset()

    def has(self, passage: Passage) -> bool:
        given = passage.id in self.known or passage.document_id in self.known
        return self._by_hand().get(passage.id, given)

    def among(self, passages: Iterable[Passage]) -> frozenset[str]:
        """Ids of those of `passages` that are gold."""
        return frozenset(passage.id for passage in passages if self.has(passage))

    def ids(self) -> tuple[str, ...]:
        """Ids of all that is gold, of passages and of documents, sorted."""
        by_hand = self._by_hand()
        kept = {name for name in self.known if by_hand.get(name, True)}
        return tuple(sorted(kept | {name for name, gold in by_hand.items() if gold}))

    def toggle(self, passage: Passage) -> None:
        """Mark the passage, or take its mark away, by hand."""
        self._by_hand()[passage.id] = not self.has(passage)

    def _by_hand(self) -> dict[str, bool]:
        store: dict[tuple[str, str], dict[str, bool]] = st.session_state.setdefault(_STORE, {})
        return store.setdefault((self.index, self.question), {})
