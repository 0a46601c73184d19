"""Complete lists of a retrieval, of which its trace has only the beginning."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from core.artefacts.workbench import Workbench
from core.errors import HopRagError
from core.playback.returned_texts import measured_steps
from core.retrievers import Spec, make
from core.retrievers.custom.retriever import MOST
from core.retrievers.searched_lists import Searched, Searching
from core.steps import Asked, Offered, Ranked, Step, result
from core.store.index import Index


@dataclass(frozen=True)
class Whole:
    """A list of passages by their score, best first."""

    passages: Sequence[str]
    scores: Sequence[float]

    @cached_property
    def rank(self) -> dict[str, int]:
        """Rank of each passage, from 1, by id."""
        return {name: rank for rank, name in enumerate(self.passages, start=1)}


class Lists:
    """Finds the entry of a walk, or the ranking of what ranks everything, over all passages.

    The retriever is asked again for as many as there are, and stopped where it starts to walk, so
    that no judgement is made again and no model is paid. Each list is found once.
    """

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench.with_leave(None)
        self._found: dict[tuple[str, str], Whole | None] = {}
        self._searched: dict[tuple[str, str], tuple[Searched, ...]] = {}

    def whole(self, asked: Asked) -> Whole | None:
        """Return the full ranking behind the first list of `asked`, or None if it needs a model."""
        spec = spec_asked(asked)
        if spec is None:
            return None
        key = (str(spec.with_settings(top_k=1)), asked.query)
        if key not in self._found:
            self._found[key] = self._full_ranking(spec, asked.query)
        return self._found[key]

    def complete_lists(self, asked: Asked, steps: Sequence[Step]) -> tuple[Searched, ...]:
        """Return all complete lists behind `steps` of `asked`; empty if computing them is not
        free.
        """
        spec = spec_asked(asked)
        if spec is None:
            return ()
        key = (str(spec), asked.query)
        if key not in self._searched:
            self._searched[key] = self._searches_of(spec, (asked, *steps))
        return self._searched[key]

    def _searches_of(self, spec: Spec, steps: Sequence[Step]) -> tuple[Searched, ...]:
        """Return the complete lists of a retriever that records its searches, else nothing."""
        try:
            retriever = make(spec, self._workbench)
            return tuple(retriever.searched(steps)) if isinstance(retriever, Searching) else ()
        except (HopRagError, KeyError):  # the same, and a node of the steps may be none here
            return ()

    def _full_ranking(self, spec: Spec, query: str) -> Whole | None:
        """Retrieve again with the top k as large as the index; None if that would call a model."""
        try:
            made: Any = make(spec, self._workbench)
            every = len(self._workbench.index.passages)
            # Chunks of a custom retriever may be more than the passages.
            most = max(every, MOST) if spec.card.family == "custom" else every
            whole: Any = replace(made, top_k=most)
            return _first_list(whole.retrieve(query), self._workbench.index, query)
        except HopRagError:  # it asks a model, or the index has changed since
            return None


def spec_asked(asked: Asked) -> Spec | None:
    """Return the retriever of a bracket with its settings, or None if it does not exist."""
    try:
        return Spec(asked.retriever).with_settings(top_k=asked.top_k, **asked.settings)
    except HopRagError:
        return None


def _first_list(steps: Iterable[Step], index: Index, query: str) -> Whole | None:
    """Return the first seed list of a retriever, or else its ranking."""
    before: list[Step] = []
    for step in steps:
        if isinstance(step, Offered) and step.entry:
            offers = step.offers
            return Whole([one.target for one in offers], [one.score for one in offers])
        before.append(step)
        if isinstance(step, Ranked):
            end = result(measured_steps(before, index, query))
            hits = (*end.hits, *end.pruned)
            return Whole([hit.passage_id for hit in hits], [hit.score for hit in hits])
    return None
