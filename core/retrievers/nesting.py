"""Another retrieval as a part of this one: `Asked` ... `Ranked`, inside `Asked` ... `Ranked`."""

import re
from collections.abc import Generator, Iterable
from dataclasses import replace

from core.retrievers.base import Retriever
from core.steps import (
    ROOT,
    Asked,
    Began,
    Offered,
    Ranked,
    Said,
    Step,
    Thing,
    Tie,
)

_QUESTION = re.compile(r"#[\d.]*")


def nested(
    retriever: Retriever, query: str, number: int, parents: tuple[str, ...] = (ROOT,)
) -> Generator[Step, None, Ranked]:
    """Have `retriever` answer `query` inside the bracket that is open, as its question `number`.

    Yields its steps, whole, and returns its end: `found = yield from nested(...)`. Its question
    becomes `#number`, and the questions inside of it `#number.1` and so on. Its cost is its own,
    so who nests it adds nothing to it.

    Parameters
    ----------
    number : counts from 1 within the bracket that is open; no two are the same.
    parents : the nodes that the question came from.
    """
    end = Ranked(())
    for step in retriever.retrieve(query):
        inner = _below(step, number)
        if isinstance(inner, Asked) and isinstance(step, Asked) and step.id == ROOT:
            inner = replace(inner, parents=parents)
        if isinstance(inner, Ranked):
            end = inner
        yield inner
    return end


def question(number: int) -> str:
    """The id of the question `number` of the bracket that is open.

    >>> question(2)
    '#2'
    """
    return f"{ROOT}{number}"


def _below(step: Step, number: int) -> Step:
    """`step` with every question in it named as one below `#number`."""

    def name(id_: str) -> str:
        if not _QUESTION.fullmatch(id_):
            return id_
        return f"{ROOT}{number}" if id_ == ROOT else f"{ROOT}{number}.{id_[1:]}"

    def names(ids: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(name, ids))

    moved: Step = step
    match step:
        case Asked():
            moved = replace(step, id=name(step.id), parents=names(step.parents))
        case Began():
            moved = replace(step, waiting=names(step.waiting))
        case Offered():
            moved = replace(
                step,
                at=name(step.at),
                offers=tuple(replace(offer, target=name(offer.target)) for offer in step.offers),
                arrivals=tuple(replace(one, id=name(one.id)) for one in step.arrivals),
            )
        case Said():
            moved = replace(step, about=name(step.about), closes=names(step.closes))
    if not isinstance(moved, Asked | Ranked) and (moved.things or moved.ties):
        things = tuple(_thing(thing, name(thing.id)) for thing in moved.things)
        ties = tuple(_tie(tie, name(tie.source), name(tie.target)) for tie in moved.ties)
        moved = replace(moved, things=things, ties=ties)
    return moved


def _thing(thing: Thing, id_: str) -> Thing:
    return thing if id_ == thing.id else replace(thing, id=id_)


def _tie(tie: Tie, source: str, target: str) -> Tie:
    if (source, target) == (tie.source, tie.target):
        return tie
    return replace(tie, id=f"{source}>{target}", source=source, target=target)
