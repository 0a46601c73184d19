"""The drawn layers of a retrieval: questions, other nodes, and visited passages.

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
    """Return the texts of the questions to draw, by id; none if all have the same text.

    The search `as_it_is` is none of its own.
    """
    own = as_it_is(steps)
    texts = {step.id: step.query for step in steps if isinstance(step, Asked) and step.id != own}
    waiting = (thing for step in steps for thing in things_of(step) if thing.kind == "query")
    texts |= {thing.id: thing.label for thing in waiting if thing.id not in texts}
    return texts if len(set(texts.values())) > 1 else {}


def as_it_is(steps: Sequence[Step]) -> str:
    """Return the id of the first nested search if it repeats the whole question, or ""."""
    whole, first, *_ = *(step for step in steps if isinstance(step, Asked)), None, None
    same = whole and first and first.parents == (whole.id,) and first.query == whole.query
    return first.id if first and same else ""


def nouns(steps: Sequence[Step], drawn: Mapping[str, str]) -> dict[str, str]:
    """Return the noun for each drawn question or fact, such as keyword, thought or proposition."""
    noun_of = dict.fromkeys(drawn, "question")
    if (word := fact_word(steps)) != "fact":
        noun_of |= {name: word for name, one in things(steps).items() if one.kind == "fact"}
    asked = {step.id: step.query for step in steps if isinstance(step, Asked)}
    whole = asked.get(ROOT, "")
    states = (id_ for id_, text in asked.items() if text != whole and text.rstrip()[-1:] in STATES)
    noun_of |= {id_: "thought" for id_ in states if id_ in drawn}
    stage = ""
    for step in steps:
        if isinstance(step, Began):
            stage = "" if step.number else step.name
        if stage:
            noun_of |= {one.id: stage for one in things_of(step) if one.id in drawn}
    return noun_of


def things(steps: Sequence[Step]) -> dict[str, Thing]:
    """Return everything that is not a passage, by id, in order of appearance."""
    return {thing.id: thing for step in steps for thing in things_of(step)}


def fact_word(steps: Sequence[Step]) -> str:
    """Return the noun for facts in the first list of facts alone, such as proposition."""
    facts = {name for name, thing in things(steps).items() if thing.kind == "fact"}
    lists = (step for step in steps if isinstance(step, Offered) and step.offers)
    words = (one.of for one in lists if {offer.target for offer in one.offers} <= facts)
    return singular(next(words, "facts"))


def reached_at(steps: Sequence[Step]) -> dict[str, int]:
    """Return the step at which each visited node was first reached, in that order."""
    first_step: dict[str, int] = {}
    for number, step in enumerate(steps, start=1):
        if isinstance(step, Offered):
            for arrival in step.arrivals:
                first_step.setdefault(arrival.id, number)
    return first_step


def kinds_apart(step: Offered) -> list[tuple[Kind, list[str]]]:
    """Group the candidates by kind if passages and other things share one list.

    The kind that stands for most comes first, passages last.
    """
    kinds = {thing.id: thing.kind for thing in step.things}
    by_kind: dict[Kind, list[str]] = {kind: [] for kind in reversed(get_args(Kind))}
    for offer in step.offers:
        by_kind[kinds.get(offer.target, "passage")].append(offer.target)
    apart = [(kind, names) for kind, names in by_kind.items() if names]
    return apart if len(apart) > 1 and by_kind["passage"] else []


def spreads(steps: Sequence[Step]) -> bool:
    """Check whether a score spreads over all lines at once, so that there is no order."""
    return any(isinstance(step, Spread) for step in steps)
