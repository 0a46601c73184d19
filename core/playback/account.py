"""What a retrieval cost: the line under every result."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.steps import Asked, Judged, Ranked, Step


@dataclass(frozen=True, slots=True)
class Account:
    """Wall-clock seconds of the query's embedding and of the rest, and what was looked at.

    `judgements` counts the vertices at which there was a choice, `scored` the edges scored there.
    A model was called `calls` times and read and wrote `tokens`; `kept` replies were known before;
    at `fallbacks` vertices it was of no use.
    """

    embed_seconds: float
    seconds: float
    judgements: int
    scored: int
    calls: int = 0
    tokens: int = 0
    kept: int = 0
    fallbacks: int = 0

    @property
    def asked(self) -> bool:
        """Whether a model had a part in it."""
        return bool(self.calls or self.kept or self.fallbacks)


def unanswered(steps: Sequence[Step]) -> str:
    """At how many passages a model could not be asked, and why; empty if it always could."""
    said = [step.exchange for step in steps if isinstance(step, Judged) and step.exchange]
    without = [one.trouble for one in said if not one.replies]
    if not without:
        return ""
    passages = f"{len(without)} of {len(said)} passages"
    return f"The model could not be asked at {passages}: {without[0]}"


def account(steps: Sequence[Step]) -> Account:
    """The costs of all `steps` together."""
    judged = [step for step in steps if isinstance(step, Judged) and step.offers]
    return Account(
        embed_seconds=sum(step.cost.seconds for step in steps if isinstance(step, Asked)),
        seconds=sum(step.cost.seconds for step in steps if isinstance(step, Ranked)),
        judgements=len(judged),
        scored=sum(step.considered for step in judged),
        calls=sum(step.cost.calls for step in judged),
        tokens=sum(step.cost.tokens for step in judged),
        kept=sum(step.cost.cached for step in judged),
        fallbacks=sum(bool(step.fallback) for step in judged),
    )
