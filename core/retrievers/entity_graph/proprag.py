"""PropRAG (arXiv 2504.18070): beam search over propositions, between two runs of PageRank."""

import time
from collections import defaultdict
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Annotated

import numpy as np

from core.artefacts.entity_graph.graph import (
    ENTITIES,
    ENTITY_GRAPH,
    FACTS,
    EntityGraph,
    Fact,
    Mass,
    Numbers,
)
from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.workbench import Workbench
from core.ranking import Scores, best, min_max
from core.retrievers.base import KEPT, TOP_K, Card, ranked_by
from core.retrievers.entity_graph import linking
from core.retrievers.entity_graph.beam import Beam, Path, search
from core.retrievers.entity_graph.hipporag2 import SOURCES, question_weights, reset_of
from core.retrievers.entity_graph.spreading import (
    by_cosine,
    entity_id,
    fact_id,
    spread_steps,
)
from core.retrievers.first_step import first_step_and_query
from core.retrievers.settings import Setting
from core.steps import ARROW, ROOT, Began, Offer, Offered, Step, Thing, Tie, Told
from core.types import Part
from core.vectors import Vectors

WIDE, NEAR = ("propositions", *SOURCES[1:]), ("paths", *SOURCES[1:])
"""The sources of probability in the first and in the second PageRank."""
FIRST, BEAM, SECOND = "first PageRank round", "beam search step", "second PageRank round"
OUTSIDE = "outside"
_LISTED = 12  # paths shown per step of the beam search
_ENTITIES = 40  # maximum start entities of the first PageRank
_ENOUGH = 0.01  # of the first PageRank, which only selects the neighbourhood
_NEAR_BY = 50  # passages in the beam search and the second PageRank
_SEEDS = 5  # entities of the best paths, and of the first ones, that the second PageRank starts at


@dataclass(frozen=True, slots=True)
class PropRag:
    """Passages by PageRank from the entities of the best paths over propositions.

    A first PageRank, from the entities of the facts most like the question, finds the passages
    near it. Among their facts, a beam search looks for paths that jointly match the query. A second
    PageRank, among those passages and their entities, starts at the entities of the best paths.

    Parameters
    ----------
    linked : facts whose entities the first PageRank starts at (20 in the paper, 40 entities).
    width, length : of the beam (4 and 3 in the paper).
    again : paths per step that are re-scored as one text (40 in the paper); embedding each takes as
        long as embedding a query.
    best_paths : paths on the beam whose entities may seed the second PageRank (5 in the code).
    dense : weight of a passage's own cosine in both resets (0.05 in the paper).
    """

    workbench: Workbench
    top_k: Annotated[int, TOP_K] = KEPT
    linked: Annotated[
        int, Setting("propositions that seed the first PageRank", least=1, most=50)
    ] = 20
    width: Annotated[int, Setting("paths in the beam", least=1, most=20)] = 4
    length: Annotated[int, Setting("propositions per path at most", least=1, most=5)] = 3
    again: Annotated[
        int, Setting("paths per step that are re-scored as one text", least=0, most=40)
    ] = 0
    best_paths: Annotated[int, Setting("paths that seed the second PageRank", least=1, most=20)] = 5
    dense: Annotated[
        float, Setting("weight of the passage's similarity to the query", least=0, most=1)
    ] = 0.05

    card = Card(
        key="proprag",
        title="PropRAG",
        badge="PR",
        family="entity graph",
        summary="Finds chains of propositions (here: sentences) that jointly match the query, "
        "using beam search between two runs of PageRank.",
        paper="Wang 2025, arXiv 2504.18070",
        needs=(KEYWORDS, ENTITIES, FACTS, ENTITY_GRAPH),
        parts={
            "paths": ("a", "probability spread from the entities on the best paths"),
            "propositions": (
                "a",
                ("probability spread from the entities of propositions similar to the query"),
            ),
            "question": ("c", "probability spread from the entities named in the query"),
            "passages": ("b", "probability spread from passages similar to the query"),
            "similarity": ("b", "cosine of the query and the proposition, or the whole path"),
            "dense": ("b", "embedding similarity (cosine)"),
            OUTSIDE: (
                "d",
                "similarity of passages outside the neighbourhood; ranks below all others",
            ),
        },
        rounds={
            FIRST: "The first PageRank runs over the whole graph and selects the passages for "
            "the beam search and the second PageRank.",
            BEAM: "Each path grows by one proposition that shares an entity with it. The beam "
            "keeps the few best paths and drops the others.",
            SECOND: "The second PageRank starts at the entities on the best paths and runs "
            "only over the passages selected by the first.",
        },
    )

    def retrieve(self, query: str) -> Iterator[Step]:
        """Yield both runs of PageRank with the beam search between them, and last the ranking."""
        asked, encoded = first_step_and_query(self, query, named=True)
        yield asked
        started, index = time.perf_counter(), self.workbench.index
        graph = self.workbench.get(ENTITY_GRAPH)
        cosine = self.workbench.cosines(encoded.vector)
        dense = self.dense * min_max(cosine)
        offered, names = self._fact_step(encoded.vector)
        yield offered
        if not names:
            yield by_cosine(index, self.top_k, started, cosine, "There are no propositions")
            return
        named = question_weights(graph, encoded.keywords)
        reset = reset_of(
            graph, _divided_by_frequency(graph, dict.fromkeys(names, 1.0)), named, dense
        )
        k = self.top_k
        wide = yield from spread_steps(index, graph, reset, WIDE, 0.75, FIRST, _ENOUGH, k, names)
        near = best(wide[: graph.passages].sum(axis=1, dtype=np.float64), _NEAR_BY)
        yield _nearby_step(index.ids, near, wide)
        paths = yield from self._beam(near, encoded.vector)
        facts = self.workbench.get(FACTS).facts
        weights = _divided_by_frequency(graph, path_weights(paths, facts, self.best_paths))
        yield _entities(weights, _naming_facts(paths, facts, self.best_paths))
        inside, here = graph.within(graph.neighbours(near)), np.zeros_like(dense)
        here[near] = dense[near]
        reset = reset_of(graph, weights, named, here)
        mass = yield from spread_steps(index, inside, reset, NEAR, 0.45, SECOND, top_k=k)
        parts = dict(zip(NEAR, mass[: graph.passages].astype(np.float64).T, strict=True))
        if self.top_k > len(near):
            parts[OUTSIDE] = _outside(np.sum(list(parts.values()), axis=0), near, cosine)
        yield ranked_by(index, self.top_k, started, **parts)

    def _fact_step(self, asked: Vectors) -> tuple[Offered, list[str]]:
        """Return the step with the facts most similar to the query, and their entities.

        The first PageRank starts at these entities.
        """
        facts = self.workbench.get(FACTS)
        cosine = (facts.vectors @ asked).astype(np.float64)
        numbers = best(cosine, self.linked).tolist()
        offers = tuple(
            Offer(fact_id(n), float(cosine[n]), (Part("similarity", float(cosine[n])),), taken=True)
            for n in numbers
        )
        things = tuple(Thing(fact_id(n), "fact", facts.facts[n].text) for n in numbers)
        named = {n: facts.facts[n].names for n in numbers}
        names = list(dict.fromkeys(chain(*named.values())))[:_ENTITIES]
        told = Told(reason=f"The first PageRank starts at the {len(names)} entities they mention.")
        step = Offered(
            ROOT,
            "propositions",
            offers,
            considered=len(facts.facts),
            things=(*things, *(Thing(entity_id(name), "entity", name) for name in names)),
            ties=_naming_lines(named, names),
            told=told if names else Told(),
        )
        return step, names

    def _beam(self, near: Numbers, asked: Vectors) -> Generator[Step, None, list[Path]]:
        """Yield the steps of the beam search; return every path that was on the beam."""
        facts, inside = self.workbench.get(FACTS), set(near.tolist())
        some = [n for n, fact in enumerate(facts.facts) if fact.passage in inside]
        encode, entities = self.workbench.embedder.encode, self.workbench.get(ENTITIES)
        beam = Beam(self.width, self.length, again=self.again)
        steps = search(
            beam, facts, some, entities, asked, lambda texts: (encode(texts) @ asked).tolist()
        )
        paths: list[Path] = []
        for number, candidates in enumerate(steps, start=1):
            yield Began(BEAM, number)
            yield self._path_step(candidates, number)
            paths += candidates[: self.width]
        return paths

    def _text_without_title(self, fact: int) -> str:
        """Return the text of a proposition without the passage title that it begins with."""
        one = self.workbench.get(FACTS).facts[fact]
        return one.text.removeprefix(f"{self.workbench.index.passages[one.passage].title}. ")

    def _path_step(self, paths: Sequence[Path], number: int) -> Offered:
        """Return the step with the paths of one length; those the beam keeps are selected."""
        facts = self.workbench.get(FACTS).facts
        shown = paths[:_LISTED]
        ties = {_path_id(path): _tie(path) for path in shown if len(path.facts) > 1}
        offers = tuple(
            Offer(
                fact_id(path.facts[-1]),
                path.score,
                (Part("similarity", path.score),),
                taken=place < self.width,
                tie=_path_id(path) if len(path.facts) > 1 else "",
                label=ARROW.join(map(self._text_without_title, path.facts))
                if len(path.facts) > 1
                else "",
                notes=_notes(path, number),
            )
            for place, path in enumerate(shown)
        )
        known = dict.fromkeys(fact for path in shown for fact in path.facts)
        return Offered(
            ROOT,
            "propositions" if number == 1 else "paths",
            offers,
            considered=len(paths),
            things=tuple(Thing(fact_id(n), "fact", facts[n].text) for n in known),
            ties=tuple(ties.values()),
            told=Told(reason="A path is scored by its propositions taken as one text."),
        )


def path_weights(paths: Sequence[Path], facts: Sequence[Fact], count: int) -> dict[str, float]:
    """Return the entities that seed the second PageRank, with their weights in (0, 1].

    Two groups are weighted alike: the `count` best of all paths, and the `count` best of length
    1. In a group, an entity's weight is the score of the best path that mentions it, and the
    `_SEEDS` entities with the largest sum of scores stay, scaled so that the largest weight is 1.
    An entity of both groups has the larger weight.
    """
    weights: dict[str, float] = {}
    for group in _groups(paths, count):
        for name, weight in _group_weights(group, facts).items():
            weights[name] = max(weights.get(name, 0.0), weight)
    return weights


def _groups(paths: Sequence[Path], count: int) -> tuple[list[Path], list[Path]]:
    """Return the `count` best of all paths, and the `count` best of those of length 1."""
    ordered = sorted(paths, key=lambda path: -path.score)
    return ordered[:count], [path for path in ordered if len(path.facts) == 1][:count]


def _group_weights(group: Sequence[Path], facts: Sequence[Fact]) -> dict[str, float]:
    """Return the seed weights of the `_SEEDS` names with the highest sum of path scores.

    A name's weight is its best path score, divided by the largest weight: in (0, 1]. Names without
    a positive score are left out.
    """
    scores: defaultdict[str, list[float]] = defaultdict(list)
    for path in group:
        for fact in path.facts:
            for name in dict.fromkeys(facts[fact].names):
                scores[name].append(path.score)
    seeds = sorted(scores, key=lambda name: (-sum(scores[name]), name))[:_SEEDS]
    weights = {name: weight for name in seeds if (weight := max(scores[name])) > 0}
    largest = max(weights.values(), default=1.0)
    return {name: weight / largest for name, weight in weights.items()}


def _naming_facts(
    paths: Sequence[Path], facts: Sequence[Fact], count: int
) -> dict[int, Sequence[str]]:
    """Return the facts of the paths that seed the second PageRank, with the entities of each."""
    used = chain(*_groups(paths, count))
    return {fact: facts[fact].names for path in used for fact in path.facts}


def _divided_by_frequency(graph: EntityGraph, weights: Mapping[str, float]) -> dict[str, float]:
    """Divide each weight by the number of passages that name the entity."""
    number = graph.entities.number
    return {name: w / max(1, int(graph.bearers[number[name]])) for name, w in weights.items()}


def _nearby_step(ids: Sequence[str], near: Numbers, mass: Mass) -> Offered:
    """Return the step with the passages that the first PageRank keeps, by probability."""
    offers = tuple(
        Offer(ids[n], sum(mass[n].tolist()), tuple(map(Part, WIDE, mass[n].tolist())), True)
        for n in near
    )
    reason = "The beam search and the second PageRank use only these passages."
    return Offered(ROOT, "passages", offers, considered=len(ids), told=Told(reason=reason))


def _path_id(path: Path) -> str:
    return f"path:{'-'.join(map(str, path.facts))}"


def _tie(path: Path) -> Tie:
    """Return the line of the last step of a path, labelled with the shared entities."""
    before, last = path.facts[-2:]
    return Tie(_path_id(path), fact_id(before), fact_id(last), ", ".join(path.by) or "anew")


def _notes(path: Path, number: int) -> tuple[tuple[str, str], ...]:
    if number == 1:
        return ()
    return (("via", ", ".join(path.by)),) if path.by else (("via", "its own score"),)


def _entities(weights: Mapping[str, float], named: Mapping[int, Sequence[str]]) -> Offered:
    """Return the entities of the best paths, where the second PageRank starts, with their facts."""
    ties = _naming_lines(named, weights)
    things = tuple(Thing(entity_id(name), "entity", name) for name in weights)
    reason = "The second PageRank starts at these entities."
    offers = linking.offered((), weights, "paths")
    return Offered(ROOT, "entities", offers, things=things, ties=ties, told=Told(reason=reason))


def _naming_lines(named: Mapping[int, Sequence[str]], among: Collection[str]) -> tuple[Tie, ...]:
    """Return lines from each fact to those of its entities that are in `among`."""
    return tuple(
        Tie(f"{fact_id(fact)}>{name}", fact_id(fact), entity_id(name), "names")
        for fact, names in named.items()
        for name in dict.fromkeys(names)
        if name in among
    )


def _outside(inside: Scores, near: Numbers, cosine: Scores) -> Scores:
    """Score passages outside `near` by cosine, (passages,), below the lowest score inside."""
    rest: Scores = 0.999 * inside[near].min() * min_max(cosine)
    rest[near] = 0
    return rest
