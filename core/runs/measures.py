"""The measures of a row: ir-measures over the gold ids, each with the rank it was kept at."""

from collections.abc import Iterator, Sequence

import ir_measures
from ir_measures import AP, RR, Qrel, R, ScoredDoc, Success, nDCG

from core.evaluate.measures import ALL_AT, CUTOFFS
from core.runs.run import Row

_ASKED = {
    **{f"R@{k}": R @ k for k in CUTOFFS},
    "nDCG@10": nDCG @ 10,
    "RR": RR,
    "AP": AP,
    "Success@5": Success @ 5,
}
_ALL = f"all@{ALL_AT}"

MEASURES = (*_ASKED, _ALL)
"""By name; each is in [0, 1], and more is better. `all@20` is 1 where all gold is in the first 20.

nDCG gains by the grade of a gold id, which is 1 where its file gives none; all other measures count
a gold id as found or not. A gold id counts as one thing whether it names a passage or a document,
as everywhere here.
"""

Measured = tuple[float | None, ...]


def measured(rows: Sequence[Row]) -> list[Measured]:
    """Of each row its `MEASURES`; None for each where the question has no gold."""
    judged = [number for number, row in enumerate(rows) if row.ranks]
    found: list[dict[str, float]] = [{} for _ in rows]
    if judged:
        wanted = [
            Qrel(str(n), _gold(name), _grade(rows[n], name))
            for n in judged
            for name in rows[n].ranks
        ]
        ranked = [
            ScoredDoc(str(n), name, -float(rank))
            for n in judged
            for name, rank in _ranking(rows[n])
        ]
        for each in ir_measures.iter_calc(list(_ASKED.values()), wanted, ranked):
            found[int(each.query_id)][str(each.measure)] = float(each.value)
    for number in judged:
        ranks = rows[number].ranks.values()
        found[number][_ALL] = float(all(rank and rank <= ALL_AT for rank in ranks))
    return [tuple(values.get(name) for name in MEASURES) for values in found]


def _ranking(row: Row) -> Iterator[tuple[str, int]]:
    """What stands at each rank; one that holds no gold is filled with what nobody wants."""
    gold = {rank: name for name, rank in row.ranks.items() if rank}
    last = max((len(row.hits), max(CUTOFFS), *gold))
    for rank in range(1, last + 1):
        yield (_gold(gold[rank]) if rank in gold else f"other {rank}"), rank


def _grade(row: Row, name: str) -> int:
    """The grade of a gold id, a whole number of at least 1 as TREC's tools take it."""
    return max(1, round(row.question.grades.get(name, 1)))


def _gold(name: str) -> str:
    return f"gold {name}"
