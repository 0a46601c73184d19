"""A custom retriever as one of ours: its results become steps."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, make_dataclass, replace
from typing import Annotated, Any, ClassVar

from core.artefacts.workbench import Workbench
from core.corpus.retrieved import Context
from core.errors import RetrieverFailed
from core.evidence.contexts import ContextMatch
from core.retrievers.base import KEPT, TOP_K, Card, Tone
from core.retrievers.contract import check
from core.retrievers.custom.description import Description, one_line
from core.retrievers.custom.matching import MATCHER
from core.retrievers.custom.results import BadResults, contexts_of
from core.retrievers.first_step import first_step
from core.retrievers.step_ids import edge_ids, passage_ids
from core.steps import ROOT, Offer, Offered, Ranked, Step, Thing, Told
from core.types import Hit, Part

MOST = 1000
"""Results of a question that count; a custom retriever is asked for no more."""
NOT_HERE = "not in the index"
_PARTS: dict[str, tuple[Tone, str]] = {
    "score": ("a", "as the retriever returned it"),
    "1/rank": ("b", "the retriever returned no scores"),
}


@dataclass(frozen=True, slots=True)
class CustomRetriever:
    """What all have in common; each is a class of its own (`class_of`)."""

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT

    card: ClassVar[Card]
    described: ClassVar[Description]

    def __post_init__(self) -> None:
        if self.described.problem:
            raise RetrieverFailed(self.described.problem)

    def retrieve(self, query: str) -> Iterator[Step]:
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
                own += self._steps_of(results, answer.note)
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

    def _steps_of(self, results: Sequence[object], note: str) -> list[Step]:
        """Return the ranking of results, and before it their list where not all are passages."""
        contexts = contexts_of(results[:MOST])
        matcher = self.workbench.get(MATCHER)
        matches = [matcher.match(each) for each in contexts]
        listed = _Listed(contexts, matches, self.top_k)
        told = Told(reason=" ".join(filter(None, (note, *_remarks(results, listed)))))
        ranked = Ranked(listed.kept, listed.cut, told=told)
        return [listed.step, ranked] if listed.is_remarkable else [ranked]


class _Listed:
    """Results with their passages. Ranks are those of passages, and only the first `top_k` results
    are retrieved, whether or not they are passages."""

    def __init__(
        self, contexts: Sequence[Context], matches: Sequence[ContextMatch], top_k: int
    ) -> None:
        scored = all(each.score is not None for each in contexts)
        self.scores = [
            float(each.score or 0.0) if scored else 1 / rank
            for rank, each in enumerate(contexts, start=1)
        ]
        self.repeated = self.parts = 0
        self.things: list[Thing] = []
        self.offers: list[Offer] = []
        found: dict[str, Hit] = {}
        retrieved = 0
        name = "score" if scored else "1/rank"
        for number, (context, match) in enumerate(zip(contexts, matches, strict=True)):
            score = self.scores[number]
            new = [one for one in match.passages if one not in found]
            for passage in new:
                found[passage] = Hit(passage, score, (Part(name, score),))
            if number < top_k:
                retrieved = len(found)
                self._list(context, match, new, score)
        hits = tuple(found.values())
        self.kept = hits[: min(retrieved, top_k)]
        self.cut = hits[len(self.kept) :] if self.kept else ()
        kept = {hit.passage_id for hit in self.kept}
        self.offers = [replace(each, taken=each.target in kept) for each in self.offers]
        self.of = min(len(contexts), top_k)

    def _list(
        self, context: Context, match: ContextMatch, new: Sequence[str], score: float
    ) -> None:
        self.parts += bool(match.passages) and not match.whole
        self.repeated += bool(match.passages) and not new
        notes = () if match.whole else (("text", "part of the passage"),)
        self.offers += [Offer(passage, score, notes=notes) for passage in new]
        if not match.passages:
            text = context.text or context.id
            name = f"result:{len(self.offers) + 1}"
            self.things.append(Thing(name, "passage", NOT_HERE.capitalize(), text))
            self.offers.append(Offer(name, score, why="no passage has this text or id"))

    @property
    def is_remarkable(self) -> bool:
        return bool(self.things or self.parts)

    @property
    def step(self) -> Offered:
        return Offered(ROOT, "results", tuple(self.offers), things=tuple(self.things))


def _remarks(results: Sequence[object], listed: _Listed) -> Iterator[str]:
    if len(results) > MOST:
        yield f"It returned {len(results):,} results; only the first {MOST:,} are used."
    if listed.things:
        told = f"{NOT_HERE.capitalize()}: {len(listed.things)} of {listed.of} results"
        yield f"{told}. The previous step lists them."
    if listed.parts:
        yield (
            f"Parts of passages: {listed.parts} of {listed.of} results. Each counts as its whole "
            "passage, so gold can count as retrieved although its text was not returned. To "
            "measure the parts, build the index from the retriever's own chunks, kept whole."
        )
    if listed.repeated:
        yield f"Repeats of a higher-ranked passage: {listed.repeated} of {listed.of} results."
    if listed.scores != sorted(listed.scores, reverse=True):
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
    return make_dataclass(
        "CustomRetriever",
        fields,
        bases=(CustomRetriever,),
        frozen=True,
        namespace={"card": card, "described": described},
    )
