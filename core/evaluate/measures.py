"""What is measured: recall by ir-measures, seconds and judgements."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import ir_measures
import numpy as np
from ir_measures import Qrel, R, ScoredDoc

from core.types import Query

CUTOFFS = (2, 5, 10, 20)
ALL_AT = 20


@dataclass(frozen=True, slots=True)
class Row:
    """One question by one retriever.

    `ranks` has for each gold id the rank it was found at, from 1, or None. `hits` are passage ids,
    best first. `seconds` include `embed_seconds`, the embedding of the question. `judgements`
    counts the vertices at which an edge was on offer.
    """

    retriever: str
    question: Query
    hits: tuple[str, ...]
    ranks: Mapping[str, int | None]
    seconds: float
    embed_seconds: float
    judgements: int


@dataclass(frozen=True, slots=True)
class Measures:
    """Means and percentiles of rows.

    `n` counts the questions with gold, which alone are in `recall` (by k) and `all_at_20`, the
    share that have all their gold in the first 20; percent, None when n is 0. Seconds and
    judgements are of all questions.
    """

    n: int
    recall: Mapping[int, float | None]
    all_at_20: float | None
    seconds_p50: float
    seconds_p95: float
    embed_seconds_p50: float
    judgements: float

    def to_dict(self) -> dict[str, float | None]:
        return {
            "n": self.n,
            **{f"R@{k}": value for k, value in self.recall.items()},
            f"all@{ALL_AT}": self.all_at_20,
            "seconds_p50": self.seconds_p50,
            "seconds_p95": self.seconds_p95,
            "embed_seconds_p50": self.embed_seconds_p50,
            "judgements": self.judgements,
        }


@dataclass(frozen=True, slots=True)
class Report:
    """All rows. `unknown_gold` are the gold ids that the index does not have: never found."""

    keys: tuple[str, ...]
    rows: tuple[Row, ...]
    unknown_gold: tuple[str, ...]

    @property
    def datasets(self) -> list[str]:
        """Names of the data sets, in the order in which they first come."""
        names = dict.fromkeys(row.question.dataset for row in self.rows)
        return [name for name in names if name]

    def of(self, key: str, dataset: str | None = None) -> list[Row]:
        """Rows of one retriever, over all questions or those of a data set."""
        return [
            row
            for row in self.rows
            if row.retriever == key and dataset in (None, row.question.dataset)
        ]

    def measures(self, key: str, dataset: str | None = None) -> Measures:
        """Of one retriever, over all questions or those of a data set."""
        return measure(self.of(key, dataset))

    def to_json(self) -> dict[str, Any]:
        """`{"retrievers": {KEY: {"all": {...}, "by_dataset": {NAME: {...}}}}}`."""
        return {
            "retrievers": {
                key: {
                    "all": self.measures(key).to_dict(),
                    "by_dataset": {
                        name: self.measures(key, name).to_dict() for name in self.datasets
                    },
                }
                for key in self.keys
            }
        }


def measure(rows: Sequence[Row]) -> Measures:
    """The measures of one retriever over `rows`, of which there is at least one."""
    judged = [row for row in rows if row.ranks]
    seconds = [row.seconds for row in rows]
    complete = [all(rank and rank <= ALL_AT for rank in row.ranks.values()) for row in judged]
    return Measures(
        n=len(judged),
        recall=_recall(judged),
        all_at_20=100 * fmean(complete) if judged else None,
        seconds_p50=float(np.percentile(seconds, 50)),
        seconds_p95=float(np.percentile(seconds, 95)),
        embed_seconds_p50=float(np.percentile([row.embed_seconds for row in rows], 50)),
        judgements=fmean(row.judgements for row in rows),
    )


def _recall(rows: Sequence[Row]) -> dict[int, float | None]:
    """R@k in percent; a rank that found no gold is filled with a document that nobody wants."""
    if not rows:
        return dict.fromkeys(CUTOFFS)
    wanted = [
        Qrel(str(number), f"gold {name}", 1)
        for number, row in enumerate(rows)
        for name in row.ranks
    ]
    found = [
        ScoredDoc(str(number), name, -float(rank))
        for number, row in enumerate(rows)
        for name, rank in _ranking(row)
    ]
    means = ir_measures.calc_aggregate([R @ k for k in CUTOFFS], wanted, found)
    return {k: 100 * float(means[R @ k]) for k in CUTOFFS}


def _ranking(row: Row) -> Iterable[tuple[str, int]]:
    last = max(CUTOFFS)
    ranks = {rank: name for name, rank in row.ranks.items() if rank}
    for rank in range(1, last + 1):
        yield (f"gold {ranks[rank]}" if rank in ranks else f"other {rank}"), rank
