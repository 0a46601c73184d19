"""The workbench: the index, embedder, model and artefacts that all retrievers share."""

from collections.abc import Iterable, Sequence
from copy import copy
from functools import cached_property
from threading import RLock
from typing import Any, Self, TypeVar, cast

import numpy as np

from core.artefacts.authorship import authorship_sentence
from core.artefacts.base import Artefact
from core.artefacts.hop_graph import EncodedQuery
from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.making import make_artefacts
from core.artefacts.scoring.nearest_passages import NEARNESS
from core.artefacts.scoring.scores import Scored
from core.artefacts.stored_artefacts import content_digest, opened
from core.counterfactual import PLAIN, Amendments
from core.errors import InputError
from core.models.embedder import Embedder
from core.models.leave import Leave
from core.models.oracle import Oracle
from core.models.reranker import Known
from core.progress import Report
from core.ranking import Scores
from core.store.artefact_tables import Shelved
from core.store.index import Index
from core.text.clean import clean
from core.vectors import Vectors

T = TypeVar("T")

WARM_UP = "warm up"
"""The text that is embedded before the first question."""


class Workbench:
    """An open index with its embedder, and the artefacts in use, each opened once.

    It is shared between threads and sessions. Nothing in it depends on a question, except `reread`,
    which keeps what was read of texts together with a question.

    Parameters
    ----------
    oracle : the language model with its cached replies, if there is one; a shared workbench has no
        permission to ask it.
    making : receives progress when a missing artefact is made; without it none is made.

    Attributes
    ----------
    amendments : manual choices that override those of every walk; set by `amended` only.
    """

    def __init__(
        self,
        index: Index,
        embedder: Embedder,
        oracle: Oracle | None = None,
        making: Report | None = None,
    ) -> None:
        self.index = index
        self.embedder = embedder
        self.oracle = oracle
        self.amendments = PLAIN
        self.reread: Known = {}
        self._making = making
        self._opened: dict[Artefact[Any], Any] = {}
        self._rows: dict[Artefact[Any], Shelved] = {}  # as they were opened
        self._embedded: dict[str, Vectors] = {}
        self.warmed: set[str] = set()
        self._lock = RLock()

    def with_oracle(self, oracle: Oracle | None) -> Self:
        """Return the same workbench with another model; opened artefacts are shared.

        It builds no artefact, because guesses of a rehearsal must not be stored.
        """
        changed = copy(self)
        changed.oracle = oracle
        changed._making = None
        return changed

    def with_leave(self, leave: Leave | None) -> Self:
        """Return this workbench with permission to call its model."""
        changed = self.with_oracle(self.oracle and self.oracle.with_leave(leave))
        changed._making = self._making
        return changed

    def with_embedded(self, texts: Sequence[str]) -> Self:
        """Return this workbench with the vectors of these questions, embedded in one batch.

        A batch takes a third of the time, and the vectors do not depend on it.
        """
        changed = copy(self)
        new = [text for text in texts if text not in self._embedded]
        vectors = self.embedder.encode(new) if new else ()
        changed._embedded = self._embedded | dict(zip(new, vectors, strict=True))
        return changed

    def embedding_by(self, embedder: Embedder) -> Self:
        """Return this workbench with a wrapper of the same embedder, such as one with a cache."""
        changed = copy(self)
        changed.embedder = embedder
        return changed

    def amended(self, amendments: Amendments) -> Self:
        """Return this workbench with `amendments`, changes to walks that replace earlier ones."""
        changed = copy(self)
        changed.amendments = amendments
        return changed

    @cached_property
    def content(self) -> str:
        """A hash of the passages, in order, and of the graph."""
        return content_digest(self.index)

    def get(self, artefact: Artefact[T]) -> T:
        """Return an artefact, opened on the first call.

        Raises
        ------
        ArtefactMissing : it has to be built first, and this workbench builds none.
        StoreError : the stored artefact is damaged.
        """
        if artefact not in self._opened:
            with self._lock:
                if artefact not in self._opened:
                    self._opened[artefact] = self._open(artefact)
        return cast(T, self._opened[artefact])

    def _open(self, artefact: Artefact[T]) -> T:
        """Open an artefact, and build it first if this workbench builds artefacts."""
        if self._making:
            make_artefacts(self, [artefact], self._making)
        row, value = opened(artefact, self)
        if row:
            self._rows[artefact] = row
        return value

    def authorship(self, artefact: Artefact[Any], makers: Iterable[str] = ()) -> str:
        """Return a sentence about who wrote `artefact`, a model or rules, for a trace that uses it.

        Parameters
        ----------
        makers : as in `authorship_sentence`.
        """
        self.get(artefact)
        return authorship_sentence(artefact, self._rows[artefact], makers)

    def warm(self, needs: Iterable[Artefact[Any]]) -> None:
        """Open artefacts in advance, so that the first question does not wait for them.

        The text of a warm-up gets a vector: where questions are embedded the opposite of one, which
        is no question's and does without loading the embedder.
        """
        for artefact in needs:
            self.get(artefact)
        if WARM_UP not in self._embedded:
            known = next(iter(self._embedded.values()), None)
            vector = self.embedder.encode([WARM_UP])[0] if known is None else -known
            self._embedded[WARM_UP] = vector

    def encode(self, text: str) -> EncodedQuery:
        """Return the keywords NER(q) and the embedding EMB(q) of a question."""
        keywords = self.get(KEYWORDS).of(clean(text))  # as the texts of the corpus are
        known = self._embedded.get(text)
        vector = self.embedder.encode([text])[0] if known is None else known
        return EncodedQuery(text, keywords, vector)

    def cosines(self, vector: Vectors) -> Scores:
        """Return the cosine of each passage with `vector`, (n,)."""
        return (self.index.vectors @ vector).astype(np.float64)

    def near(self, vector: Vectors) -> Scored:
        """Return the cosines with `vector` for callers that need only the highest."""
        return self.get(NEARNESS).to(vector)


def check_question(text: str) -> None:
    """Raise InputError if the question is empty or contains lone surrogates."""
    if not text.strip():
        raise InputError("The query is empty. Type one, or choose one of the index's questions.")
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise InputError("The query contains invalid Unicode. Type it again.")
