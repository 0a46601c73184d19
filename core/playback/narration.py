"""One plain sentence a step.

Sentences hold titles and questions of the corpus as they are: show them as text, never as HTML
or markdown.
"""

from collections.abc import Callable, Sequence
from itertools import takewhile

from core.playback.fold import Frame, frame
from core.playback.grains import idle
from core.playback.state import Visit
from core.playback.wording import (
    QUOTE,
    SPELLED_OUT,
    TWO_LINES,
    begun,
    called,
    cropped,
    listed,
    number,
    share,
    singular,
)
from core.steps import Asked, Began, Offer, Offered, Pooled, Ranked, Said, Spread, Step

Title = Callable[[str], str]
_QUOTES = (QUOTE, 48, 32)
_ASKED = 120  # characters of a question
_TITLE = 40
_WORDS = 4
_PLACE = 40  # characters of where it happens, which stands before


def sentence(steps: Sequence[Step], t: int, title: Title) -> str:
    """What happened in step `t`, in plain text. `title` names a node by its id.

    Raises
    ------
    IndexError : when `t` is not from 0 to `len(steps)`.
    """
    return told(steps, frame(steps, t), title)


def told(steps: Sequence[Step], now: Frame, title: Title) -> str:
    """The same of a frame of `steps` that is at hand."""
    step = now.step
    if step is None:
        return "Nothing has happened yet."
    text = begun(_told(steps[: now.t], now, step, title))
    return f"{text} Fallback: {step.told.fallback}" if step.told.fallback else text


def _told(steps: Sequence[Step], now: Frame, step: Step, title: Title) -> str:
    match step:
        case Asked():
            return _asked(step, now.depth)
        case Began():
            return _began(step, now)
        case Offered() if step.entry:
            return _entered(step, now)
        case Offered() if idle(step):
            return _left(step, now, len(list(takewhile(idle, reversed(steps)))), title)
        case Offered():
            return _offered(step, now, title)
        case Spread():
            return f"{_round(now)}{_spread(step, title)}"
        case Said():
            return _said(step, now)
        case Pooled():
            one = "become one list" if len(step.of) > 1 else "is now a list"
            return f"{_round(now)}{listed(step.of)} {one} of {number(len(step.hits), 'passage')}."
        case Ranked():
            return _ranked(step, title, now)


def _asked(step: Asked, depth: int) -> str:
    who = (
        "The question is asked" if depth == 1 else f"{step.id} is asked of {called(step.retriever)}"
    )
    words = f" Its keywords: {', '.join(step.terms)}." if step.terms else ""
    left = ""
    if step.narrowed:
        left = f" {step.narrowed[1]:,} of {number(step.narrowed[0], 'passage')} are left to search."
    return f"{who}: '{cropped(step.query, _ASKED)}'.{words}{left}"


def _began(step: Began, now: Frame) -> str:
    name = f"{_inside(now)}{step} begins"
    if not step.waiting:
        return f"{name}."
    wait = "waits" if len(step.waiting) == 1 else "wait"
    return f"{name}: {number(len(step.waiting), _kind(step.waiting, now))} {wait} in the queue."


def _kind(nodes: Sequence[str], now: Frame) -> str:
    """What all of `nodes` are, in one word."""
    kinds = {
        "question"
        if node in now.questions
        else now.things[node].kind
        if node in now.things
        else "passage"
        for node in nodes
    }
    return kinds.pop() if len(kinds) == 1 else "node"


def _entered(step: Offered, now: Frame) -> str:
    if not step.arrivals:
        return "Nothing was found to start from."
    entries = [arrival.id for arrival in step.arrivals]
    start = "starts" if len(entries) == 1 else "start"
    start = f"{number(len(entries), _kind(entries, now))} {start} the queue."
    return f"{start} {step.told.reason}".rstrip()


def _left(step: Offered, now: Frame, row: int, title: Title) -> str:
    """A place that left the queue as the last of `row` of which nothing was looked at."""
    name = f"'{title(step.at)}'"
    if now.round is None or not now.round.waiting:
        nothing = f"{_where(step, now, title)}no {singular(step.of)} is on offer."
        return f"{nothing} {step.told.reason}".rstrip()
    kind = _kind([step.at], now)
    who = f"{name} leaves" if row == 1 else f"{number(row, kind)} leave"
    last = "" if row == 1 else f" The last is {name}."
    return f"{_round(now)}{who} the queue.{last} {step.told.reason}".rstrip()


def _offered(step: Offered, now: Frame, title: Title) -> str:
    where = _where(step, now, title)
    taken = step.taken
    if not taken:
        return f"{where}{share(0, step.scored, step.of)} taken."
    together = f"{where}{_many(step, taken, now, title)}."
    if len(taken) > SPELLED_OUT or not step.arrivals:
        return together
    # Who reads it on the screen has two lines; what a question is cut by, its verb is not.
    for room in _QUOTES:
        each = (
            _one(step, offer, visit, title, room)
            for offer, visit in zip(taken, now.arrivals, strict=True)
        )
        text = f"{where}{'; '.join(each)}."
        if len(text) <= TWO_LINES:
            return text
    return text if len(taken) == 1 else together


def _one(step: Offered, offer: Offer, visit: Visit, title: Title, room: int) -> str:
    """A line that was followed, and where it led; its label in `room` characters."""
    name = f"'{cropped(title(offer.target), _TITLE)}'"
    came = f"{name} joins the queue" if visit.new else f"{name} has now {visit.count} visits"
    backwards = " backwards" if offer.backwards else ""
    what = f"'{cropped(offer.label, room)}'" if offer.label else name
    return f"the {singular(step.of)} {what} is taken{backwards}{_noted([offer])}; {came}"


def _many(step: Offered, taken: Sequence[Offer], now: Frame, title: Title) -> str:
    """Many that were taken at once, by where they led."""
    text = f"{share(len(taken), step.scored, step.of, 'its' if now.current else '')} taken"
    if not now.arrivals:
        names = [f"'{cropped(title(offer.target))}'" for offer in taken]
        return f"{text}: {listed(names)}"
    text += _noted(taken)
    new = list(dict.fromkeys(visit.id for visit in now.arrivals if visit.new))
    seen = list(dict.fromkeys(visit.id for visit in now.arrivals if not visit.new))
    joins = f"{'joins' if len(new) == 1 else 'join'} the queue"
    again = f"{'is' if len(seen) == 1 else 'are'} visited again"
    named = [f"; {_names(ids, title)} {so}" for ids, so in ((new, joins), (seen, again)) if ids]
    if seen and len(text) + sum(map(len, named)) > TWO_LINES - _PLACE:
        named[-1] = f"; {len(seen)}{' more' if new else ''} {again}"
    return text + "".join(named)


def _names(nodes: Sequence[str], title: Title) -> str:
    return listed([f"'{cropped(title(node), _TITLE)}'" for node in nodes])


def _noted(offers: Sequence[Offer]) -> str:
    """The first kind of note that `offers` have, with each of its words once."""
    notes = [note for offer in offers for note in offer.notes]
    if not notes:
        return ""
    first = notes[0][0]
    words = list(
        dict.fromkeys(word for what, text in notes if what == first for word in text.split(", "))
    )
    more = "…" if len(words) > _WORDS else ""
    return f" ({first} {', '.join(words[:_WORDS])}{more})"


def _where(step: Offered, now: Frame, title: Title) -> str:
    """The round and the place, as the beginning of a sentence."""
    at = f"at '{cropped(title(step.at), _TITLE)}' " if now.current else ""
    return f"{_round(now)}{at}"


def _round(now: Frame) -> str:
    return f"{_inside(now)}{now.round}: " if now.round and now.round.number else ""


def _inside(now: Frame) -> str:
    """The sub-question whose rounds these are, as several have rounds of one name."""
    return f"{now.asked.id}, " if now.asked and now.depth > 1 else ""


def _spread(step: Spread, title: Title) -> str:
    moved = f"{step.moved:.1%} of it has moved" if step.moved else "it stands still"
    most = ", ".join(f"'{title(hit.passage_id)}' {hit.score:.3f}" for hit in step.hits[:2])
    return f"{step.of} spreads: {moved}. Most is at {most or 'no node'}."


def _said(step: Said, now: Frame) -> str:
    closed = ""
    if step.closes:
        asked = [f"'{cropped(now.questions[name].asked.query)}'" for name in step.closes]
        closed = f" That answers {listed(asked)}."
    ends = f" It stops here: {step.ends}." if step.ends else ""
    said = cropped(step.text)
    stop = "" if said.endswith((".", "!", "?", "…")) else "."
    return f"{step.by}: '{said}'{stop}{closed}{ends}"


def _ranked(step: Ranked, title: Title, now: Frame) -> str:
    end = "The end" if now.depth == 1 else f"The end of {now.asked.id if now.asked else ''}"
    if not step.hits:
        return f"{end}: no passage was found."
    first = f"'{title(step.hits[0].passage_id)}' ranks first"
    if step.pruned:
        seen = "visited " if now.counter else ""
        ranked = number(len(step.hits) + len(step.pruned), f"{seen}passage")
        text = f"{len(step.hits)} kept of {ranked}, {len(step.pruned)} pruned"
    else:
        are = "is" if len(step.hits) == 1 else "are"
        text = f"{number(len(step.hits), 'passage')} {are} {'kept' if now.counter else 'found'}"
    return f"{end}: {text}; {first}."
