"""What the end of a film says of gold: first what was lost and how, then what was retrieved."""

from collections.abc import Sequence

from core.film.cast import Cast
from core.film.causes import Cause
from core.film.data import BoardData, RowData
from core.film.misses import Gold
from core.film.scores import board, named
from core.film.words import TEXT
from core.funnel.data import UNNAMED, Fate, sentences
from core.playback import Frame
from core.playback.wording import (
    TITLE,
    TWO_LINES,
    begun,
    by_hand,
    cropped,
    ended,
    number,
    series,
)
from core.steps import Said, Step
from core.text.shown import shortened

_FACT = 90  # characters of evidence

NAMED = 3
"""Lost passages that are called by their names; the others are counted."""
ROOM = 180
"""Characters that two lines of a stage hold; what is least of all is left out beyond that."""


def ending(gold: Sequence[Gold], last: Frame, stopped: str = "", held: int = 0) -> str:
    """The last sentences of a film in which something is gold; empty where nothing is.

    `stopped` is why it found no more, `held` how many passages its index has, 0 if it is closed.
    That and the size of the result are told where there is room.
    """
    if not gold:
        return ""
    ranks = _ranks(last)
    kept = sorted(
        (ranks[one.passage.id], _title(one))
        for one in gold
        if one.passage and one.passage.id in ranks
    )
    lost = [(_title(one), _how(one)) for one in gold if one.missing]
    # Of a document it is enough that one passage is kept: of the others nothing is missing.
    all_ = len(kept) + len(lost)
    hand = sum(one.marked == "hand" for one in gold)
    ranked = max(len(last.standings), _known(gold, len(last.standings)))
    size = _size(len(ranks), ranked, min(last.asked.top_k, held) if last.asked else 0)
    why = f"The search stopped: {stopped}." if stopped else ""
    first = _lost(lost, all_, hand) if lost else ""
    begins = f"{first} Retrieved" if lost else f"{begun(_share(len(kept), all_, hand))} retrieved"
    return _fitting(_with_places(begins, kept) if kept else first, size, why)


def _with_places(begins: str, kept: Sequence[tuple[int, str]]) -> str:
    """What `begins` so, with each title and its rank, or where that has no room the ranks alone."""
    named = series([f"{title} at rank {rank:,}" for rank, title in kept])
    if len(told := f"{begins}: {named}.") <= TWO_LINES:
        return told
    several = "s" if len(kept) > 1 else ""
    return f"{begins} at rank{several} {series([f'{rank:,}' for rank, _ in kept])}."


def _fitting(told: str, *more: str) -> str:
    """`told` with as many of `more`, in their order, as there is room for."""
    for one in filter(None, more):
        if len(told) + 1 + len(one) > ROOM:
            break
        told = f"{told} {one}"
    return told


def stopped(steps: Sequence[Step], last: Frame) -> str:
    """Why a retrieval has fewer passages than it may, or ended though some wait, if one of its
    voices said so.
    """
    full = not last.asked or len(last.hits) >= last.asked.top_k
    if not last.hits or (full and not last.queue):
        return ""
    said = [step.ends for step in steps if isinstance(step, Said) and step.ends]
    return said[-1] if said else ""


def lost_board(cast: Cast, gold: Sequence[Gold], causes: Sequence[Cause]) -> BoardData | None:
    """Each lost gold passage with how far it was missed and why; None where none was lost."""
    rows: list[RowData] = []
    for one, why in zip(gold, causes, strict=True):
        if not one.missing:
            continue
        row: RowData = named(cast, one.passage.id) if one.passage else {"note": one.name}
        told = [ended(text) for text in (one.missing, why.told) if text]
        row["text"] = cropped(" ".join(told), TEXT)
        if facts := cast.evidence.get(one.passage.id, ()) if one.passage else ():
            row["fact"] = shortened(" … ".join(fact.text for fact in facts), _FACT)
        if one.fate:
            row["brief"] = _brief(one.fate)
        rows.append(row)
    note = f"{len(rows)} of {number(len(gold), 'gold passage')}"
    return board("Gold lost", note, rows) if rows else None


def _brief(fate: Fate) -> str:
    """The same where there is little room."""
    return ended(sentences((fate.brief, UNNAMED if fate.unnamed else "")))


def _known(gold: Sequence[Gold], listed: int) -> int:
    """How many are ranked, by the fates of gold below all that is `listed`; 0 if none says it."""
    fates = (one.fate for one in gold if one.fate and not one.fate.search)
    return max((fate.of or 0 for fate in fates if fate.rank and fate.rank > listed), default=0)


def _ranks(last: Frame) -> dict[str, int]:
    return {row.hit.passage_id: row.rank for row in last.standings if row.kept}


def _size(kept: int, ranked: int, most: int) -> str:
    """Of how many ranked passages the result is; a list in which nothing was cut is all of it, and
    may be less than the `most` that it could be.
    """
    if not kept:
        return "The result is empty."
    if kept == ranked < most:
        return f"The result has {number(kept, 'passage')}, fewer than the {most:,} asked for."
    all_ = number(kept, "passage")
    return (
        f"The result has {all_ if kept == ranked else f'{kept:,} of {ranked:,} ranked passages'}."
    )


def _how(one: Gold) -> str:
    """In a few words."""
    return one.fate.brief if one.fate else one.missing


def _lost(lost: Sequence[tuple[str, str]], all_: int, hand: int) -> str:
    """How many of all gold are lost, or which one, and how."""
    if len(lost) == 1 < all_ and not hand:
        return f"Gold {lost[0][0]} is lost: {lost[0][1]}."
    return f"{begun(_share(len(lost), all_, hand))} lost: {_fates(lost)}."


def _share(some: int, all_: int, hand: int = 0) -> str:
    """How many of all gold; of that as many as `hand` were marked by a person."""
    by = by_hand(hand)
    if all_ == 1:
        return f"the gold passage{by} is"
    if some == all_:
        return f"{'both' if all_ == 2 else f'all {all_}'} gold passages{by} are"
    return f"{some} of {number(all_, 'gold passage')}{by} {'is' if some == 1 else 'are'}"


def _fates(lost: Sequence[tuple[str, str]]) -> str:
    """Titles, each with what became of it in brackets; what became of several is said once.

    What all of them share stands behind them: `'One' (rank 9), 'Two' (rank 12); each keeps 6`.
    """
    shown, shared = lost[:NAMED], ""
    rests = {how.partition("; ")[2] for _, how in lost}
    if len({how for _, how in lost}) > 1 and len(rests) == 1:
        (shared,) = rests
        shown = [(name, how.partition("; ")[0]) for name, how in shown]
    same: dict[str, list[str]] = {}
    for name, how in shown:
        same.setdefault(how, []).append(name)
    more = len(lost) - len(shown)
    each = [f"{_joined(names)} ({how})" for how, names in same.items()]
    if not more and len(each) > 1:
        each[-1] = f"and {each[-1]}"
    told = ", ".join(each)
    return told + (f", and {more} more" if more else "") + (f"; {shared}" if shared else "")


def _joined(names: Sequence[str]) -> str:
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last


def _title(one: Gold) -> str:
    return f"'{cropped(one.name, TITLE)}'"
