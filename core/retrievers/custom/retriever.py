"""Wrap a custom retriever as a built-in one: its results become a ranking of passages."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, make_dataclass, replace
from typing import Annotated, Any, ClassVar

from core.artefacts.workbench import Workbench
from core.errors import RetrieverFailed
from core.retrievers.base import KEPT, TOP_K, Card, Tone
from core.retrievers.custom.description import Description, one_line
from core.retrievers.custom.matching import MATCHER
from core.retrievers.custom.results import BadResults, contexts_of
from core.retrievers.first_step import first_step
from core.retrievers.step_contract import check
from core.retrievers.step_ids import edge_ids, passage_ids
from core.steps import ROOT, Ranked, Returned, Step, Told
from core.types import Hit, Part

MOST = 1000
"""Maximum number of results used per question, and requested of a custom retriever."""
NOT_HERE = "not in the index"
_RANK = "1/rank"
_PARTS: dict[str, tuple[Tone, str]] = {
    "score": ("a", "as the retriever returned it"),
    _RANK: ("b", "the retriever returned no scores"),
}


@dataclass(frozen=True, slots=True)
class CustomRetriever:
    """The base class of custom retrievers; `class_of` makes a class for each."""

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT

    card: ClassVar[Card]
    described: ClassVar[Description]

    def __post_init__(self) -> None:
        if self.described.problem:
            raise RetrieverFailed(self.described.problem)

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield the retriever's own steps, or a ranking of its results; raise RetrieverFailed."""
        asked = first_step(self, query)
        yield asked
        started = time.perf_counter()
        answer = self.described.ask(
            query,
            min(self.top_k, MOST),
            {name: getattr(self, name) for name in self.described.settings},
        )
        own = [item for item in answer.items if isinstance(item, Step)]
        results = [item for item in answer.items if not isinstance(item, Step)]
        try:
            if not own or not isinstance(own[-1], Ranked):
                own.append(self._ranked(results, answer.note))
            elif results:
                raise BadResults(
                    "it returned both results and a Ranked step; return only one of them"
                )
            self._check(asked, own)
        except (ValueError, TypeError, AttributeError) as error:
            raise RetrieverFailed(f"{self.described.where}: {one_line(error)}.") from error
        yield from own[:-1]
        yield _timed(own[-1], time.perf_counter() - started)

    def _check(self, asked: Step, own: Sequence[Step]) -> None:
        """Raise ValueError if a step breaks the contract or names what the index does not have."""
        check((asked, *own))
        index = self.workbench.index
        lost = [name for name in passage_ids(own) if name != ROOT and name not in index.number]
        lost += [name for name in edge_ids(own) if index.graph.edge_number(name) is None]
        if lost:
            raise ValueError(f"a step names {lost[0][:60]!r}, which is {NOT_HERE} {index.name}")

    def _ranked(self, results: Sequence[object], note: str) -> Ranked:
        """Return the passages that results were matched to, and their texts if those differ."""
        contexts = contexts_of(results[:MOST])
        matcher = self.workbench.get(MATCHER)
        titled = self.workbench.index.titled
        scored = all(each.score is not None for each in contexts)
        returned = []
        for rank, context in enumerate(contexts, start=1):
            score = Part("score", float(context.score or 0.0)) if scored else Part(_RANK, 1 / rank)
            match = matcher.match(context)
            title = titled(match.passages[0]).title if match.passages else context.title
            of = (match.passages, match.step, match.whole or not match.passages)
            returned.append(Returned(score, context.text, context.id, title, *of))
        kept, cut = _passages(returned, self.top_k)
        told = Told(reason=" ".join(filter(None, (note, *_remarks(results, returned, self.top_k)))))
        differ = not all(one.is_passage for one in returned)
        return Ranked(kept, cut, told=told, returned=tuple(returned) if differ else ())


def _passages(returned: Sequence[Returned], top_k: int) -> tuple[tuple[Hit, ...], tuple[Hit, ...]]:
    """Return the passages of the first `top_k` results, and those of the others."""
    hit_of: dict[str, Hit] = {}
    retrieved = 0
    for number, one in enumerate(returned):
        for passage in one.passages:
            hit_of.setdefault(passage, Hit(passage, one.score.value, (one.score,)))
        if number < top_k:
            retrieved = len(hit_of)
    hits = tuple(hit_of.values())
    kept = hits[: min(retrieved, top_k)]
    return kept, hits[len(kept) :] if kept else ()


def _remarks(results: Sequence[object], returned: Sequence[Returned], top_k: int) -> Iterator[str]:
    """Yield sentences about results that were unused, unmatched, partial, repeated or unsorted."""
    if len(results) > MOST:
        yield f"It returned {len(results):,} results; only the first {MOST:,} are used."
    first = returned[:top_k]
    missing = sum(not one.passages for one in first)
    if missing:
        yield f"{NOT_HERE.capitalize()}: {missing} of {len(first)} results."
    if parts := sum(not one.whole for one in first):
        yield (
            f"Parts of passages: {parts} of {len(first)} results. Gold counts as retrieved only "
            "if its evidence is in the returned text."
        )
    seen: set[str] = set()
    repeated = 0
    for one in first:
        repeated += bool(one.passages) and seen.issuperset(one.passages)
        seen.update(one.passages)
    if repeated:
        yield f"Repeats of a higher-ranked passage: {repeated} of {len(first)} results."
    scores = [one.score.value for one in returned]
    if scores != sorted(scores, reverse=True):
        yield "Its scores are not in descending order; passages keep the order it returned."


def _timed(step: Step, seconds: float) -> Step:
    """Return a result with its time, unless it has one."""
    if step.told.cost.seconds:
        return step
    cost = replace(step.told.cost, seconds=seconds)
    return replace(step, told=replace(step.told, cost=cost))


def class_of(described: Description, key: str, badge: str, place: int) -> type[CustomRetriever]:
    """Return the class of a custom retriever, whose fields are its settings."""
    problem = f"Cannot be used. {described.problem}" if described.problem else ""
    card = Card(
        key=key,
        title=described.title,
        badge=badge,
        family="custom",
        place=place,
        summary=problem or described.summary or f"A custom retriever, {described.where}.",
        paper=described.where,
        needs=(MATCHER,),
        parts=_PARTS,
        version=described.version,
        probe=described.probe,
    )
    fields: list[Any] = [(name, *field) for name, field in described.settings.items()]
    if 1 <= described.top_k <= int(TOP_K.most or MOST):
        fields.append(("top_k", Annotated[int, TOP_K], described.top_k))
    return make_dataclass(
        "CustomRetriever",
        fields,
        bases=(CustomRetriever,),
        frozen=True,
        namespace={"card": card, "described": described},
    )
