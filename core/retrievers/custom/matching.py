"""Match the results of a custom retriever with the passages of an index."""

from functools import lru_cache

from core.artefacts.base import Artefact
from core.artefacts.lexical.bm25 import LEXICAL, Lexical
from core.corpus.record_formats.retrieved_results import Context
from core.evidence.contexts import ContextMatch, matched_contexts
from core.ranking import best
from core.store.index import Index
from core.text.clean import text_digest

_CANDIDATES = 50
"""Passages to compare with a text that equals no passage: the best by BM25."""
_KEPT = 20_000  # matches


class PassageMatcher:
    """Matches results as `core.evidence.contexts` does; texts are looked up, else searched."""

    def __init__(self, index: Index, lexical: Lexical) -> None:
        self._index, self._lexical = index, lexical
        self._known = lru_cache(_KEPT)(self._matched)

    def match(self, context: Context) -> ContextMatch:
        """Return the passages that a result matches; a text that equals an id counts as that id."""
        if not context.id and (name := self._passage_of_id(context.text)):
            return ContextMatch("id", (name,))
        return self._known(context.id, context.text)

    def _passage_of_id(self, name: str) -> str | None:
        """Return the passage with an id, or the only passage of the document with that id."""
        if name in self._index.number:
            return name
        parts = self._index.document_passages.get(name, ())
        return parts[0] if len(parts) == 1 else None

    def _matched(self, id_: str, text: str) -> ContextMatch:
        context = Context(text, id_)
        near = self._index.passages.take(self._candidates(text)) if text else ()
        return matched_contexts([context], near, self._passage_of_id)[context.key]

    def _candidates(self, text: str) -> list[int]:
        """Return the numbers of passages to compare: the one with this text, else BM25's best."""
        if same := self._index.passage_of_text(text_digest(text)):
            return [self._index.number[same]]
        scored = self._lexical.scored(text)
        numbers = scored.first(_CANDIDATES).numbers
        return sorted(map(int, numbers[best(scored.of(numbers), _CANDIDATES)]))


MATCHER = Artefact(
    "passage-matcher",
    "Passages by their text.",
    lambda bench, _: PassageMatcher(bench.index, bench.get(LEXICAL)),
    needs=(LEXICAL,),
)
