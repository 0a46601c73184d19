"""Positions of evidence in the reasoning chain of its question, where a data set gives them."""

from collections.abc import Collection
from dataclasses import dataclass

from core.evidence import asked_evidence
from core.playback.wording import series
from core.types import Evidence, Query


@dataclass(frozen=True, slots=True)
class Position:
    """Evidence whose hop is known: the `number`-th of `of` pieces, in the order of the chain."""

    number: int
    of: int
    evidence: Evidence

    def __str__(self) -> str:
        """Return a phrase for the screen.

        >>> fact = Evidence("The yard was founded by Iris Colm.", hop=2, asks="Who founded it?")
        >>> print(Position(2, 3, fact))
        evidence 2 of 3 (Who founded it?)
        """
        asks = f" ({self.evidence.asks})" if self.evidence.asks else ""
        return f"evidence {self.number} of {self.of}{asks}"


def positions(query: Query) -> dict[str, Position]:
    """Return the position of each piece of evidence whose hop is known, by its gold id."""
    chain = sorted(asked_evidence(query).items(), key=lambda one: (not one[1].hop, one[1].hop))
    return {
        name: Position(number, len(chain), each)
        for number, (name, each) in enumerate(chain, 1)
        if each.hop
    }


def with_position(query: Query, gold_id: str, text: str) -> str:
    """Prefix a text about gold with its position in the question's evidence chain, if known."""
    position = positions(query).get(gold_id)
    return ": ".join(filter(None, (str(position), text))) if position else text


def chain_summary(query: Query, lost: Collection[str]) -> str:
    """Say for which parts of the question evidence was found and for which it was lost.

    It is empty where nothing was lost, or fewer than two hops are known. A hop of which any
    evidence was lost counts as lost. They are called parts, as a hop is also a step of a walk.

    Parameters
    ----------
    lost : ids of gold that was not retrieved.
    """
    chain = positions(query)
    hops = sorted({each.evidence.hop for each in chain.values()})
    gone = {chain[name].evidence.hop for name in lost if name in chain}
    if len(hops) < 2 or not gone:
        return ""
    if len(gone) == len(hops):
        number = len({*lost} & chain.keys())
        if number == len(chain):
            return "the evidence for every part of the question was missed"
        some = f"{number} of {len(chain)} pieces of evidence missed"
        return f"{some}, at least one for each part of the question"
    names = {hop: f"part {hop}" for hop in hops}
    if _answers(query, hops[-1]):
        names[hops[-1]] = "the answer"
    found_hops = series([names[hop] for hop in hops if hop not in gone])
    missed = series([names[hop] for hop in hops if hop in gone])
    return f"evidence found for {found_hops}, missed for {missed}"


def _answers(query: Query, hop: int) -> bool:
    """Check whether the answer of a hop is the answer of the question."""
    known = {" ".join(one.casefold().split()) for one in query.answers}
    said = (each.answer for each in query.evidence if each.hop == hop)
    return any(" ".join(one.casefold().split()) in known for one in said)
