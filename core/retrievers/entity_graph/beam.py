"""Beam search over propositions: paths whose steps share an entity, scored as one text."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.artefacts.entity_graph.graph import Entities, Facts
from core.ranking import best
from core.vectors import Vectors

Read = Callable[[Sequence[str]], Sequence[float]]
"""The cosine of the question and each of some texts."""


@dataclass(frozen=True, slots=True)
class Path:
    """A path of facts, by their numbers in order, with its cosine to the query as `score`.

    `by` are the entities that the last fact shares with the one before: none for a first step, or
    for one that may follow on any path.
    """

    facts: tuple[int, ...]
    score: float
    by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Beam:
    """The inputs of a beam search.

    Parameters
    ----------
    width : paths kept per step.
    length : maximum number of facts per path.
    anywhere : number of best first steps that may follow on any path.
    again : number of best paths, by their mean vector, to re-score as one text; 0 for none.
    """

    width: int
    length: int
    anywhere: int = 3
    again: int = 0


def search(
    beam: Beam,
    facts: Facts,
    some: Sequence[int],
    entities: Entities,
    query_vector: Vectors,
    read: Read,
) -> Iterator[list[Path]]:
    """Yield the paths over the facts `some` of each length, best first.

    The first `width` are extended. A path's score is the cosine of `query_vector` and the mean of
    its facts' vectors, or, for the best `again`, the vector of their joined text. Paths with the
    same facts and the same last fact are one.
    """
    cosine = facts.vectors[list(some)] @ query_vector
    order = [some[place] for place in best(cosine.astype(np.float64), len(some))]
    value = dict(zip(some, cosine.tolist(), strict=True))
    paths = [Path((fact,), value[fact]) for fact in order]
    joins = _joins(facts, some, entities)
    yield paths
    for _ in range(beam.length - 1):
        ahead = paths[: beam.width]
        paths = _longer(ahead, joins, order[: beam.anywhere], facts, query_vector)
        if not paths:
            return
        if beam.again:
            paths = _read_again(paths[: beam.again], facts, read)
        yield paths


def _joins(
    facts: Facts, some: Iterable[int], entities: Entities
) -> Mapping[int, Mapping[int, tuple[str, ...]]]:
    """Return, for each fact, the facts that share an equal or similar entity, with its name."""
    of: defaultdict[str, list[int]] = defaultdict(list)
    for fact in some:
        for name in facts.facts[fact].names:
            of[name].append(fact)
    numbers = np.array([entities.number[name] for name in of], np.int64)
    one, other, _ = entities.synonyms
    inside = np.isin(one, numbers) & np.isin(other, numbers)
    pairs = [(name, name) for name in of]
    for i, j in zip(one[inside].tolist(), other[inside].tolist(), strict=True):
        pairs += [(entities.names[i], entities.names[j]), (entities.names[j], entities.names[i])]
    joins: defaultdict[int, defaultdict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for name, alike in pairs:
        for fact in of[name]:
            ends = joins[fact]
            for then in of[alike]:
                if then != fact:
                    ends[then].add(alike)
    return {fact: {t: tuple(sorted(by)) for t, by in ends.items()} for fact, ends in joins.items()}


def _longer(
    ahead: Sequence[Path],
    joins: Mapping[int, Mapping[int, tuple[str, ...]]],
    anywhere: Sequence[int],
    facts: Facts,
    asked: Vectors,
) -> list[Path]:
    """Extend each path of `ahead` by every allowed step; return them by mean vector, best first."""
    paths_by_facts: dict[tuple[frozenset[int], int], Path] = {}
    for path in ahead:
        steps = dict.fromkeys(anywhere, ()) | dict(joins.get(path.facts[-1], {}))
        after = [fact for fact in sorted(steps) if fact not in path.facts]
        if not after:
            continue
        sums = facts.vectors[list(path.facts)].sum(axis=0) + facts.vectors[after]
        scores = (sums @ asked) / np.maximum(np.linalg.norm(sums, axis=1), 1e-9)
        for fact, score in zip(after, scores.tolist(), strict=True):
            longer = Path((*path.facts, fact), score, steps[fact])
            paths_by_facts.setdefault((frozenset(longer.facts), fact), longer)
    return sorted(paths_by_facts.values(), key=_order)


def _read_again(paths: Sequence[Path], facts: Facts, read: Read) -> list[Path]:
    texts = [" ".join(facts.facts[fact].text for fact in path.facts) for path in paths]
    again = (Path(p.facts, s, p.by) for p, s in zip(paths, read(texts), strict=True))
    return sorted(again, key=_order)


def _order(path: Path) -> tuple[float, tuple[int, ...]]:
    return -path.score, path.facts
