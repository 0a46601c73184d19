"""Fixes for the lost gold of one result as lines, for Trace and Errors alike."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.funnel.data import Fate
from core.funnel.rescue import NO_SINGLE, Rescue, cost, looked_at, no_change
from core.playback.wording import begun, ended
from core.retrievers import Spec
from core.reviews.losses.lost_gold import not_indexed, why_more
from core.runs.fixes import Found, Losses, Stopped, undecided
from core.store.index import Index
from core.text.display import plurals

REPLAY, START_THERE, TAKE_IT = "Replay with this", "Start there", "Follow this edge"
"""What it is called to turn a setting, and to change the walk by hand."""
NOT_ENOUGH = "Not enough on its own"
"""The heading of changes that reach a passage, and do not retrieve it."""
MAY_DO = "A single change may be enough: the search stopped before trying all of them"
_RANKED = re.compile(r"rank ([\d,]+)")
_MORE = re.compile(r"[\d,]+ more ([a-z ]+?)s?")
_SET = re.compile(r"([a-z -]+) ([\d.,]*\d) instead of ([\d.,]*\d)(, still with .+)?")
_BY_HAND = re.compile(r"(make it a seed|at '.+, follow .+?) and ([a-z ]+ [\d.,]+ instead .+)", re.I)
_COUNTED = {2: "two", 3: "three"}


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence, or with `heading` what stands above some changes, or a change with the `facts`
    that come of it. `value` names a change among those of `choices`, and `action` is what making it
    is called; both are empty where there is none to make."""

    told: str
    value: str = ""
    heading: bool = False
    facts: tuple[str, ...] = ()
    action: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """A further search for fixes: the label of its button, and the result of an earlier one."""

    action: str
    told: str = ""


def search_offered(
    some: Losses, found: Found, before: Stopped | None, title: Callable[[Fate], str]
) -> Offer | None:
    """Return the search that `some` still needs, longer than `before`; None if all is decided."""
    left = [one for one in some.lost if undecided(one.gold, found) and one.stage != "absent"]
    if not left:
        return None
    if before is None:
        return Offer(f"What would retrieve {'it' if len(left) == 1 else 'them'}?")
    nothing = [title(one) for one in left if one.gold not in found]
    text = f"{', '.join(nothing)}: nothing found yet. {before}" if nothing else f"{before}"
    return Offer(f"Continue with up to {before.budget.longer().replays:,} replays", text)


def choices(found: Found) -> dict[str, Rescue]:
    """Return all changes in `found` by the value of their line."""
    return {
        f"{gold} {number}": each
        for gold, rescue in found.items()
        if rescue
        for number, each in enumerate((rescue, *rescue.others))
    }


def fix_lines(
    some: Losses, found: Found, title: Callable[[Fate], str], index: Index | None = None
) -> list[Line]:
    """Return the fixes as lines: first those that retrieve gold, then those that only reach it.

    Gold without any fix comes last; gold that nobody searched a fix for is left out. If several
    passages are lost, each is named by its `title`.
    """
    enough: list[Line] = []
    short: list[Line] = []
    ordered_by_size = False
    nothing: dict[str, list[str]] = {}
    for fate in some.lost:
        if fate.gold not in found and fate.stage != "absent":
            continue
        rescue = found.get(fate.gold)
        name = title(fate) if len(some.lost) > 1 else ""
        if rescue is None or not rescue.keeps:
            nothing.setdefault(_nothing(fate, rescue, index), []).append(name)
            continue
        ordered = _ordered(rescue)
        keeping = [each for _, each in ordered if each.keeps]
        enough.append(Line(_prefixed(name, _heading(keeping)), heading=True))
        ordered_by_size = ordered_by_size or len(keeping) > 1
        for number, each in ordered:
            line = _line(each, f"{fate.gold} {number}", fate)
            if each.keeps:
                enough.append(line)
            else:
                short.append(replace(line, told=_prefixed(name, line.told)))
    enough = [*_for_all(some, found), *enough]
    if ordered_by_size:
        enough.append(Line(order(some.spec)))
    if short:
        short.insert(0, Line(NOT_ENOUGH, heading=True))
    return [
        *(*enough, *short),
        *(Line(_prefixed(", ".join(of), said)) for said, of in nothing.items()),
    ]


def order(spec: Spec) -> str:
    """Say in which order changes are listed.

    >>> order(Spec("hoprag-coverage")).partition(". ")[0]
    'Smallest first: the fewest additional passages examined, ties by rank'
    """
    return (
        f"Smallest first: the fewest additional {plurals.several(looked_at(spec))} examined, ties "
        "by rank. Changes that lose other gold, a larger top k and a new seed come last."
    )


def smallest_fix(
    some: Losses, found: Found, title: Callable[[Fate], str], progress: str = ""
) -> str:
    """Describe the first listed change and its effect; empty if no change is known.

    If several gold passages were lost and one change retrieves all of them, that change comes
    first; otherwise the sentence names the passage that it retrieves. After a search that stopped
    early it is the smallest so far; `progress` says how much was tried.
    """
    if not any(rescue and rescue.keeps for rescue in found.values()):
        return ""
    line = next(one for one in fix_lines(some, found, title) if not one.heading)
    instruction = as_instruction(f"{line.told[:1].lower()}{line.told[1:]}")
    early = any(rescue and (rescue.undecided or rescue.stopped) for rescue in found.values())
    which = _retrieved_phrase(some, found, line, title)
    head = f"Smallest change {'found so far ' * early}that retrieves {which}"
    so_far = f" ({progress})" if early and progress else ""
    return " ".join([f"{head}{so_far}: {instruction}.", *outcome_sentences(line.facts)])


def _retrieved_phrase(
    some: Losses, found: Found, change: Line, title: Callable[[Fate], str]
) -> str:
    """Name what a listed change retrieves: all that was lost, or one passage of it."""
    if len(some.lost) == 1:
        return "it"
    if choices(found)[change.value].keeps_all:
        return _all_phrase(len(some.lost))
    gold = change.value.rpartition(" ")[0]
    return f"'{next(title(fate) for fate in some.lost if fate.gold == gold)}'"


def _all_phrase(count: int) -> str:
    """Return `both`, or `all 3`."""
    return "both" if count == 2 else f"all {count}"


def as_instruction(change: str) -> str:
    """Return one changed setting with a verb; any other change as it is.

    >>> as_instruction("edges followed per passage 4 instead of 6")
    'follow 4 edges per passage instead of 6'
    >>> as_instruction("top k and seeds 57 instead of 20"), as_instruction("make it a seed")
    ('raise top k and seeds from 20 to 57', 'make it a seed')
    >>> as_instruction("make it a seed and top k 21 instead of 20, still with 20 seeds")
    'make it a seed and raise top k to 21, still with 20 seeds'
    """
    if both := _BY_HAND.fullmatch(change):
        return f"{both[1]} and {as_instruction(both[2])}"
    match = _SET.fullmatch(change)
    if not match:
        return change
    what, value, before, still = match.groups()
    if what == "edges followed per passage":
        return f"follow {plurals.number(int(value), 'edge')} per passage instead of {before}"
    up = float(value.replace(",", "")) > float(before.replace(",", ""))
    turned = f"{'raise' if up else 'lower'} {what}"
    return f"{turned} to {value}{still}" if still else f"{turned} from {before} to {value}"


def outcome_sentences(facts: Sequence[str]) -> list[str]:
    """Return the facts of a change as sentences.

    >>> outcome_sentences(("rank 20", "3 of 3 gold", "5 more passages ranked", "only 3 and 4 work"))
    ['It then ranks 20th and all 3 gold passages are retrieved.', 'Only 3 and 4 work.']
    >>> outcome_sentences(("1 of 3 gold",))
    ['1 of 3 gold passages is retrieved.']
    >>> outcome_sentences(("rank 20", "2 more passages", "1 more seed"))
    ['It then ranks 20th.', 'It examines 2 more passages.', 'It starts from 1 more seed.']
    """
    ranked, gold, rest = "", "", []
    for fact in facts:
        if match := _RANKED.fullmatch(fact):
            ranked = f"It then ranks {plurals.ordinal(int(match[1].replace(',', '')))}"
        elif fact.endswith(" gold"):
            kept, _, every = fact.removesuffix(" gold").partition(" of ")
            share = _all_phrase(int(every)) if kept == every else f"{kept} of {every}"
            gold = f"{share} gold passages {'is' if kept == '1' else 'are'} retrieved"
        elif fact.endswith("ranked"):
            continue
        elif match := _MORE.fullmatch(fact):
            rest.append(f"It {'starts from' if match[1] == 'seed' else 'examines'} {fact}.")
        else:
            rest.append(f"{begun(fact)}.")
    first = " and ".join(filter(None, (ranked, gold)))
    return [f"{begun(first)}.", *rest] if first else rest


def _line(each: Rescue, value: str, fate: Fate) -> Line:
    """Return the line of a change, with its consequences.

    For a larger top k it says why the former rank is not enough.
    """
    by_hand = each.kind in ("start", "edge")
    sentence = begun(as_instruction(each.told) if by_hand else each.told)
    why = why_more(each, fate)
    return Line(
        sentence, value, facts=(*each.facts, why) if why else each.facts, action=_action(each)
    )


def _action(each: Rescue) -> str:
    """Return the label of the button that makes a change."""
    by_hand = {"start": START_THERE, "edge": TAKE_IT}
    return REPLAY if each.paired else by_hand.get(each.kind, REPLAY)


def _nothing(fate: Fate, nearest: Rescue | None, index: Index | None) -> str:
    """Return the sentence that no change retrieves a passage."""
    return (
        ended(begun(not_indexed(fate.gold, index)))
        if fate.stage == "absent"
        else no_change(fate, nearest)
    )


def _prefixed(name: str, said: str) -> str:
    """Prefix a sentence with the name of the gold it is about, if there is one."""
    return f"{name}: {said[:1].lower()}{said[1:]}" if name else said


def _ordered(rescue: Rescue) -> list[tuple[int, Rescue]]:
    """Return the changes with their numbers, the smallest first (`order`)."""
    every = enumerate((rescue, *rescue.others))
    return sorted(every, key=lambda one: (not one[1].keeps, cost(one[1])))


def _for_all(some: Losses, found: Found) -> list[Line]:
    """Return the change that retrieves all lost gold at once, with its heading."""
    every = [(value, each) for value, each in choices(found).items() if each.keeps_all]
    if len(some.lost) == 1 or not every:
        return []
    value, each = min(every, key=lambda one: cost(one[1]))
    change = Line(begun(each.told), value, facts=each.facts[1:], action=_action(each))
    return [Line(f"For {_all_phrase(len(some.lost))}", heading=True), change]


def _heading(keeping: Sequence[Rescue]) -> str:
    """Return the heading of the changes that retrieve a passage."""
    first = keeping[0]
    if first.paired and first.undecided:
        return f"{begun(_COUNTED[first.changes])} changes, applied together, retrieve it. {MAY_DO}"
    if first.paired:
        return f"{NO_SINGLE}; {_COUNTED[first.changes]} together do"
    if first.kind == "start":
        return "None of the settings tried retrieves it, but making it a seed does"
    if any(one.stopped for one in keeping):
        them = "Changes that retrieve" if len(keeping) > 1 else "A change that retrieves"
        return f"{them} it, found so far"
    return "Each of these changes retrieves it" if len(keeping) > 1 else "One change retrieves it"
