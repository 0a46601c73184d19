"""Compare several rankings of one question: moved, unique and shared passages.

A ranking is a sequence of passage ids, best first; ranks count from 1.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

from core.evidence import parts_of

Ranking = Sequence[str]


def rank_moves(ranking: Ranking, base: Ranking) -> tuple[int | None, ...]:
    """Return, for each passage of `ranking`, how many ranks it is above its rank in `base`.

    Negative is lower, 0 the same place, None not in `base` at all.
    """
    before = _ranks(base)
    return tuple(
        before[passage] - rank if passage in before else None
        for passage, rank in _ranks(ranking).items()
    )


def found_by_one(rankings: Mapping[str, Ranking]) -> dict[str, str]:
    """Return the passages in only one of the rankings, with the key of that ranking."""
    finders: dict[str, list[str]] = {}
    for key, ranking in rankings.items():
        for passage in ranking:
            finders.setdefault(passage, []).append(key)
    return {passage: keys[0] for passage, keys in finders.items() if len(keys) == 1}


def overlap(rankings: Mapping[str, Ranking], k: int) -> dict[tuple[str, str], int]:
    """Count the passages that each pair of rankings shares in its first `k`."""
    first = {key: set(ranking[:k]) for key, ranking in rankings.items()}
    return {(a, b): len(first[a] & first[b]) for a, b in combinations(first, 2)}


def gold_ranks(
    ranking: Ranking | Mapping[str, int],
    gold: Collection[str],
    passages_by_gold: Mapping[str, Sequence[str]],
) -> dict[str, int | None]:
    """Return the rank of each gold id in `ranking`, or None.

    Parameters
    ----------
    ranking : passage ids, best first, or their ranks.
    gold : ids of evidence, passages or documents, counted as `distinct_gold` does. One that several
        passages hold has the rank of the best of them; evidence that is split across passages that
        of the worst of its parts.
    passages_by_gold : the passages of each gold id.
    """
    ranks = ranking if isinstance(ranking, Mapping) else _ranks(ranking)

    def best_rank(gold_id: str) -> int | None:
        """Return the worst rank among the parts of a gold id, each by its best passage, or None."""
        if gold_id in ranks:
            return ranks[gold_id]
        ranks_of_parts = [
            min((ranks[p] for p in part if p in ranks), default=None)
            for part in parts_of(gold_id, passages_by_gold)
        ]
        return (
            max((rank for rank in ranks_of_parts if rank), default=None)
            if all(ranks_of_parts)
            else None
        )

    return {gold_id: best_rank(gold_id) for gold_id in distinct_gold(gold, passages_by_gold)}


def distinct_gold(
    gold: Collection[str], document_passages: Mapping[str, Sequence[str]]
) -> tuple[str, ...]:
    """Return each gold id once, without documents that also have a gold passage."""
    wanted = dict.fromkeys(gold)

    def told_by_passage(gold_id: str) -> bool:
        return any(p != gold_id and p in wanted for p in document_passages.get(gold_id, ()))

    return tuple(gold_id for gold_id in wanted if not told_by_passage(gold_id))


def _ranks(ranking: Ranking) -> dict[str, int]:
    return {passage: rank for rank, passage in enumerate(ranking, 1)}
