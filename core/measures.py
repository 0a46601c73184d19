"""Retrieval measures of a ranking, from the ranks of its gold, by ir-measures.

Every measure is defined here once: for a single ranking, a run, and a paired comparison. A gold id
counts as one item, whether it names a passage or a document.
"""

from collections.abc import Iterator, Mapping, Sequence

import ir_measures
from ir_measures import AP, RR, Measure, Qrel, R, ScoredDoc, Success, nDCG

Ranks = Mapping[str, int | None]
"""The rank of each gold id of a question, from 1; None where it was not retrieved."""

CUTOFFS = (2, 5, 10, 20)
ALL_AT = 20


_UNCUT: Mapping[str, Measure] = {"nDCG@10": nDCG @ 10, "RR": RR, "AP": AP, "Success@5": Success @ 5}
_ALL = f"all@{ALL_AT}"

MEASURES = (*(f"R@{k}" for k in CUTOFFS), *_UNCUT, _ALL)
"""Names, as in tables and files. Each is in [0, 1], and more is better.

`all@20` is 1 where every gold id has a rank of at most 20.
"""

Measured = tuple[float | None, ...]


def measured(
    rankings: Sequence[Ranks], grades: Sequence[Mapping[str, float]] | None = None
) -> list[Measured]:
    """Return the `MEASURES` of each ranking, in order; None for each without gold.

    Parameters
    ----------
    rankings : the ranks of the gold of each question.
    grades : of each question, the relevance of its gold ids, at least 1, which nDCG gains by;
        1 where none is given. All other measures count a gold id as retrieved or not.
    """
    found = _computed(_UNCUT, rankings, grades)
    for row, *recalls in zip(found, *(_recalls(rankings, k) for k in CUTOFFS), strict=True):
        if row:
            row |= {f"R@{k}": share for k, share in zip(CUTOFFS, recalls, strict=True)}
            row[_ALL] = float(row[f"R@{ALL_AT}"] == 1)
    return [tuple(row.get(name) for name in MEASURES) for row in found]


def by_name(rankings: Sequence[Ranks]) -> dict[str, list[float]]:
    """Return the values of each measure over the rankings that have gold, in order."""
    rows = measured([ranks for ranks in rankings if ranks])
    return {name: [row[n] or 0.0 for row in rows] for n, name in enumerate(MEASURES)}


def recall(ranks: Ranks, k: int | None = None) -> float | None:
    """Return R@k of one ranking, in [0, 1]; of the whole ranking without `k`.

    Parameters
    ----------
    ranks : as in `Ranks`; without gold there is no recall, and None is returned.
    """
    return _recalls([ranks], k)[0]


def _recalls(rankings: Sequence[Ranks], k: int | None) -> list[float | None]:
    """Return R@k of each ranking.

    The rankings are cut at `k` here, because several gold ids may share a passage and thereby a
    rank, while ir-measures counts one item a rank.
    """
    cut = [
        {name: rank if rank and (k is None or rank <= k) else None for name, rank in ranks.items()}
        for ranks in rankings
    ]
    everything = R @ max((len(ranks) + _depth(ranks) for ranks in cut), default=1)
    return [row.get("R") for row in _computed({"R": everything}, cut)]


def _computed(
    measures: Mapping[str, Measure],
    rankings: Sequence[Ranks],
    grades: Sequence[Mapping[str, float]] | None = None,
) -> list[dict[str, float]]:
    """Return the value of each measure for each ranking; empty for one without gold."""
    found: list[dict[str, float]] = [{} for _ in rankings]
    judged = [(n, ranks) for n, ranks in enumerate(rankings) if ranks]
    if not judged:
        return found
    names = {measure: name for name, measure in measures.items()}
    qrels = [
        Qrel(str(n), _gold(name), _grade(grades[n], name) if grades else 1)
        for n, ranks in judged
        for name in ranks
    ]
    run = [
        ScoredDoc(str(n), item, -float(place))
        for n, ranks in judged
        for place, item in enumerate(_items(ranks))
    ]
    for each in ir_measures.iter_calc(list(names), qrels, run):
        found[int(each.query_id)][names[each.measure]] = float(each.value)
    return found


def _items(ranks: Ranks) -> Iterator[str]:
    """Yield the ranking, best first; what is not gold is an item that nobody judged."""
    gold: dict[int, list[str]] = {}
    for name, rank in ranks.items():
        if rank:
            gold.setdefault(rank, []).append(_gold(name))
    for rank in range(1, _depth(ranks) + 1):
        yield from gold.get(rank, [f"other {rank}"])


def _grade(grades: Mapping[str, float], name: str) -> int:
    """Return the grade of a gold id as a whole number of at least 1, as TREC's tools take it."""
    return max(1, round(grades.get(name, 1)))


def _depth(ranks: Ranks) -> int:
    return max((max(CUTOFFS), *(rank for rank in ranks.values() if rank)))


def _gold(name: str) -> str:
    return f"gold {name}"
