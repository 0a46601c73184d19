"""The outcome of one retriever on one question in a word, such as found, partly or missed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.marks.gold import Gold
from core.ranking_comparison import gold_ranks

OutcomeName = Literal["found", "partly", "missed", "not in the index", "no gold", "not run"]
"""`found` is all the gold; where it is `not in the index`, none of it can be found."""

LOST_GOLD: tuple[OutcomeName, ...] = ("missed", "partly", "not in the index")
"""Where some gold is not in the result, as `core.funnel.stages.LOST` says of each of it."""


def outcome_of(retrieved: int, indexed: int, absent: int) -> OutcomeName:
    """Return the outcome in a word.

    Parameters
    ----------
    retrieved : number of gold passages in the result.
    indexed : number of gold passages in the index.
    absent : number of gold passages that are not in the index.
    """
    if not indexed:
        return "not in the index" if absent else "no gold"
    if not retrieved:
        return "missed"
    return "found" if retrieved == indexed + absent else "partly"


def outcome_label(outcome: str) -> str:
    """Return the words for an outcome; without known gold, nothing was missed.

    >>> outcome_label("partly"), outcome_label("no gold"), outcome_label("missed")
    ('partly found', 'no gold marked', 'missed')
    """
    return {"partly": "partly found", "no gold": "no gold marked"}.get(outcome, outcome)


@dataclass(frozen=True, slots=True)
class QuestionOutcome:
    """How much of the gold of a question was retrieved; `ran` is False if it was not run.

    `kept` and `held` count the gold that the index holds, `absent` that which it does not. Of all
    that, `by_hand` was marked by hand; `removed` counts marks that were removed by hand.
    """

    kept: int
    held: int
    absent: int
    by_hand: int
    removed: int = 0
    ran: bool = True

    @property
    def outcome(self) -> OutcomeName:
        if self.held and not self.ran:
            return "not run"
        return outcome_of(self.kept, self.held, self.absent)

    def __str__(self) -> str:
        """A line for people.

        >>> print(QuestionOutcome(kept=1, held=2, absent=1, by_hand=1))
        Gold: 1 of 2 retrieved. 1 was marked by hand. 1 more is not in this index.
        """
        if not self.held and not self.absent:
            return "No gold is known."
        sentences = [
            f"Gold: {self.kept} of {self.held} retrieved."
            if self.held
            else "Gold: none in this index."
        ]
        if not self.ran and self.held:
            sentences = [f"Gold: {self.held} to find; not run yet."]
        if self.by_hand:
            sentences.append(f"{self.by_hand} {_was(self.by_hand)} marked by hand.")
        if self.removed:
            sentences.append(f"{self.removed} {_was(self.removed)} removed by hand.")
        if self.absent:
            more = " more" if self.held else ""
            sentences.append(f"{self.absent}{more} {_is(self.absent)} not in this index.")
        return " ".join(sentences)


def question_outcome(gold: Gold, kept: Sequence[str] | None) -> QuestionOutcome:
    """Compare the passages of a result, `kept`, with the gold; `kept` is None if not run."""
    held = gold.held
    ranks = gold_ranks(kept or (), held, gold.passages)
    return QuestionOutcome(
        kept=sum(rank is not None for rank in ranks.values()),
        held=len(held),
        absent=len(gold.absent),
        by_hand=len(gold.added),
        removed=len(gold.removed),
        ran=kept is not None,
    )


def _was(number: int) -> str:
    return "was" if number == 1 else "were"


def _is(number: int) -> str:
    return "is" if number == 1 else "are"
