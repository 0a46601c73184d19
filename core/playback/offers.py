"""What was on offer and what was taken of it, as the sentence of its step."""

from collections import Counter
from collections.abc import Collection, Sequence

from core.playback.calling import Title, in_round, kind_of, nameless_kind
from core.playback.fold import Frame
from core.playback.layers import WORDS, kinds_apart
from core.playback.reasons import beaten
from core.playback.state import Visit
from core.playback.wording import (
    QUOTE,
    TITLE,
    TWO_LINES,
    cropped,
    listed,
    number,
    share,
    singular,
)
from core.steps import Offer, Offered
from core.text.entities import is_number
from core.text.scores import distance

_CUT = 60  # characters of an edge's question at least, if it is cut
_WORDS = 4
_ITS, _THEIR = "its edges are", "their edges are"
NAMES = ("entity", "cluster", "community")
"""Kinds of what is called by words that a passage may be called by, too."""
SHORT_OF = "more to be rank"
"""Of an edge that a score refuses."""


def entered(step: Offered, now: Frame, room: int) -> str:
    if not step.arrivals:
        return "No seed was found."
    entries = [arrival.id for arrival in step.arrivals]
    start = f"The queue begins with {number(len(entries), f'seed {kind_of(entries, now)}')}."
    told = f"{start} {step.told.reason}".rstrip()
    return told if len(told) <= max(room, TWO_LINES // 2) else start


def left(step: Offered, now: Frame, reasons: Sequence[str], where: str, title: Title) -> str:
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
        return f"{in_round(now)}{name} leaves the queue. {step.told.reason}".rstrip()
    who = f"{in_round(now)}{number(row, kind)} leave the queue, {name} last"
    if len(set(reasons)) == 1:
        return f"{who}. {step.told.reason.replace(_ITS, _THEIR)}".rstrip()
    return f"{who}: {step.told.reason}".rstrip(": ")


def offered(step: Offered, now: Frame, where: str, title: Title, room: int) -> str:
    taken = step.taken
    if not taken:
        text = f"{where}{share(0, step.scored, step.of)} taken{_nearest(step, now, title)}."
        told = f"{text} {step.told.reason}".rstrip()
        return told if not beaten(step) and len(told) <= room else text
    return f"{where}{_many(step, taken, now, title, room - len(where) - 1)}."


def _nearest(step: Offered, now: Frame, title: Title) -> str:
    """Where a score decides that nothing is taken: who came nearest to it."""
    offer = beaten(step)
    if not offer:
        return ""
    to = _called(offer, title)
    edge = f"it leads to {to} and" if step.scored == 1 else f"even {to}"
    return f": {edge} {_short(offer, now)}"


def _passed_by(step: Offered, now: Frame, title: Title) -> str:
    """Who is not taken though worth more than one who is: another score decides."""
    offer = beaten(step)
    if not offer:
        return ""
    return f", not that to {_called(offer, title)}, which scores higher but {_short(offer, now)}"


def _called(offer: Offer, title: Title) -> str:
    return f"'{cropped(title(offer.target), TITLE)}'"


def _short(offer: Offer, now: Frame) -> str:
    """By how much what an edge brings misses what it had to beat: the last that would be retrieved.

    What it leads to may stand above that by another way.
    """
    rank = now.asked.top_k if now.asked else "last"
    return f"would need {distance(offer.margin or 0.0)} {SHORT_OF} {rank}"


def led(where: str, now: Frame, step: Offered, title: Title, room: int, about: str) -> str:
    """The only line that was followed, or the one that led to the node `about`, with its question;
    empty where there is none, or no room. Cut in its middle a question says little, but what an
    edge is.
    """
    places = [n for n, one in enumerate(step.taken) if len(step.taken) == 1 or one.target == about]
    if not places or not (offer := step.taken[places[0]]).label:
        return ""
    text = f"{where}{_one(step, offer, now.arrivals[places[0]], now, title)}."
    least = min(_CUT, len(offer.label)) if offer.target == about else len(offer.label)
    left = room - len(text) + len(offer.label)
    if len(step.taken) > 1:  # the list tells all of them
        left = min(left, _CUT)
    return text.replace(offer.label, cropped(offer.label, left), 1) if left >= least else ""


def _one(step: Offered, offer: Offer, visit: Visit, now: Frame, title: Title) -> str:
    """A line that was followed, with its whole label, and where it led."""
    name = _called(offer, title)
    came = f"{name} joins the queue" if visit.new else f"{name} is visited again"
    backwards = " backwards" if offer.backwards else ""
    how = f"taken{backwards}{_noted([offer])}{_passed_by(step, now, title)}"
    return f"the {singular(step.of)} '{offer.label}' is {how}; {came}"


def _many(step: Offered, taken: Sequence[Offer], now: Frame, title: Title, room: int) -> str:
    """Many that were taken at once, by where they led; the fullest that has `room`."""
    whose = "its" if now.current and kind_of([now.current], now) != "query" else ""
    text = f"{share(len(taken), step.scored, step.of, whose)} taken"
    if not now.arrivals:
        return _by_names(text + _of_kinds(step), step, now, title, room)
    notes, short, not_ = _noted(taken), _noted(taken, 1), _passed_by(step, now, title)
    named, counted = (_came(now.arrivals, title, named=named) for named in (True, False))
    # A count says little of where it leads; the words of a note stand in the list as well.
    ways = [note + not_ + named for note in (notes, short, "")] + [named, not_ + counted, counted]
    return text + next((way for way in ways if len(text + way) <= room), ways[-1])


def _by_names(text: str, step: Offered, now: Frame, title: Title, room: int) -> str:
    """`text` with what was taken, and why, as far as there is `room`."""
    kinds = {kind_of([offer.target], now) for offer in step.offers}
    said = kinds if len(kinds) == 1 else {singular(step.of)}
    names = (
        [_listed_as(offer.target, now, title, said, most) for offer in step.taken]
        for most in (QUOTE, TITLE)
    )
    ways = [f"{text}: {listed(_apart(each))}" for each in names]
    told = next((way for way in ways if len(way) <= room), ways[-1])
    why = f"{told}. {step.told.reason}".removesuffix(".")
    return why if step.told.reason and len(why) <= room else told


def _listed_as(node: str, now: Frame, title: Title, said: Collection[str], most: int) -> str:
    """A title of at most so many characters, before which stands its kind where a passage may be
    called the same, unless it is one of those that are `said` of the whole list.
    """
    kind = now.things[node].kind if node in now.things else "passage"
    name = nameless_kind(node, kind, now, title).removesuffix(".")
    if kind == "entity" and is_number(name):
        return name
    if kind in said or kind not in NAMES:
        return f"'{cropped(name, most)}'"
    return f"{WORDS.get(kind, kind)} '{cropped(name, most)}'"


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


def _came(visits: Sequence[Visit], title: Title, *, named: bool) -> str:
    """Who joined the queue; or where nobody did who was visited again, by name or only counted."""
    new = list(dict.fromkeys(visit.id for visit in visits if visit.new))
    if new:
        return f"; {_names(new, title)} {'joins' if len(new) == 1 else 'join'} the queue"
    seen = list(dict.fromkeys(visit.id for visit in visits))
    who = _names(seen, title) if named else _all_of(seen)
    return f"; {who} {'is' if len(seen) == 1 else 'are'} visited again"


def _all_of(nodes: Sequence[str]) -> str:
    return {1: "it", 2: "both"}.get(len(nodes), f"all {len(nodes)}")


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
