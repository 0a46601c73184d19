"""What happens to gold at a stop, in a few words behind what the stop itself says."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from core.playback import Frame, Standing
from core.playback.calling import Title
from core.playback.offers import SHORT_OF
from core.playback.wording import TITLE, TWO_LINES, begun, cropped, number
from core.steps import Offer, Offered, Pooled, Said, Spread
from core.text.scores import FEWEST, MOST, both, distance

NAMED = 2
"""Gold passages that are called by their names where there are too many; the rest is counted."""
ALL_NAMED = 3
"""So many are all called by their names."""
FAR = 5
"""Places by which a rank has to change to be told of; of what spreads each change is."""
LEAST = 10**-MOST
"""A score that is behind by less is level."""
UNREACHED = (None, "offered")
"""Roles of what no step has taken."""
Kind = Literal["reached", "refused", "line", "rank"]
KINDS: tuple[Kind, ...] = ("reached", "refused", "line", "rank")
"""The most telling first; the `line` is that below which nothing is kept."""
REACHED = "is reached"
RANKS = r"gold (?P<name>'.*') (?P<verb>(?:rises|falls)) (?=from rank)"
"""How a rank that changes is told of one."""
Say = Callable[[str, int], str]


@dataclass(frozen=True, slots=True)
class Event:
    """What `node` does, as what is said of it: `is reached`; `than` is what was taken instead, if a
    score decided.
    """

    kind: Kind
    node: str
    does: str
    than: str = ""

    def told(self, title: Title) -> str:
        return f"{self.does} for {_quoted(self.than, title)}" if self.than else self.does


def caption(
    say: Say, events: Sequence[Event], now: Frame, title: Title, gold: Sequence[str] = ()
) -> str:
    """What a stop says, and of gold what its sentence does not say by naming it; of all `gold` that
    it names that it is gold.

    `say` makes the sentence: with what it tells of gold itself, and of so many characters.
    """
    text = _caption(say, events, now, title)
    return text if isinstance(now.step, Said) else _named_gold(text, gold, title)


def _caption(say: Say, events: Sequence[Event], now: Frame, title: Title) -> str:
    if isinstance(now.step, Spread):
        return say(words(events, title), TWO_LINES)
    text, left = _marked(say("", TWO_LINES), events, title)
    if left:
        text, left = _marked(say("", TWO_LINES - len(words(left, title)) - 2), events, title)
    return f"{text} {begun(words(left, title))}." if left else text


def news(before: Frame, now: Frame, gold: Sequence[str], places: int = FEWEST) -> list[Event]:
    """What happens to `gold` from one stop to the next, the most telling first; scores have so many
    decimal `places`.

    Whether it is reached counts for the whole retrieval, its rank for the search that is open.
    """
    found = [event for node in gold for event in _events(before, now, node, places)]
    return sorted(found, key=lambda event: KINDS.index(event.kind))


def words(events: Sequence[Event], title: Title) -> str:
    """All of `events` as a sentence without its stop; empty without any."""
    does = [event.told(title) for event in events]
    if len(set(does)) > NAMED:  # by how much is told of few
        does = [each.partition(",")[0] for each in does]
    groups = {
        each: [e for e, one in zip(events, does, strict=True) if one == each] for each in does
    }
    alone = ALL_NAMED if len(events) <= ALL_NAMED else NAMED
    most = alone if len(groups) == 1 else 1
    told = [
        _group(does, same, most if place < NAMED else 0, title)
        for place, (does, same) in enumerate(groups.items())
    ]
    if len(told) == NAMED and "," in told[0]:
        return "; ".join(told)
    return ", ".join(told) if len(told) > NAMED else " and ".join(_once(told))


def _once(told: Sequence[str]) -> list[str]:
    """What is told of gold; a verb that each has is told once."""
    verbs = [re.match(RANKS, each) for each in told]
    if len(told) != NAMED or not all(verbs) or len({verb["verb"] for verb in verbs if verb}) > 1:
        return [*told]
    first, last = told
    return [first, re.sub(RANKS, r"\g<name> ", last)]


def _group(does: str, same: Sequence[Event], most: int, title: Title) -> str:
    """What several do alike, `most` of them by their names, all of them told to be gold."""
    names = [_quoted(event.node, title) for event in same[:most]]
    more = len(same) - len(names)
    if not names:
        who = number(more, "more gold passage")
    elif len(same) == 1:
        who = f"gold {names[0]}"
    else:
        *before, last = [*names, f"{more} more"] if more else names
        who = f"{len(same)} gold passages ({', '.join(before)} and {last})"
    return f"{who} {does if len(same) == 1 else plural(does)}"


def plural(does: str) -> str:
    """What one does, of several.

    >>> plural("is reached"), plural("falls below the top 20")
    ('are reached', 'fall below the top 20')
    """
    first, _, rest = does.partition(" ")
    return f"are {rest}" if first == "is" else f"{first.removesuffix('s')} {rest}"


def _quoted(node: str, title: Title) -> str:
    return f"'{cropped(title(node), TITLE)}'"


def _marked(text: str, events: Sequence[Event], title: Title) -> tuple[str, list[Event]]:
    """`text` that says of what it names that it is gold, and the events that this does not tell."""
    left: list[Event] = []
    for event in events:
        names = (_quoted(event.node, title), f"'{cropped(title(event.node))}'")
        name = next((name for name in names if text.count(name) == 1), "")
        beaten = event.kind == "refused" and SHORT_OF in text
        if name and (beaten or event.does == REACHED):
            text = text.replace(name, f"{name} (gold)" if _in_list(text, name) else f"gold {name}")
        else:
            left.append(event)
    return text, left


def _named_gold(text: str, gold: Sequence[str], title: Title) -> str:
    """`text` that says of each of `gold` that it names once that it is gold, as far as there is
    room.
    """
    for node in gold:
        name = _quoted(node, title)
        before, found, after = text.partition(name)
        known = re.search(r"gold (?:passages? (?:\([^)]*)?)?$", before, re.IGNORECASE)
        words = re.search(r"(?:keywords?|for) $", before)  # what is searched with
        if not found or name in after or known or words or after.startswith(" (gold)"):
            continue
        marked = f"{name} (gold)" if _in_list(text, name) else _begun_at(before, f"gold {name}")
        if len(text) + len(" (gold)") <= TWO_LINES:
            text = f"{before}{marked}{after}"
    return text


def _begun_at(before: str, text: str) -> str:
    """`text`, with a capital letter where a sentence begins behind `before`."""
    return begun(text) if not before or before.endswith(". ") else text


def _in_list(text: str, name: str) -> bool:
    """Whether `name` stands in `text` beside others, to which a word before it would count too."""
    before, _, after = text.partition(name)
    beside = re.search(r"'(?: \(gold\))?(?:,| and) $", before)
    return bool(beside or re.match(r"(?:, '| and (?:'|[\d,]+ more\b))", after))


def _events(before: Frame, now: Frame, node: str, places: int) -> Iterator[Event]:
    """At most one of the walk, and one of the ranking, which a walk that says as much replaces."""
    was, is_ = _row(before, node), _row(now, node)
    if before.asked is None or now.asked is None or before.asked.id != now.asked.id:
        was = None
    cut = f"below the top {sum(row.kept for row in now.standings)}"
    low = is_ is not None and not is_.kept
    if before.roles.get(node) in UNREACHED and now.roles.get(node) not in UNREACHED:
        yield Event("reached", node, f"{REACHED}, {cut}" if low else REACHED)
    elif refused := _refused(before, now, node, places):
        yield Event("refused", node, refused, _taken_instead(now, node))
    elif is_ is None:
        if _merges(now) and now.roles.get(node) not in UNREACHED:
            yield Event("line", node, "is not among them")
    elif low and was is None:
        yield Event("line", node, f"ranks {cut}")
    elif low and was and was.kept:
        yield Event("line", node, f"falls {cut}")
    elif was and is_.kept and not was.kept:
        yield Event("line", node, f"rises to rank {is_.rank}, above the line")
    elif was and is_.kept and abs(was.rank - is_.rank) >= (1 if _spreads(now) else FAR):
        verb = "rises" if is_.rank < was.rank else "falls"
        yield Event("rank", node, f"{verb} from rank {was.rank} to {is_.rank}")


def _merges(now: Frame) -> bool:
    """Whether lists are merged to what the whole retrieval ranks."""
    return isinstance(now.step, Pooled) and len(now.step.of) > 1 and now.depth == 1


def _spreads(now: Frame) -> bool:
    return isinstance(now.step, Spread)


def _row(now: Frame, node: str) -> Standing | None:
    return next((row for row in now.standings if row.hit.passage_id == node), None)


def _refused(before: Frame, now: Frame, node: str, places: int) -> str:
    """That something else is taken where `node` is on offer; empty where it is not, or there
    already.

    In a search of searches what they found is on offer to the whole.
    """
    step = now.step
    if now.roles.get(node) == "offered" and before.roles.get(node) is None:
        behind = _behind(now, step, node, places) if isinstance(step, Offered) else ""
        return f"is not taken{behind}"
    if not isinstance(step, Offered) or step.entry or _row(now, node):
        return ""
    offers = [offer for offer in step.offers if offer.target == node]
    if not offers or any(offer.taken for offer in offers):
        return ""
    if now.roles.get(node) == "offered":
        return f"is again not taken{_behind(now, step, node, places)}"
    searched = now.depth == 1 and len(now.questions) > 1
    return "is left out" if searched else ""


def _behind(now: Frame, step: Offered, node: str, places: int) -> str:
    """By how much, where a score decides and that is known; both scores as its list shows them."""
    offer = _judged(step, node)
    if offer is None:
        return ""
    if offer.margin is not None:
        last = f"rank {now.asked.top_k}" if now.asked else "the last"
        return f", {distance(offer.margin)} behind {last}" if -offer.margin >= LEAST else ""
    short = _short(step, offer)
    if short < LEAST:
        return ""
    few = 1 < len(step.taken) < step.scored - 1  # the best one needs no rank beside it
    rank = f", rank {step.offers.index(offer) + 1} of {step.scored:,}:" if few else ","
    score, taken = offer.score, offer.score + short
    own, least = f"{score:.{places}f}", f"{taken:.{places}f}"
    if own == least:
        own, least = both(score, taken)
    return f"{rank} {own} against {least}"


def _taken_instead(now: Frame, node: str) -> str:
    """Whose score that of `node` is told against: the last that was taken. Empty without one."""
    step = now.step
    if not isinstance(step, Offered) or now.roles.get(node) != "offered":
        return ""
    offer = _judged(step, node)
    if offer is None or offer.margin is not None:
        return ""
    last = min(step.taken, key=lambda one: one.score, default=None)
    return last.target if last and _short(step, offer) >= LEAST else ""


def _judged(step: Offered, node: str) -> Offer | None:
    """What leads to `node`, if a score decides on it."""
    offer = next((offer for offer in step.offers if offer.target == node), None)
    return None if step.told.verdict or step.told.by_hand else offer


def _short(step: Offered, offer: Offer) -> float:
    return min((one.score for one in step.taken), default=offer.score) - offer.score
