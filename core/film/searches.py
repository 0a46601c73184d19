"""What each search within a retrieval found: its first passage, and where gold stands in it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.film.cast import Cast
from core.film.stars import star_sign
from core.funnel.brackets import Bracket, outermost, within
from core.funnel.lists import Lists
from core.playback.wording import TITLE, cropped
from core.steps import ROOT, Asked, Ranked, Step


@dataclass(frozen=True, slots=True)
class Finding:
    """What the search that was asked at a step found; it is known from the step `t` on."""

    t: int
    told: str


def findings(
    steps: Sequence[Step], cast: Cast, gold: Sequence[str], lists: Lists | None, places: int
) -> dict[int, Finding]:
    """By the step that asked; nothing of the question itself, whose ranking stands beside it.

    Parameters
    ----------
    gold : ids of passages.
    lists : rank what a search does not list.
    places : decimals of a score.
    """
    brackets = {one.asked.id: one for one in within(outermost(steps))}
    return {
        began: Finding(ended, " · ".join(_told(brackets[asked.id], cast, gold, lists, places)))
        for began, ended, asked in _searches(steps)
        if asked.id != ROOT
    }


def _searches(steps: Sequence[Step]) -> Iterator[tuple[int, int, Asked]]:
    """Where each begins and ends."""
    waiting: list[tuple[int, Asked]] = []
    for t, step in enumerate(steps, start=1):
        if isinstance(step, Asked):
            waiting.append((t, step))
        elif isinstance(step, Ranked) and waiting:
            began, asked = waiting.pop()
            yield began, t, asked


def _told(
    search: Bracket, cast: Cast, gold: Sequence[str], lists: Lists | None, places: int
) -> Iterator[str]:
    hits = search.end.hits
    if not hits:
        yield "It finds nothing"
        return
    yield f"First: '{_title(cast, hits[0].passage_id)}' {hits[0].score:.{places}f}"
    ranks = _places(search)
    for one in gold:
        rank, score = ranks.get(one) or _beyond(search, one, lists) or (0, 0.0)
        where = f"rank {rank:,} ({score:.{places}f})" if rank else "not in its list"
        below = f", below its top {len(hits):,}" if rank > len(hits) else ""
        yield f"{star_sign(cast.gold.get(one, ''))} {_title(cast, one)}: {where}{below}"


def _places(search: Bracket) -> Mapping[str, tuple[int, float]]:
    ranked = (*search.end.hits, *search.end.pruned)
    return {hit.passage_id: (rank, hit.score) for rank, hit in enumerate(ranked, start=1)}


def _beyond(search: Bracket, passage: str, lists: Lists | None) -> tuple[int, float] | None:
    """Its place in the whole ranking of a search that ranks all passages."""
    whole = lists.whole(search.asked) if lists and search.ranks_everything else None
    if whole is None or passage not in whole.rank:
        return None
    rank = whole.rank[passage]
    return rank, whole.scores[rank - 1]


def _title(cast: Cast, passage: str) -> str:
    return cropped(cast.title(passage), TITLE)
