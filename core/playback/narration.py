"""Where a player stops, what its slider says, and one plain sentence a step.

Sentences hold titles and questions of the corpus as they are: show them as text, never as HTML
or markdown.
"""

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Literal

from core.playback.fold import Visit, frame
from core.steps import Asked, HopBegan, Judged, Offer, Ranked, Seeded, Step

Grain = Literal["hop", "event"]

QUOTE = 72
"""Characters of a question that a sentence quotes."""
SPELLED_OUT = 2
"""Edges followed at one passage of which each has its own part of the sentence."""

_ENTRIES = {
    "edge": "as the ends of the edges most similar to the question",
    "node": "as the passages most similar to the question",
    "hybrid": "as the passages that BM25 and similarity together rank first",
}


def stops(steps: Sequence[Step], grain: Grain) -> list[int]:
    """The values of t at which a player stops, ascending; the last is `len(steps)`.

    By `event` that is every step, but of several passages in a row that leave the queue without
    a look at an edge only the last. By `hop`: the question, the seeds, the end of each round (just
    before the next round or the result) and the result.
    """
    last = len(steps)
    if grain == "event":
        return [
            t for t in range(1, last + 1) if t == last or not all(map(_idle, steps[t - 1 : t + 1]))
        ]
    return [t for t in range(1, last) if isinstance(steps[t], Seeded | HopBegan | Ranked)] + (
        [last] if last else []
    )


def _idle(step: Step) -> bool:
    return isinstance(step, Judged) and not step.offers


def labels(steps: Sequence[Step]) -> list[tuple[int, int, str]]:
    """(t, hop, short label) of each step, for a slider; the n-th vertex of hop 2 is `2.n`."""
    rows: list[tuple[int, int, str]] = []
    hop = place = 0
    for t, step in enumerate(steps, start=1):
        match step:
            case Asked():
                label = "Question"
            case Seeded():
                label = "Seeds"
            case HopBegan():
                hop, place = step.hop, 0
                label = f"Hop {hop}"
            case Judged():
                place += 1
                label = f"{hop}.{place}"
            case Ranked():
                label = "Result"
        rows.append((t, hop, label))
    return rows


def sentence(steps: Sequence[Step], t: int, title: Callable[[str], str]) -> str:
    """What happened in step `t`, in plain text. `title` names a passage by its id.

    Raises
    ------
    IndexError : when `t` is not from 0 to `len(steps)`.
    """
    now = frame(steps, t)
    match now.step:
        case None:
            return "Nothing has happened yet."
        case Asked():
            return _asked(now.step)
        case Seeded():
            return _seeded(now.step)
        case HopBegan():
            waiting = _number(len(now.queue), "passage waits", "passages wait")
            return f"Hop {now.hop} begins: {waiting} in the queue."
        case Judged() if _idle(now.step):
            row = len(list(takewhile(_idle, reversed(steps[:t]))))
            return _left(now.step, row, title)
        case Judged():
            return _judged(now.step, now.arrivals, title)
        case Ranked():
            return _ranked(now.step, title, walked=bool(now.counter))


def _asked(step: Asked) -> str:
    words = f" Its keywords: {', '.join(step.keywords)}." if step.keywords else ""
    return f"The question is asked: '{step.query}'.{words}"


def _seeded(step: Seeded) -> str:
    if not step.seeds:
        return "No passage was found to start from."
    start = _number(len(step.seeds), "passage starts", "passages start")
    how = _ENTRIES.get(step.entry)
    return f"{start} the queue, found {how}." if how else f"{start} the queue."


def _left(step: Judged, row: int, title: Callable[[str], str]) -> str:
    """A passage that left the queue as the last of `row` of which no edge was looked at."""
    name = f"'{title(step.vertex)}'"
    who = f"{name} leaves" if row == 1 else f"{row} passages leave"
    last = "" if row == 1 else f" The last is {name}."
    return f"Hop {step.hop}: {who} the queue.{last} {step.reason}".rstrip()


def _judged(step: Judged, visits: Sequence[Visit], title: Callable[[str], str]) -> str:
    at = f"Hop {step.hop}: at '{title(step.vertex)}'"
    considered = max(step.considered, len(step.offers))
    if not step.chosen:
        edges = _number(considered, "edge", "edges")
        return _with_fallback(f"{at} none of {edges} is taken.", step.fallback)
    offers = {offer.edge_id: offer for offer in step.offers}
    taken = [offers[edge_id] for edge_id in step.chosen]
    if len(taken) > SPELLED_OUT:
        return _with_fallback(f"{at} {_many(taken, considered, visits, title)}.", step.fallback)
    each = "; ".join(_one(o, visit, title) for o, visit in zip(taken, visits, strict=True))
    return _with_fallback(f"{at} {each}.", step.fallback)


def _one(offer: Offer, visit: Visit, title: Callable[[str], str]) -> str:
    """An edge that was followed, and where it led."""
    name = f"'{title(visit.passage_id)}'"
    came = f"{name} joins the queue" if visit.new else f"{name} has now {visit.count} visits"
    backwards = " backwards" if offer.backwards else ""
    brought = f" for {', '.join(offer.covers)}" if offer.covers else ""
    return f"the edge '{_crop(offer.question)}' is taken{backwards}{brought}; {came}"


def _many(
    taken: Sequence[Offer], considered: int, visits: Sequence[Visit], title: Callable[[str], str]
) -> str:
    """Many edges that were followed at once, by where they led."""
    words = dict.fromkeys(word for offer in taken for word in offer.covers)
    brought = f" for {', '.join(words)}" if words else ""
    text = f"{len(taken)} of {considered} edges are taken{brought}"
    new = [f"'{title(visit.passage_id)}'" for visit in visits if visit.new]
    seen = [f"'{title(visit.passage_id)}'" for visit in visits if not visit.new]
    if new:
        text += f"; {', '.join(new)} {'joins' if len(new) == 1 else 'join'} the queue"
    if seen:
        text += f"; {', '.join(seen)} {'is' if len(seen) == 1 else 'are'} visited again"
    return text


def _crop(question: str) -> str:
    """A question may be as long as a passage."""
    return question if len(question) <= QUOTE else f"{question[: QUOTE - 1].rstrip()}…"


def _ranked(step: Ranked, title: Callable[[str], str], *, walked: bool) -> str:
    if not step.hits:
        return "The end: no passage was found."
    first = f"'{title(step.hits[0].passage_id)}' ranks first"
    if walked:
        visited = _number(len(step.hits) + len(step.pruned), "visited passage", "visited passages")
        text = f"The end: {len(step.hits)} kept of {visited}, {len(step.pruned)} pruned"
    else:
        text = f"{_number(len(step.hits), 'passage is', 'passages are')} found"
    return _with_fallback(f"{text}; {first}.", step.fallback)


def _with_fallback(text: str, fallback: str) -> str:
    return f"{text} Fallback: {fallback}" if fallback else text


def _number(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
