"""One plain sentence a step.

Sentences hold titles and questions of the corpus as they are: show them as text, never as HTML
or markdown.
"""

from collections.abc import Sequence
from itertools import takewhile

from core.playback.calling import Title, in_round, inside, kind_of, kinded, where
from core.playback.fold import Frame, frame
from core.playback.grains import idle
from core.playback.offers import entered, led, left, offered
from core.playback.voices import said
from core.playback.wording import (
    QUOTE,
    SPELLED_OUT,
    TWO_LINES,
    asked_of,
    begun,
    called,
    cropped,
    listed,
    number,
    stopped,
)
from core.steps import ROOT, Asked, Began, Offered, Pooled, Ranked, Said, Spread, Step
from core.text.scores import FEWEST

_ASKED = 120  # characters of a question
INSTEAD = "A rule replaces the model."
"""Of a fallback that has no room in a sentence; left out where this has none: the card says it."""
FAILED = "The model gave no usable reply, so a rule decides."
"""The same where a model was asked, which nothing else says."""


def sentence(steps: Sequence[Step], t: int, title: Title) -> str:
    """What happened in step `t`, in plain text. `title` names a node by its id.

    Raises
    ------
    IndexError : when `t` is not from 0 to `len(steps)`.
    """
    return told(steps, frame(steps, t), title)


def told(
    steps: Sequence[Step],
    now: Frame,
    title: Title,
    news: str = "",
    room: int = TWO_LINES,
    about: str = "",
    places: int = FEWEST,
) -> str:
    """The same of a frame of `steps` that is at hand, in `room` characters where it can be.

    `news` is what happens to gold there, which is told of what spreads. Of several lines that are
    followed the one that leads to the node `about` is told in full. A score has so many decimal
    `places`.
    """
    step = now.step
    if step is None:
        return "Nothing has happened yet."
    text = ""
    if isinstance(step, Offered) and not step.entry and step.arrivals:
        text = led(where(steps[: now.t], step, now, title), now, step, title, room, about)
    text = stopped(begun(text or _told(steps[: now.t], now, step, title, news, room, places)))
    if not step.told.fallback:
        return text
    whole = f"{text} Fallback: {step.told.fallback}"
    if len(whole) <= room:
        return whole
    if step.told.exchange:
        return f"{text} {FAILED}"
    brief = f"{text} {INSTEAD}"
    return brief if len(brief) <= room else text


def _told(
    steps: Sequence[Step], now: Frame, step: Step, title: Title, news: str, room: int, places: int
) -> str:
    match step:
        case Asked():
            return _asked(step, now.depth)
        case Began():
            return _began(step, now)
        case Offered() if step.entry:
            return entered(step, now, room)
        case Offered() if idle(step):
            row = list(takewhile(idle, reversed(steps)))
            return left(
                step, now, [one.told.reason for one in row], where(steps, step, now, title), title
            )
        case Offered():
            return offered(step, now, where(steps, step, now, title), title, room)
        case Spread():
            if news:  # which comes first: it is what the round is told for
                return f"{in_round(now)}{news}. {begun(_moving(step))}."
            texts = [f"{in_round(now)}{_spread(step, now, title, places, n)}" for n in (2, 1)]
            return next((text for text in texts if len(text) <= room), texts[-1])
        case Said():
            return said(steps, step, now, inside(now), title)
        case Pooled():
            return f"{in_round(now)}{_pooled(step, now, room - len(in_round(now)))}"
        case Ranked():
            return _ranked(step, title, now)


def _asked(step: Asked, depth: int) -> str:
    """The question itself stands above it already."""
    text = f"{called(step.retriever)} retrieves the top {number(step.top_k, 'passage')}"
    if depth > 1:
        text = (
            f"Search {step.id} uses {asked_of(step.retriever)} for '{cropped(step.query, _ASKED)}'"
        )
    words = f" Keywords: {', '.join(step.terms)}." if step.terms else ""
    left = ""
    if step.narrowed:
        left = f" {step.narrowed[1]:,} of {number(step.narrowed[0], 'passage')} pass the filter."
    return f"{text}.{words}{left}"


def _began(step: Began, now: Frame) -> str:
    if not step.number:
        return f"{inside(now)}the stage '{step}' begins."
    name = f"{inside(now)}{step} begins"
    if not step.waiting:
        return f"{name}."
    wait = "waits" if len(step.waiting) == 1 else "wait"
    return f"{name}: {number(len(step.waiting), kind_of(step.waiting, now))} {wait} in the queue."


def moved(step: Spread) -> str:
    """How much of what spreads went from one node to another in this step.

    `moved` counts it twice: where it is missing now, and where it came.
    """
    share = step.moved / 2
    return f"{100 * share:.1f} %" if share >= 0.0005 else "less than 0.1 %"


def _moving(step: Spread) -> str:
    if not step.moved:
        return f"the {step.of} no longer moves"
    return f"{moved(step)} of the {step.of} moves"


def _spread(step: Spread, now: Frame, title: Title, places: int, named: int) -> str:
    most = " and ".join(
        f"{kinded(hit.passage_id, now, title, QUOTE)} ({hit.score:.{places}f})"
        for hit in step.hits[:named]
    )
    told = _moving(step)
    return (
        f"{told}; {most} {'hold' if len(step.hits[:named]) > 1 else 'holds'} the most."
        if most
        else f"{told}."
    )


def _pooled(step: Pooled, now: Frame, room: int) -> str:
    """A list that is as long as the result may be has its best ones alone; with how it was merged,
    if that has `room`.
    """
    ranked = number(len(step.hits), "passage")
    names = _lists_named(step.of)
    if len(step.of) == 1:
        of = "" if names[0] == str(now.round) else f" from {names[0]}"
        return f"{ranked} {'is' if len(step.hits) == 1 else 'are'} ranked{of}."
    if now.asked and len(step.hits) == now.asked.top_k:
        ranked = f"the best {ranked}"
    are = "is" if len(step.hits) == 1 else "are"
    text = f"{len(step.of)} lists are merged ({listed(names)}): {ranked} {are} ranked."
    told = f"{text} {step.told.reason}".rstrip()
    return told if len(told) <= room else text


def _lists_named(of: Sequence[str]) -> list[str]:
    """What lists are called; three searches or more by the first and the last."""
    asked = [name for name in of if name.startswith(ROOT)]
    if len(asked) <= SPELLED_OUT:
        return [f"search {name}" if name in asked else name for name in of]
    others = [name for name in of if name not in asked]
    return [*others, f"searches {asked[0]} to {asked[-1]}"]


def _ranked(step: Ranked, title: Title, now: Frame) -> str:
    inner = now.asked.id if now.asked and now.depth > 1 else ""
    if not step.hits:
        return f"Search {inner} finds no passage." if inner else "Result: no passage was retrieved."
    first = f"'{title(step.hits[0].passage_id)}' ranks first"
    seen = "reached " if now.counter else ""
    kept = number(len(step.hits), "passage")
    if step.pruned:
        kept = f"{len(step.hits)} of {number(len(step.hits) + len(step.pruned), f'{seen}passage')}"
    if inner:
        return f"Search {inner} lists {kept}; {first}."
    return f"Result: {kept} {'is' if len(step.hits) == 1 else 'are'} retrieved; {first}."
