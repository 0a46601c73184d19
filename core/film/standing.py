"""The lists that stand beside every step: who waits, and what is ranked."""

from collections.abc import Set as AbstractSet

from core.film.cast import Cast
from core.film.data import BoardData, RowData
from core.film.scores import Bars, Tones, board, named, ranked
from core.playback import Frame
from core.playback.rounds import Round
from core.playback.wording import number

CUT_ROWS = 12
"""Rows below the cut-off line; the others are counted."""
NEXT, NEAR = 1, 4
"""The same where gold was lost below more than `NEAR` of them, which comes next."""
GAP = "…"


def queue(cast: Cast, now: Frame, whole: Round | None) -> BoardData:
    """Who waits, who joined and who left in this step, or in its round as a `whole`."""
    joined, left = (whole.new, whole.looked_at) if whole else (now.joined, now.left)
    gone: list[RowData] = [{**named(cast, node), "sign": "-"} for node in left]
    here = [_waiting(cast, node, node in joined) for node in now.queue]
    change = f" · {len(joined)} in, {len(left)} out" if joined or left else ""
    return board(
        "Queue",
        f"{len(now.queue)} waiting{change}",
        here + gone if whole else gone + here,
        empty="The queue is empty.",
    )


def _waiting(cast: Cast, node: str, new: bool) -> RowData:
    row = named(cast, node)
    return {**row, "sign": "+"} if new else row


def ranking(
    cast: Cast, now: Frame, known: Tones, lost: AbstractSet[str] = frozenset()
) -> BoardData:
    """All that is ranked so far, with the line where pruning would cut now; in the end down to the
    `lost` gold, wherever it stands.
    """
    rows = now.standings
    kept = sum(row.kept for row in rows)
    ended = now.ended and now.depth == 1
    below = [row for row in rows[kept + NEXT :] if ended and row.hit.passage_id in lost]
    far = below and below[-1].rank > kept + NEAR
    shown = [*rows[: kept + NEXT], *below] if far else rows[: kept + CUT_ROWS]
    bars = Bars.of((row.hit.parts for row in rows), known)
    listed: list[RowData] = []
    for place, row in enumerate(shown, start=1):
        if place > 1 and row.rank > shown[place - 2].rank + 1:
            listed.append({"text": GAP})
        made = ranked(cast, row.hit, bars)
        if row.rank != place:
            made["place"] = row.rank
        if row.visits:
            made["times"] = row.visits
        if not row.kept:
            made["faint"] = True
        listed.append(made)
    # Only the paper's Helpfulness (Eq. 2) counts visits.
    counted = now.asked is not None and now.asked.weight_of_visits > 0
    title = "Helpfulness" if counted else "Score"
    return board(
        f"{title} · search {_inner(now)}" if _inner(now) else title,
        _counted(now, kept, len(rows)) if rows else "",
        listed,
        bars,
        empty="" if rows else _empty(now),
        more=len(rows) - len(shown),
        cut=kept if rows else None,
        cut_text=_cut(now) if rows else "",
    )


def _counted(now: Frame, kept: int, ranked: int) -> str:
    """How many of those that are ranked are retrieved, or would be if it ended now."""
    if now.ended and now.depth == 1:
        return f"{kept} of {ranked} retrieved"
    if kept == ranked:
        return number(ranked, "passage")
    return f"{kept} of {ranked} above the line"


def _inner(now: Frame) -> str:
    """The id of the question of a search inside of the retrieval, if one is open."""
    return now.asked.id if now.asked and now.depth > 1 else ""


def _empty(now: Frame) -> str:
    if now.ended:
        return "No passage was found."
    if _inner(now):
        return f"Search {_inner(now)} has ranked nothing yet."
    # What a search has ranked is seen no more once it is over.
    over = len(now.questions) > 1
    return "Nothing is ranked in the result yet." if over else "Nothing is ranked yet."


def _cut(now: Frame) -> str:
    if now.cutoff is None:
        return "nothing was pruned" if now.ended else "nothing would be pruned now"
    what = "this search" if now.depth > 1 else "the result"
    return f"{what} {'ends' if now.ended else 'would end'} here: {now.cutoff:.3f}"
