"""How far a build or a make is: what it tells whoever waits for it."""

from collections.abc import Callable
from dataclasses import dataclass

Stage = str
"""One of `STAGES`, or the name of an artefact that is made."""
STAGES: tuple[Stage, ...] = ("read", "load", "chunk", "questions", "embed", "merge", "write")
"""Those of a build, in order."""


@dataclass(frozen=True, slots=True)
class Spending:
    """What a run has paid a model for; `price` in dollars, None if no price is known.

    `estimated` where the server did not count, or may have billed a call that was lost.
    """

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    price: float | None = None
    estimated: bool = False

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    def since(self, before: "Spending") -> "Spending":
        """What was paid after `before` was told."""
        known = self.price is not None and before.price is not None
        return Spending(
            self.calls - before.calls,
            self.tokens_in - before.tokens_in,
            self.tokens_out - before.tokens_out,
            (self.price or 0.0) - (before.price or 0.0) if known else self.price,
            self.estimated,
        )

    def __str__(self) -> str:
        """As people read it: `12 calls, 3,400 tokens, $0.02`; `about` stands before an estimate."""
        calls = f"{self.calls:,} call{'s' * (self.calls != 1)}"
        told = [calls, f"{'about ' * self.estimated}{self.tokens:,} tokens"]
        return ", ".join([*told, dollars(self.price)] if self.price is not None else told)


def dollars(amount: float) -> str:
    """An amount of money, to the cent, and a small one to a hundredth of it.

    >>> dollars(2.5), dollars(0.0123), dollars(0)
    ('$2.50', '$0.0123', '$0')
    """
    if amount == 0:
        return "$0"
    return f"${amount:,.2f}" if amount >= 0.1 else f"${amount:.4f}"


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` of `total` units of a stage: documents, passages, texts, questions, tables.

    `spending` is what the run has paid a model for so far; None if it asks none.
    """

    stage: Stage
    done: int
    total: int
    spending: Spending | None = None


Report = Callable[[Progress], None]
"""Is told how far a build is; it may raise `Cancelled`, and what is embedded by then is kept."""
