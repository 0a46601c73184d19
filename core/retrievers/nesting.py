"""Nested retrievals: the steps of an inner retriever between the steps of an outer one."""

import re
from collections.abc import Generator, Iterable, Sequence
from dataclasses import replace

from core.retrievers.base import Retriever
from core.steps import (
    ROOT,
    Asked,
    Began,
    Offer,
    Offered,
    Pooled,
    Ranked,
    Said,
    Spread,
    Step,
    Thing,
    Tie,
)
from core.types import Hit

_QUESTION = re.compile(r"#[\d.]*")


def run_nested(
    retriever: Retriever, query: str, number: int, parents: tuple[str, ...] = (ROOT,)
) -> Generator[Step, None, Ranked]:
    """Run `retriever` for `query` as sub-question `number` of the current retrieval.

    Yields its steps, with its question renamed `#number` and questions inside it `#number.1` and so
    on, and returns its last one: `found = yield from run_nested(...)`. The steps carry their own
    cost; the caller adds nothing.

    Parameters
    ----------
    number : counts from 1 within the open bracket, each used once.
    parents : the nodes that the question came from.
    """
    end = Ranked(())
    names = _Names(number)
    for step in retriever.retrieve(query):
        inner = names.renamed(step)
        if isinstance(inner, Asked) and isinstance(step, Asked) and step.id == ROOT:
            inner = replace(inner, parents=parents)
        if isinstance(inner, Ranked):
            end = inner
        yield inner
    return end


def question(number: int) -> str:
    """Return the node id of sub-question `number` of the current retrieval.

    >>> question(2)
    '#2'
    """
    return f"{ROOT}{number}"


class _Names:
    """Renames the questions of an inner retrieval, so that ids are unique in the outer one."""

    def __init__(self, number: int) -> None:
        self._question = question(number)
        self._ties: dict[str, str] = {}  # new ids of renamed lines

    def renamed(self, step: Step) -> Step:
        """Return `step` with the id of every question prefixed by this sub-question."""
        if isinstance(step, Asked):
            return replace(step, id=self._node(step.id), parents=self._nodes(step.parents))
        if isinstance(step, Ranked):
            return step
        ties = tuple(self._tie(tie) for tie in step.ties)  # first, since the step may refer to them
        things = tuple(self._thing(thing) for thing in step.things)
        moved = replace(step, things=things, ties=ties) if things or ties else step
        match moved:
            case Began():
                return replace(moved, waiting=self._nodes(moved.waiting))
            case Offered():
                return self._offered(moved)
            case Spread() | Pooled():
                return replace(moved, hits=self._hits(moved.hits))
            case Said():
                about, closes = self._node(moved.about), self._nodes(moved.closes)
                return replace(moved, about=about, closes=closes)

    def _node(self, id_: str) -> str:
        if not _QUESTION.fullmatch(id_):
            return id_
        return self._question if id_ == ROOT else f"{self._question}.{id_[1:]}"

    def _nodes(self, ids: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(self._node, ids))

    def _hits(self, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        return tuple(replace(hit, passage_id=self._node(hit.passage_id)) for hit in hits)

    def _offered(self, step: Offered) -> Offered:
        """Rename the node, candidates and arrivals of a candidate list."""
        new_id = self._ties.get
        return replace(
            step,
            at=self._node(step.at),
            offers=tuple(map(self._offer, step.offers)),
            arrivals=tuple(
                replace(one, id=self._node(one.id), tie=new_id(one.tie, one.tie))
                for one in step.arrivals
            ),
        )

    def _offer(self, offer: Offer) -> Offer:
        """Rename a candidate; return it unchanged if possible, since a walk has thousands."""
        target, tie = self._node(offer.target), self._ties.get(offer.tie, offer.tie)
        if (target, tie) == (offer.target, offer.tie):
            return offer
        return replace(offer, target=target, tie=tie)

    def _thing(self, thing: Thing) -> Thing:
        return replace(thing, id=self._node(thing.id))

    def _tie(self, tie: Tie) -> Tie:
        """Rename the ends of a line; if one changes, give the line itself a new id, too."""
        source, target = self._node(tie.source), self._node(tie.target)
        if (source, target) == (tie.source, tie.target):
            return tie
        self._ties[tie.id] = f"{self._question}:{tie.id}"
        return replace(tie, id=self._ties[tie.id], source=source, target=target)
