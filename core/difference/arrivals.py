"""Find out how a retrieval first selected a passage."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.steps import ROOT, Asked, Began, Offer, Offered, Ranked, Step
from core.text.display.plurals import singular


@dataclass(frozen=True, slots=True)
class Arrival:
    """The first selection of a passage.

    By the candidate `offer` at the node `at`, in round `hop`; or as a seed, with its `rank` alone;
    or by the nested `search` for `asks`; or by the thing `at`, of kind `of`, at that `rank`.
    """

    rank: int = 0
    offer: Offer | None = None
    at: str = ""
    hop: str = ""
    search: str = ""
    asks: str = ""
    of: str = ""


def arrival_of(steps: Sequence[Step], passage: str) -> Arrival | None:
    """Return the first selection of `passage`, or of a node that leads to it, or None."""
    return _selected(steps, passage) or linked_thing(steps, passage)


def linked_thing(steps: Sequence[Step], passage: str) -> Arrival | None:
    """Return the best-ranked selected node (fact, entity or summary) joined to `passage`."""
    ends = {
        tie.target if tie.source == passage else tie.source
        for step in steps
        if not isinstance(step, Asked | Ranked)
        for tie in step.ties
        if passage in (tie.source, tie.target)
    }
    arrivals = [
        Arrival(rank, at=offer.target, of=singular(step.of))
        for step in steps
        if isinstance(step, Offered)
        for rank, offer in enumerate(step.taken, start=1)
        if offer.target in ends
    ]
    return min(arrivals, key=lambda one: one.rank, default=None)


def _selected(steps: Sequence[Step], passage: str) -> Arrival | None:
    """Return the seed, edge or search by which `passage` was first selected, or None."""
    hop, open_ = "", []
    for step in steps:
        match step:
            case Asked():
                open_.append(step)
            case Began():
                hop = f" in {step.name} {step.number}"
            case Offered():
                for rank, offer in enumerate(step.taken, start=1):
                    if offer.target == passage:
                        # What is taken of all is told by its rank.
                        arrival = None if step.at == ROOT else Arrival(rank, offer, step.at, hop)
                        return Arrival(rank) if step.entry else arrival
            case Ranked():
                asked = open_.pop()
                ranks = {hit.passage_id: rank for rank, hit in enumerate(step.hits, start=1)}
                if asked.id != ROOT and passage in ranks:
                    same = open_ and asked.query == open_[0].query
                    asks = "" if same else asked.query
                    return Arrival(ranks[passage], search=asked.id, asks=asks)
            case _:
                pass
    return None
