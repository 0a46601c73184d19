"""Retrieval measures of a ranking, from the ranks of its gold, by ir-measures.

Every measure is defined here once: for a single ranking, a run, and a paired comparison. A gold id
counts as one item, whether it names evidence, a passage or a document.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

import ir_measures
from ir_measures import AP, RR, Measure, P, Qrel, R, ScoredDoc, Success, nDCG

Ranks = Mapping[str, int | None]
"""The rank of each gold id of a question, from 1; None where it was not retrieved."""

Lengths = Sequence[int]
"""Tokens of the passages of a ranking, best first: of all, or of more than the first
`MOST_TOKENS`."""

CUTOFFS = (2, 5, 10, 20)
ALL_AT = 20
BUDGETS = (1000, 2000)
MOST_TOKENS = max(BUDGETS)
"""Tokens of a ranking behind which no passage's length is asked for."""


_UNCUT: Mapping[str, Measure] = {"nDCG@10": nDCG @ 10, "RR": RR, "AP": AP, "Success@5": Success @ 5}
_HITS: Mapping[str, Measure] = {f"Hits@{k}": Success @ k for k in (4, 10)}
_AT_10: Mapping[str, Measure] = {"RR@10": RR, "AP@10": AP}
_PRECISION: Mapping[str, Measure] = {f"P@{k}": P @ k for k in CUTOFFS}
_TOKENS: Mapping[int, str] = {budget: f"R@{budget} tokens" for budget in BUDGETS}

STORED = (*(f"R@{k}" for k in CUTOFFS), *_UNCUT, f"all@{ALL_AT}")
"""The measures that every file of runs has a column for."""

MEASURES = (
    *STORED,
    *(f"all@{k}" for k in CUTOFFS if k != ALL_AT),
    *_PRECISION,
    *(f"F1@{k}" for k in CUTOFFS),
    *(*_HITS, *_AT_10, *_TOKENS.values()),
)
"""Names, as in tables and files. Each is in [0, 1], and more is better.

R@k and `R@1000 tokens` : the share of gold ids among the first k passages, or among those whose
    texts have at most so many tokens together.
all@k : 1 where every gold id has a rank of at most k.
P@k : gold passages among the first k, divided by k.
F1@k : the harmonic mean of P@k and R@k (HopRAG, arXiv 2502.12442, Tables 3 to 8).
Hits@k : 1 where any gold id has a rank of at most k (MultiHop-RAG, arXiv 2401.15391).
AP@10, RR@10 : of the first 10 passages; their means are MAP@10 and MRR@10.
"""

TOKENS = tuple(_TOKENS.values())
"""Recall within a budget of tokens, which passages are read by in the order of their ranks."""

USUAL = (*(f"R@{k}" for k in CUTOFFS), f"all@{ALL_AT}", "nDCG@10", "RR", "AP")
"""The measures that are shown first."""

MEANINGS: Mapping[str, str] = {
    "R": "Share of the gold that is retrieved",
    "all": "Questions with all gold retrieved",
    "nDCG": "Gain of gold by grade and rank, divided by the best possible",
    "RR": "1 / rank of the first gold; the mean is MRR",
    "AP": "Mean precision at the ranks of gold; the mean is MAP",
    "P": "Share of the top k passages that are gold",
    "F1": "Harmonic mean of P@k and R@k",
    "Hits": "Questions with any gold in the top k",
    "Success": "Questions with any gold in the top k",
}
"""What a measure tells, in a few words, by its name without the cut-off."""

Measured = tuple[float | None, ...]


def cut_off(measure: str) -> int:
    """Return the rank below which a measure ignores passages; 0 if it has none.

    >>> cut_off("R@20"), cut_off("nDCG@10"), cut_off("AP"), cut_off("R@1000 tokens")
    (20, 10, 0, 0)
    """
    after = measure.partition("@")[2]
    return int(after) if after.isdigit() else 0


def meaning(measure: str) -> str:
    """Return the meaning of a measure in a few words.

    >>> meaning("Hits@4"), meaning("R@1000 tokens")
    ('Questions with any gold in the top k', 'Share of the gold in the first 1,000 tokens')
    """
    name, _, cut = measure.partition("@")
    if cut.endswith(" tokens"):
        return f"Share of the gold in the first {int(cut.removesuffix(' tokens')):,} tokens"
    return MEANINGS[name]


def measured(
    rankings: Sequence[Ranks],
    grades: Sequence[Mapping[str, float]] | None = None,
    lengths: Sequence[Lengths | None] | None = None,
) -> list[Measured]:
    """Return the `MEASURES` of each ranking, in order; None for each without gold.

    Parameters
    ----------
    rankings : the ranks of the gold of each question.
    grades : of each question, the relevance of its gold ids, at least 1, which nDCG gains by;
        1 where none is given. All other measures count a gold id as retrieved or not.
    lengths : of each ranking, the tokens of its passages; recall within a token budget is None
        where they are not known.
    """
    rows = _computed({**_UNCUT, **_HITS}, rankings, grades)
    recalls = {k: _recalls(rankings, k) for k in CUTOFFS}
    at_10 = _computed(_AT_10, [_cut(ranks, 10) for ranks in rankings])
    precise = _precisions(rankings)
    for n, row in enumerate(rows):
        if not row:
            continue
        row |= {**at_10[n], **precise[n]}
        for k in CUTOFFS:
            share = recalls[k][n] or 0.0
            both = row[f"P@{k}"] + share
            row[f"R@{k}"], row[f"all@{k}"] = share, float(share == 1)
            row[f"F1@{k}"] = 2 * row[f"P@{k}"] * share / both if both else 0.0
    if lengths:
        for budget, name in _TOKENS.items():
            for row, known in zip(rows, _within(rankings, lengths, budget), strict=True):
                row |= {} if known is None else {name: known}
    return [tuple(row.get(name) for name in MEASURES) for row in rows]


def by_name(
    rankings: Sequence[Ranks],
    grades: Sequence[Mapping[str, float]] | None = None,
    lengths: Sequence[Lengths | None] | None = None,
) -> dict[str, list[float]]:
    """Return the values of each measure over the rankings of which it is known, in order.

    Parameters
    ----------
    grades, lengths : as for `measured`.
    """
    rows = measured(rankings, grades, lengths)
    return {
        name: [value for row in rows if (value := row[n]) is not None]
        for n, name in enumerate(MEASURES)
    }


def recall(ranks: Ranks, k: int | None = None) -> float | None:
    """Return R@k of one ranking, in [0, 1]; of the whole ranking without `k`.

    Parameters
    ----------
    ranks : as in `Ranks`; without gold there is no recall, and None is returned.
    """
    return _recalls([ranks], k)[0]


def _recalls(rankings: Sequence[Ranks], k: int | None) -> list[float | None]:
    """Return R@k of each ranking."""
    return _recalls_of([_cut(ranks, k) for ranks in rankings])


def _cut(ranks: Ranks, k: int | None) -> Ranks:
    """Return `ranks` without those below the first k.

    They are cut here, because several gold ids may share a passage and thereby a rank, while
    ir-measures counts one item a rank.
    """
    return {
        name: rank if rank and (k is None or rank <= k) else None for name, rank in ranks.items()
    }


def _recalls_of(cut: Sequence[Ranks]) -> list[float | None]:
    everything = R @ max((len(ranks) + _depth(ranks) for ranks in cut), default=1)
    return [row.get("R") for row in _computed({"R": everything}, cut)]


def fitting(lengths: Lengths, budget: int) -> int:
    """Return how many passages, best first, have at most `budget` tokens together."""
    return sum(total <= budget for total in accumulate(lengths))


def _within(
    rankings: Sequence[Ranks], lengths: Sequence[Lengths | None], budget: int
) -> list[float | None]:
    """Return the recall of the first passages that have at most `budget` tokens together."""
    cut = [
        _cut(ranks, fitting(tokens or (), budget))
        for ranks, tokens in zip(rankings, lengths, strict=True)
    ]
    recalls = zip(_recalls_of(cut), lengths, strict=True)
    return [None if tokens is None else share for share, tokens in recalls]


def _precisions(rankings: Sequence[Ranks]) -> list[dict[str, float]]:
    """Return P@k of each ranking: gold ids that share a passage are one gold passage."""
    # ir-measures leaves out a question of which nothing is gold, hence one that nobody finds.
    passages = [
        {**{str(rank): rank for rank in ranks.values() if rank}, "none": None} if ranks else {}
        for ranks in rankings
    ]
    return _computed(_PRECISION, passages)


def _computed(
    measures: Mapping[str, Measure],
    rankings: Sequence[Ranks],
    grades: Sequence[Mapping[str, float]] | None = None,
) -> list[dict[str, float]]:
    """Return the value of each measure for each ranking; empty for one without gold."""
    by_query: list[dict[str, float]] = [{} for _ in rankings]
    judged = [(n, ranks) for n, ranks in enumerate(rankings) if ranks]
    if not judged:
        return by_query
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
        by_query[int(each.query_id)][names[each.measure]] = float(each.value)
    return by_query


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
