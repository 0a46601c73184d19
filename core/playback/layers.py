"""What of a retrieval is drawn: questions, things and what a walk has reached.

All are functions of the whole retrieval, and so are the places (`placing`) and the lines between
them (`lines`): they stay fixed while it is played.
"""

from collections.abc import Mapping, Sequence
from typing import get_args

from core.steps import ROOT, Asked, Began, Kind, Offered, Spread, Step, Thing, things_of
from core.text.display.plurals import singular

STATES = (".", "!", "…", "。", "！")
"""What a text ends with that is no question."""


WORDS: Mapping[Kind, str] = {"cluster": "summary"}
"""What a kind is called where it stands for passages, if that is another word."""


def questions_drawn(steps: Sequence[Step]) -> dict[str, str]:
    """Ids and texts of the questions that are drawn: all, where there is more than one text.

    The search `as_it_is` is none of its own.
    """
    own = as_it_is(steps)
    texts = {step.id: step.query for step in steps if isinstance(step, Asked) and step.id != own}
    waiting = (thing for step in steps for thing in things_of(step) if thing.kind == "query")
    texts |= {thing.id: thing.label for thing in waiting if thing.id not in texts}
    return texts if len(set(texts.values())) > 1 else {}


def as_it_is(steps: Sequence[Step]) -> str:
    """The id of the first search inside of another one if it is for that one's whole question."""
    whole, first, *_ = *(step for step in steps if isinstance(step, Asked)), None, None
    same = whole and first and first.parents == (whole.id,) and first.query == whole.query
    return first.id if first and same else ""


def nouns(steps: Sequence[Step], drawn: Mapping[str, str]) -> dict[str, str]:
    """What each of the questions `drawn` is in a word: what a stage brings is called as the stage
    is, such as keywords, and what is searched with and states something is a thought. So are facts
    that the retrieval calls otherwise.
    """
    found = dict.fromkeys(drawn, "question")
    if (word := fact_word(steps)) != "fact":
        found |= {name: word for name, one in things(steps).items() if one.kind == "fact"}
    asked = {step.id: step.query for step in steps if isinstance(step, Asked)}
    whole = asked.get(ROOT, "")
    states = (id_ for id_, text in asked.items() if text != whole and text.rstrip()[-1:] in STATES)
    found |= {id_: "thought" for id_ in states if id_ in drawn}
    stage = ""
    for step in steps:
        if isinstance(step, Began):
            stage = "" if step.number else step.name
        if stage:
            found |= {one.id: stage for one in things_of(step) if one.id in drawn}
    return found


def things(steps: Sequence[Step]) -> dict[str, Thing]:
    """Everything that is no passage, by its id, in order of appearance."""
    return {thing.id: thing for step in steps for thing in things_of(step)}


def fact_word(steps: Sequence[Step]) -> str:
    """What facts are called, as the first list of them alone does: a proposition for some."""
    facts = {name for name, thing in things(steps).items() if thing.kind == "fact"}
    lists = (step for step in steps if isinstance(step, Offered) and step.offers)
    found = (one.of for one in lists if {offer.target for offer in one.offers} <= facts)
    return singular(next(found, "facts"))


def reached_at(steps: Sequence[Step]) -> dict[str, int]:
    """The step at which each visited node was first reached, in that order."""
    found: dict[str, int] = {}
    for number, step in enumerate(steps, start=1):
        if isinstance(step, Offered):
            for arrival in step.arrivals:
                found.setdefault(arrival.id, number)
    return found


def kinds_apart(step: Offered) -> list[tuple[Kind, list[str]]]:
    """What is on offer by its kind, where passages and what stands for them are in one list: what
    may stand for more comes first, passages last.
    """
    kinds = {thing.id: thing.kind for thing in step.things}
    found: dict[Kind, list[str]] = {kind: [] for kind in reversed(get_args(Kind))}
    for offer in step.offers:
        found[kinds.get(offer.target, "passage")].append(offer.target)
    apart = [(kind, names) for kind, names in found.items() if names]
    return apart if len(apart) > 1 and found["passage"] else []


def spreads(steps: Sequence[Step]) -> bool:
    """Whether something spreads over all lines at once, so that nothing is reached in an order."""
    return any(isinstance(step, Spread) for step in steps)
