"""Costs of a retrieval, as shown below every result."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.playback.decided import NO_MODEL, Decided, decided
from core.steps import Asked, Offered, Ranked, Step


@dataclass(frozen=True, slots=True)
class Looked:
    """Lists of one kind: how many there were, and how much was scored for them in all."""

    of: str
    lists: int
    scored: int


@dataclass(frozen=True, slots=True)
class Account:
    """Wall-clock seconds of embedding questions and of the rest, and what was looked at.

    `seconds` are the retrieval time that every page, report and export shows: those of the whole
    retrieval without `embed_seconds`, which its inner searches take too.
    `looked` counts the lists from which something was to be taken, by the retriever's own word
    for what is in them; where walks start is not among them. A model was called `calls` times and
    read and wrote `tokens`; `kept` replies were known before; `model` says what it decided.
    """

    embed_seconds: float
    seconds: float
    looked: tuple[Looked, ...]
    calls: int = 0
    tokens: int = 0
    kept: int = 0
    model: Decided = NO_MODEL

    @property
    def judgements(self) -> int:
        """Number of decisions."""
        return sum(one.lists for one in self.looked)


def account(steps: Sequence[Step]) -> Account:
    """Sum the costs of all `steps`."""
    judged = [s for s in steps if isinstance(s, Offered) and s.offers and not s.entry]
    kinds = dict.fromkeys(step.of for step in judged)
    lists = {of: [step.scored for step in judged if step.of == of] for of in kinds}
    embedding = [step.told.cost.seconds for step in steps if isinstance(step, Asked)]
    last = steps[-1] if steps else None
    took = last.told.cost.seconds if isinstance(last, Ranked) else 0.0
    return Account(
        embed_seconds=sum(embedding),
        seconds=max(took - sum(embedding[1:]), 0.0),  # only the first ends before its clock starts
        looked=tuple(Looked(of, len(each), sum(each)) for of, each in lists.items()),
        calls=sum(step.told.cost.calls for step in steps),
        tokens=sum(step.told.cost.tokens for step in steps),
        kept=sum(step.told.cost.cached for step in steps),
        model=decided(steps),
    )
