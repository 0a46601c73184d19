"""Where a player stops, what its slider says, and one plain sentence a step.

Sentences hold titles and questions of the corpus as they are: show them as text, never as HTML
or markdown.
"""

from collections.abc import Callable, Sequence
from typing import Literal

from core.playback.fold import Visit, frame
from core.steps import Asked, HopBegan, Judged, Ranked, Seeded, Step

Grain = Literal["hop", "event"]

QUOTE = 72
"""Characters of a question that a sentence quotes."""

_ENTRIES = {
    "edge": "as the ends of the edges most similar to the question",
    "node": "as the passages most similar to the question",
    "hybrid": "as the passages that BM25 and similarity together rank first",
}


def stops(steps: Sequence[Step], grain: Grain) -> list[int]:
    """The values of t at which a player stops, ascending; the last is `len(steps)`.

    By `event` that is every step. By `hop`: the question, the seeds, the end of each round (just
    before the next round or the result) and the result.
    """
    last = len(steps)
    if grain == "event":
        return list(range(1, last + 1))
    return [t for t in range(1, last) if isinstance(steps[t], Seeded | HopBegan | Ranked)] + (
        [last] if last else []
    )


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


def _judged(step: Judged, visits: Sequence[Visit], title: Callable[[str], str]) -> str:
    at = f"Hop {step.hop}: at '{title(step.vertex)}'"
    if not step.offers:
        return f"{at} there is no edge to follow."
    if not step.chosen:
        edges = _number(max(step.considered, len(step.offers)), "edge", "edges")
        return _with_fallback(f"{at} none of {edges} is taken.", step.fallback)
    offers = {offer.edge_id: offer for offer in step.offers}
    taken = [
        f"the edge '{_crop(offers[edge_id].question)}' is taken"
        f"{' backwards' if offers[edge_id].backwards else ''}; {_arrives(visit, title)}"
        for edge_id, visit in zip(step.chosen, visits, strict=True)
    ]
    return _with_fallback(f"{at} {'; '.join(taken)}.", step.fallback)


def _crop(question: str) -> str:
    """Three edges can be followed at once, and their questions may be as long as a passage."""
    return question if len(question) <= QUOTE else f"{question[: QUOTE - 1].rstrip()}…"


def _arrives(visit: Visit, title: Callable[[str], str]) -> str:
    name = f"'{title(visit.passage_id)}'"
    return f"{name} joins the queue" if visit.new else f"{name} has now {visit.count} visits"


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
