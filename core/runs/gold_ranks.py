"""The fate of gold in a ranking without steps, as of an imported run."""

from collections.abc import Collection, Mapping, Sequence

from core.funnel.data import Fate
from core.measures import ALL_AT, Ranks

TOP_K = ALL_AT
"""How many passages count as retrieved of a ranking that does not say how many it keeps."""


def ranked_fates(
    ranks: Ranks,
    hits: Sequence[str],
    absent: Collection[str],
    passages_by_gold: Mapping[str, Sequence[str]] | None = None,
) -> tuple[Fate, ...]:
    """Return the fate of each gold id, in the order of `ranks`.

    Parameters
    ----------
    hits : the ranking, ids of passages.
    absent : the gold ids that the index does not hold.
    passages_by_gold : the passages of each gold id; without it an id stands for itself.
    """
    return tuple(
        _fate(
            gold,
            rank,
            hits,
            (passages_by_gold or {}).get(gold) or (gold,),
            is_absent=gold in absent,
        )
        for gold, rank in ranks.items()
    )


def _fate(
    gold: str, rank: int | None, hits: Sequence[str], passages: Sequence[str], *, is_absent: bool
) -> Fate:
    """Return the fate of a gold id at `rank`, counted from 1; None if it is not ranked.

    `passages` of the index stand for the gold id; `is_absent` if there are none.
    """
    if rank:
        stage = "kept" if rank <= TOP_K else "cut"
        # A rank may be read from a file whose hits are cut short.
        passage = hits[rank - 1] if rank <= len(hits) else passages[0]
        return Fate(gold, passage, stage, rank=rank, k=TOP_K)  # type: ignore[arg-type]
    return Fate(gold, "", "absent") if is_absent else Fate(gold, passages[0], "unranked")
