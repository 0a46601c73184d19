"""One plain sentence a step.

Sentences hold titles and questions of the corpus as they are: show them as text, never as HTML
or markdown.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import takewhile

from core.playback.fold import Frame, frame
from core.playback.grains import idle
from core.playback.layers import WORDS, kinds_apart, nouns
from core.playback.reasons import beaten
from core.playback.state import Visit
from core.playback.voices import said
from core.playback.wording import (
    QUOTE,
    TITLE,
    TWO_LINES,
    begun,
    called,
    cropped,
    listed,
    number,
    share,
    singular,
    stopped,
)
from core.steps import ROOT, Asked, Began, Offer, Offered, Pooled, Ranked, Said, Spread, Step
from core.text.entities import is_number
from core.text.scores import distance

Title = Callable[[str], str]
_ASKED = 120  # characters of a question
_WORDS = 4
_ITS, _THEIR = "its edges are", "their edges are"
NAMES = ("entity", "cluster", "community")
"""Kinds of what is called by words that a passage may be called by, too."""
SHORT_OF = "more to be rank"
"""Of an edge that a score refuses."""
INSTEAD = "A rule stands in for the model."
FAILED = "The model gave no usable reply: a rule stands in for it."
"""Of a fallback that has no room in a sentence."""
_LESS = " to other nodes (the less moves, the less the ranks still change)"


def sentence(steps: Sequence[Step], t: int, title: Title) -> str:
    """What happened in step `t`, in plain text. `title` names a node by its id.

    Raises
    ------
    IndexError : when `t` is not from 0 to `len(steps)`.
    """
    return told(steps, frame(steps, t), title)


def told(
    steps: Sequence[Step], now: Frame, title: Title, news: str = "", room: int = TWO_LINES
) -> str:
    """The same of a frame of `steps` that is at hand, in `room` characters where it can be.

    `news` is what happens to gold there, which is told of what spreads.
    """
    step = now.step
    if step is None:
        return "Nothing has happened yet."
    text = stopped(begun(_told(steps[: now.t], now, step, title, news, room)))
    if not step.told.fallback:
        return text
    whole = f"{text} Fallback: {step.told.fallback}"
    return whole if len(whole) <= room else f"{text} {FAILED if step.told.exchange else INSTEAD}"


def _told(steps: Sequence[Step], now: Frame, step: Step, title: Title, news: str, room: int) -> str:
    match step:
        case Asked():
            return _asked(step, now.depth)
        case Began():
            return _began(step, now)
        case Offered() if step.entry:
            return _entered(step, now, room)
        case Offered() if idle(step):
            row = list(takewhile(idle, reversed(steps)))
            return _left(
                step, now, [one.told.reason for one in row], _where(steps, step, now, title), title
            )
        case Offered():
            return _offered(step, now, _where(steps, step, now, title), title, room)
        case Spread():
            told_before = any(isinstance(one, Spread) for one in steps[:-1])
            meaning = f", and {news}" if news else "" if told_before else _LESS
            text, brief = (f"{_round(now)}{_spread(step, now, title, meaning, n)}" for n in (2, 1))
            return brief if news and len(text) > room else text
        case Said():
            return said(steps, step, now, _inside(now))
        case Pooled():
            return f"{_round(now)}{_pooled(step, now)}"
        case Ranked():
            return _ranked(step, title, now)


def _asked(step: Asked, depth: int) -> str:
    """The question itself stands above it already."""
    who = called(step.retriever)
    text = f"{who} is asked for the best {number(step.top_k, 'passage')}"
    if depth > 1:
        text = f"Search {step.id} asks {who}: '{cropped(step.query, _ASKED)}'"
    words = f" Keywords: {', '.join(step.terms)}." if step.terms else ""
    left = ""
    if step.narrowed:
        left = f" {step.narrowed[1]:,} of {number(step.narrowed[0], 'passage')} pass the filter."
    return f"{text}.{words}{left}"


def _began(step: Began, now: Frame) -> str:
    if not step.number:
        return f"{_inside(now)}the stage '{step}' begins."
    name = f"{_inside(now)}{step} begins"
    if not step.waiting:
        return f"{name}."
    wait = "waits" if len(step.waiting) == 1 else "wait"
    return f"{name}: {number(len(step.waiting), kind_of(step.waiting, now))} {wait} in the queue."


def kind_of(nodes: Sequence[str], now: Frame) -> str:
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


def _entered(step: Offered, now: Frame, room: int) -> str:
    if not step.arrivals:
        return "Nothing was found to start from."
    entries = [arrival.id for arrival in step.arrivals]
    start = f"The queue starts with {number(len(entries), kind_of(entries, now))}."
    told = f"{start} {step.told.reason}".rstrip()
    return told if len(told) <= max(room, TWO_LINES // 2) else start


def _left(step: Offered, now: Frame, reasons: Sequence[str], where: str, title: Title) -> str:
    """A place that left the queue as the last of several of which nothing was looked at, each for
    one of `reasons`.
    """
    name = f"'{title(step.at)}'"
    if now.round is None or not now.round.waiting:
        nothing = f"{where}no {singular(step.of)} is on offer."
        return f"{nothing} {step.told.reason}".rstrip()
    kind = kind_of([step.at], now)
    row = len(reasons)
    if row == 1:
        return f"{_round(now)}{name} leaves the queue. {step.told.reason}".rstrip()
    who = f"{_round(now)}{number(row, kind)} leave the queue, {name} last"
    if len(set(reasons)) == 1:
        return f"{who}. {step.told.reason.replace(_ITS, _THEIR)}".rstrip()
    return f"{who}: {step.told.reason}".rstrip(": ")


def _offered(step: Offered, now: Frame, where: str, title: Title, room: int) -> str:
    taken = step.taken
    if not taken:
        text = f"{where}{share(0, step.scored, step.of)} taken{_nearest(step, now, title)}."
        told = f"{text} {step.told.reason}".rstrip()
        return told if not beaten(step) and len(told) <= room else text
    if len(taken) == 1 and taken[0].label and step.arrivals:
        text = f"{where}{_one(step, taken[0], now, title)}."
        # Who reads it on the screen has two lines, and a question cut in its middle says little.
        if len(text) <= room:
            return text
    return f"{where}{_many(step, taken, now, title, room - len(where) - 1)}."


def _nearest(step: Offered, now: Frame, title: Title) -> str:
    """Where a score decides that nothing is taken: who came nearest to it."""
    offer = beaten(step)
    if not offer:
        return ""
    to = _called(offer, title)
    edge = f"it leads to {to} and" if step.scored == 1 else f"the nearest, to {to},"
    return f": {edge} {_short(offer, now)}"


def _passed_by(step: Offered, now: Frame, title: Title) -> str:
    """Who is not taken though worth more than one who is: another score decides."""
    offer = beaten(step)
    if not offer:
        return ""
    return f", not that to {_called(offer, title)}, which is worth more but {_short(offer, now)}"


def _called(offer: Offer, title: Title) -> str:
    return f"'{cropped(title(offer.target), TITLE)}'"


def _short(offer: Offer, now: Frame) -> str:
    """By how much what an edge brings misses what it had to beat: the last that would be retrieved.

    What it leads to may stand above that by another way.
    """
    rank = now.asked.top_k if now.asked else "last"
    return f"would need {distance(offer.margin or 0.0)} {SHORT_OF} {rank}"


def _one(step: Offered, offer: Offer, now: Frame, title: Title) -> str:
    """A line that was followed, with its whole label, and where it led."""
    name, visit = _called(offer, title), now.arrivals[0]
    came = f"{name} joins the queue" if visit.new else f"{name} is visited again"
    backwards = " backwards" if offer.backwards else ""
    how = f"taken{backwards}{_noted([offer])}{_passed_by(step, now, title)}"
    return f"the {singular(step.of)} '{offer.label}' is {how}; {came}"


def _many(step: Offered, taken: Sequence[Offer], now: Frame, title: Title, room: int) -> str:
    """Many that were taken at once, by where they led; the fullest that has `room`."""
    whose = "its" if now.current and kind_of([now.current], now) != "query" else ""
    text = f"{share(len(taken), step.scored, step.of, whose)} taken"
    if not now.arrivals:
        text += _of_kinds(step)
        kinds = {kind_of([offer.target], now) for offer in step.offers}
        said = kinds if len(kinds) == 1 else {singular(step.of)}
        names = [_listed_as(offer.target, now, title, said) for offer in taken]
        told = f"{text}: {listed(_apart(names))}"
        why = f"{told}. {step.told.reason}".removesuffix(".")
        return why if step.told.reason and len(why) <= room else told
    notes, short, not_ = _noted(taken), _noted(taken, 1), _passed_by(step, now, title)
    named, brief, counted = (_came(now.arrivals, title, how) for how in ("named", "brief", ""))
    ways = [note + not_ + came for note in (notes, short, "") for came in (named, brief)]
    # A count says little of where it leads; the words of a note stand in the list as well.
    ways += [named, brief, not_ + counted, counted]
    return text + next((way for way in ways if len(text + way) <= room), ways[-1])


def _listed_as(node: str, now: Frame, title: Title, said: Collection[str]) -> str:
    """A title, before which stands its kind where a passage may be called the same, unless it is
    one of those that are `said` of the whole list.
    """
    kind = now.things[node].kind if node in now.things else "passage"
    name = _nameless_kind(node, kind, now, title)
    if kind in said or kind not in NAMES:
        return f"'{cropped(name)}'"
    return name if is_number(name) else f"{WORDS.get(kind, kind)} '{cropped(name)}'"


def _nameless_kind(node: str, kind: str, now: Frame, title: Title) -> str:
    """A title without the kind that is put behind it where a passage is called the same."""
    return title(node).removesuffix(f" ({kind})") if node in now.things else title(node)


def _of_kinds(step: Offered) -> str:
    """How many of what is taken are passages, where others are in the list that stand for them."""
    taken = {offer.target for offer in step.taken}
    kinds = [(WORDS.get(kind, kind), taken.intersection(all_)) for kind, all_ in kinds_apart(step)]
    told = [number(len(those), kind) for kind, those in reversed(kinds) if those]
    return f", {', '.join(told[:-1])} and {told[-1]}" if len(told) > 1 else ""


def _apart(names: Sequence[str]) -> list[str]:
    """`names` with what is called as one before it at the end, where it is only counted."""
    first = list(dict.fromkeys(names))
    return first + list((Counter(names) - Counter(first)).elements())


def _came(visits: Sequence[Visit], title: Title, how: str) -> str:
    """Who joined the queue, and who was visited again: `named`, in `brief`, or only counted."""
    new = list(dict.fromkeys(visit.id for visit in visits if visit.new))
    seen = list(dict.fromkeys(visit.id for visit in visits if not visit.new))
    joins = f"; {_names(new, title)} {'joins' if len(new) == 1 else 'join'} the queue"
    brief = "comes again" if len(seen) == 1 else "come again"
    again = (
        brief if how == "brief" and new else f"{'is' if len(seen) == 1 else 'are'} visited again"
    )
    who = _names(seen, title) if how else f"{len(seen)}{' more' if new else ''}"
    return (joins if new else "") + (f"; {who} {again}" if seen else "")


def _names(nodes: Sequence[str], title: Title) -> str:
    return listed([f"'{cropped(title(node), TITLE)}'" for node in nodes])


def _noted(offers: Sequence[Offer], most: int = _WORDS) -> str:
    """The first kind of note that `offers` have, with each of its words once, at `most` so many."""
    notes = [note for offer in offers for note in offer.notes]
    if not notes:
        return ""
    first = notes[0][0]
    words = list(
        dict.fromkeys(word for what, text in notes if what == first for word in text.split(", "))
    )
    more = "…" if len(words) > most else ""
    return f" ({first} {', '.join(words[:most])}{more})"


def _where(steps: Sequence[Step], step: Offered, now: Frame, title: Title) -> str:
    """The round and the place, as the beginning of a sentence; what is no passage with its kind."""
    place = _place(steps, step.at, now, title) if now.current else ""
    return f"{_round(now)}{place}"


def _place(steps: Sequence[Step], at: str, now: Frame, title: Title) -> str:
    if at in now.questions and at not in now.things:
        named = now.round and now.round.number and str(now.round) == f"search {at}"
        return "" if named else f"from search {at}, "
    name = f"'{cropped(title(at), TITLE)}'"
    if kind_of([at], now) != "query":
        return f"at {_kinded(at, now, title, TITLE)} " if at in now.things else f"at {name} "
    noun = nouns(steps, {at: ""})[at]
    return f"at {name} " if noun in ("question", "thought") else f"for the {noun} {name} "


def _kinded(node: str, now: Frame, title: Title, room: int) -> str:
    """A node with its kind before its name, which does not say it once more."""
    kind = kind_of([node], now)
    name = _nameless_kind(node, kind, now, title)
    return name if is_number(name) else f"{kind} '{cropped(name, room)}'"


def _round(now: Frame) -> str:
    return f"{_inside(now)}{now.round}: " if now.round and now.round.number else ""


def _inside(now: Frame) -> str:
    """The sub-question whose rounds these are, as several have rounds of one name."""
    return f"{now.asked.id}, " if now.asked and now.depth > 1 else ""


def moved(step: Spread) -> str:
    """How much of what spreads went from one node to another in this step.

    `moved` counts it twice: where it is missing now, and where it came.
    """
    share = step.moved / 2
    return f"{100 * share:.1f} %" if share >= 0.0005 else "less than 0.1 %"


def _moving(step: Spread) -> str:
    if not step.moved:
        return f"the {step.of} stands still"
    return f"{moved(step)} of the {step.of} moves"


def _spread(step: Spread, now: Frame, title: Title, meaning: str, named: int) -> str:
    most = " and ".join(
        f"{_kinded(hit.passage_id, now, title, QUOTE)} ({hit.score:.3f})"
        for hit in step.hits[:named]
    )
    return f"{_moving(step)}{meaning if step.moved else ''}; most is at {most or 'no node'}."


def _pooled(step: Pooled, now: Frame) -> str:
    """A list that is as long as the result may be has its best ones alone."""
    ranked = number(len(step.hits), "passage")
    names = [f"search {name}" if name.startswith(ROOT) else name for name in step.of]
    if len(names) == 1:
        of = "" if names[0] == str(now.round) else f" from {names[0]}"
        return f"{ranked} {'is' if len(step.hits) == 1 else 'are'} ranked{of}."
    if now.asked and len(step.hits) == now.asked.top_k:
        ranked = f"the best {ranked}"
    are = "is" if len(step.hits) == 1 else "are"
    return f"{len(names)} lists are merged ({listed(names)}): {ranked} {are} listed."


def _ranked(step: Ranked, title: Title, now: Frame) -> str:
    inner = now.asked.id if now.asked and now.depth > 1 else ""
    if not step.hits:
        return f"Search {inner} finds no passage." if inner else "Result: no passage was found."
    first = f"'{title(step.hits[0].passage_id)}' ranks first"
    seen = "reached " if now.counter else ""
    kept = number(len(step.hits), "passage")
    if step.pruned:
        kept = f"{len(step.hits)} of {number(len(step.hits) + len(step.pruned), f'{seen}passage')}"
    if inner:
        return f"Search {inner} lists {kept}; {first}."
    return f"Result: {kept} {'is' if len(step.hits) == 1 else 'are'} retrieved; {first}."
