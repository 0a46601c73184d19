"""What a retrieval cost: the line under every result."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.steps import Asked, Judged, Ranked, Step


@dataclass(frozen=True, slots=True)
class Account:
    """Wall-clock seconds of the query's embedding and of the rest, and what was looked at.

    `judgements` counts the vertices at which there was a choice, `scored` the edges scored there.
    """

    embed_seconds: float
    seconds: float
    judgements: int
    scored: int


def account(steps: Sequence[Step]) -> Account:
    """The costs of all `steps` together."""
    judged = [step for step in steps if isinstance(step, Judged) and step.offers]
    return Account(
        embed_seconds=sum(step.cost.seconds for step in steps if isinstance(step, Asked)),
        seconds=sum(step.cost.seconds for step in steps if isinstance(step, Ranked)),
        judgements=len(judged),
        scored=sum(step.considered for step in judged),
    )
