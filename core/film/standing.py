"""The lists that stand beside every step: who waits, and what is ranked."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import MappingProxyType

from core.film.cast import Cast
from core.film.data import BoardData, RowData
from core.film.scores import BY_RANK, Bars, Tones, board, measured, named, ranked
from core.funnel.data import Fate
from core.playback import Frame
from core.playback.fold import Standing
from core.playback.rounds import Round
from core.playback.wording import number
from core.text.scores import FEWEST

CUT_ROWS = 12
"""Rows below the cut-off line; the others are counted."""
NEXT, NEAR = 1, 4
"""The same where gold was lost below more than `NEAR` of them, which comes next."""
GAP = "…"


def queue(cast: Cast, before: Frame, now: Frame, whole: Round | None) -> BoardData:
    """Who waits, who joined and who left since the stop `before`, or in the round as a `whole`."""
    joined, left = (whole.new, whole.looked_at) if whole else _changes(before, now)
    gone: list[RowData] = [{**named(cast, node), "sign": "-"} for node in left]
    here = [_waiting(cast, node, node in joined) for node in now.queue]
    if now.ended and now.depth == 1:
        note = f"{len(here)} left after {now.round}" if now.round else f"{len(here)} left"
        return board("Queue", note, here, empty="The queue is empty.")
    change = f" · {len(joined)} in, {len(left)} out" if joined or left else ""
    return board(
        "Queue",
        f"{len(now.queue)} waiting{change}",
        here + gone if whole else gone + here,
        empty="The queue is empty.",
    )


def _changes(before: Frame, now: Frame) -> tuple[Sequence[str], Sequence[str]]:
    """Who joined and who left; of several that leave in a row only the last is a stop."""
    if not (before.asked and now.asked and before.asked.id == now.asked.id):
        return now.joined, now.left
    joined = tuple(node for node in now.queue if node not in before.queue)
    return joined, tuple(node for node in before.queue if node not in now.queue)


def _waiting(cast: Cast, node: str, new: bool) -> RowData:
    row = named(cast, node)
    return {**row, "sign": "+"} if new else row


def ranking(
    cast: Cast,
    now: Frame,
    known: Tones,
    places: int = FEWEST,
    lost: AbstractSet[str] = frozenset(),
    fates: Mapping[str, Fate] = MappingProxyType({}),
) -> BoardData:
    """All that is ranked so far, with the line where pruning would cut now; in the end down to the
    `lost` gold, wherever it stands.

    Where a retriever lists no more than it keeps, the rank of gold below is known from its fate.
    """
    rows = now.standings
    kept = sum(row.kept for row in rows)
    ended = now.ended and now.depth == 1
    fates = fates if ended and rows else {}
    beyond, inside = _beyond(fates, len(rows)), _inside(cast, fates)
    below = [row for row in rows[kept + NEXT :] if ended and row.hit.passage_id in lost]
    far = max([*beyond, *(row.rank for row in below)], default=0) > kept + NEAR
    shown = [*rows[: kept + NEXT], *below] if far else rows[: kept + CUT_ROWS]
    bars = Bars.of((row.hit.parts for row in rows), known, places)
    made = {row.rank: _standing(cast, row, bars) for row in shown}
    made |= {rank: _known(cast, *one, bars) for rank, one in beyond.items()}
    all_ = max([len(rows), *(fate.of or 0 for _, fate in beyond.values())])
    # Only the paper's Helpfulness (Eq. 2) counts visits.
    counted = now.asked is not None and now.asked.weight_of_visits > 0
    measure = measured({row.hit.passage_id: row.hit.score for row in rows}, now)
    title = "Helpfulness" if counted else "Ranking"
    cut = _cut(now, bars, bool(beyond or inside), measure) if rows else ""
    return board(
        f"{title} · search {_inner(now)}" if _inner(now) else title,
        _counted(now, kept, all_) if rows else "",
        [*_placed(made), *inside],
        bars,
        empty="" if rows else _empty(now),
        more=max(0, all_ - len(made)),
        cut=kept if rows else None,
        cut_text=cut,
        measure=measure,
    )


def _beyond(fates: Mapping[str, Fate], listed: int) -> dict[int, tuple[str, Fate]]:
    """Lost gold by its rank in the result's own list, below all that is `listed` of it."""
    return {
        fate.rank: (name, fate)
        for name, fate in fates.items()
        if fate.stage == "cut" and not fate.search and fate.rank and fate.rank > listed
    }


def _inside(cast: Cast, fates: Mapping[str, Fate]) -> list[RowData]:
    """Lost gold that only a search within the retrieval has ranked; its score is another one."""
    return [
        {
            **named(cast, name),
            "place": 0,
            "note": f"rank {fate.rank:,} in search {fate.search}",
            "faint": True,
        }
        for name, fate in fates.items()
        if fate.stage == "cut" and fate.search and fate.rank
    ]


def _standing(cast: Cast, row: Standing, bars: Bars) -> RowData:
    made = ranked(cast, row.hit, bars)
    if row.visits:
        made["times"] = row.visits
    if not row.kept:
        made["faint"] = True
    return made


def _known(cast: Cast, name: str, fate: Fate, bars: Bars) -> RowData:
    """Gold that no list has; without a margin its score is not one of those above it."""
    made: RowData = {**named(cast, name), "faint": True}
    if fate.score is not None and fate.margin is not None:
        made["score"] = bars.score(fate.score)
    return made


def _placed(made: Mapping[int, RowData]) -> list[RowData]:
    """Rows by their ranks; where some are left out stands a gap."""
    listed: list[RowData] = []
    for place, rank in enumerate(sorted(made), start=1):
        if rank > place and rank - 1 not in made:
            listed.append({"text": GAP})
        listed.append({**made[rank], "place": rank} if rank != place else made[rank])
    return listed


def _counted(now: Frame, kept: int, ranked: int) -> str:
    """How many of those that are ranked are retrieved, or would be if it ended now."""
    if now.ended and now.depth == 1:
        return f"{kept} retrieved" if kept == ranked else f"{kept} of {ranked} retrieved"
    if kept == ranked:
        return number(ranked, "passage")
    return f"the best {kept} of {ranked}"


def _inner(now: Frame) -> str:
    """The id of the question of a search inside of the retrieval, if one is open."""
    return now.asked.id if now.asked and now.depth > 1 else ""


def _empty(now: Frame) -> str:
    if now.ended:
        return "No passage was retrieved."
    if _inner(now):
        return f"Search {_inner(now)} has ranked nothing yet."
    # What a search has ranked is seen no more once it is over.
    over = len(now.questions) > 1
    return "Nothing is ranked in the result yet." if over else "Nothing is ranked yet."


def _cut(now: Frame, bars: Bars, beyond: bool, measure: str) -> str:
    """What stands on the line, empty where nothing is cut; where gold stands below it, the list was
    cut before that. A score that is given for a rank tells nothing.
    """
    cutoff = now.standings[-1].hit.score if beyond and now.cutoff is None else now.cutoff
    if cutoff is None:
        return ""
    what = "this search" if now.depth > 1 else "the result"
    told = f"{what} {'ends' if now.ended else 'would end'} here"
    return told if measure == BY_RANK else f"{told}: {bars.score(cutoff)}"
