"""How far a build or a make is: what it tells whoever waits for it."""

from collections.abc import Callable
from dataclasses import dataclass

Stage = str
"""One of `STAGES`, or the name of an artefact that is made."""
STAGES: tuple[Stage, ...] = (
    *("read", "load", "chunk", "questions", "embed", "merge", "extract", "write"),
    "corpus-map",
)
"""Those of a build, in order; entities are extracted only where a model does it."""


@dataclass(frozen=True, slots=True)
class Spending:
    """The cost of a run's model calls; `price` in dollars, None if no price is known.

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
        """Return the spending after `before`."""
        known = self.price is not None and before.price is not None
        return Spending(
            self.calls - before.calls,
            self.tokens_in - before.tokens_in,
            self.tokens_out - before.tokens_out,
            (self.price or 0.0) - (before.price or 0.0) if known else self.price,
            self.estimated,
        )

    def __str__(self) -> str:
        """Format as `12 calls, 3,400 tokens, $0.02`, with `about` before an estimate."""
        calls = f"{self.calls:,} call{'s' * (self.calls != 1)}"
        parts = [calls, f"{'about ' * self.estimated}{self.tokens:,} tokens"]
        return ", ".join([*parts, dollars(self.price)] if self.price is not None else parts)


def dollars(amount: float) -> str:
    """Format an amount of money to the cent, or a small one to a hundredth of it.

    >>> dollars(2.5), dollars(0.0123), dollars(0)
    ('$2.50', '$0.0123', '$0')
    """
    if amount == 0:
        return "$0"
    return f"${amount:,.2f}" if amount >= 0.1 else f"${amount:.4f}"


@dataclass(frozen=True, slots=True)
class Authorship:
    """How many parts of an artefact a model wrote, and how many rules wrote in its place.

    Parameters
    ----------
    model : its name.
    by_model : parts for which the model gave a reply that could be used.
    by_rules : parts for which it gave none.
    why : the most frequent reason for the latter.
    """

    model: str
    by_model: int = 0
    by_rules: int = 0
    why: str = ""

    @property
    def total(self) -> int:
        return self.by_model + self.by_rules

    def told(self, parts: str = "parts", otherwise: str = "by rules") -> str:
        """Return a phrase for people.

        Parameters
        ----------
        parts : what the model writes, in the plural.
        otherwise : what became of the parts that the model did not write.

        >>> Authorship("m", 5).told("summaries")
        '5 of 5 summaries by m'
        >>> Authorship("m", 3, 2, "It said nothing.").told("summaries")
        '3 of 5 summaries by m, 2 by rules: It said nothing.'
        """
        if not self.total:
            return f"no {parts} to write, so {self.model} was not called"
        if not self.by_rules:
            return f"{self.total:,} of {self.total:,} {parts} by {self.model}"
        why = f": {self.why}" if self.why else ""
        return (
            f"{self.by_model:,} of {self.total:,} {parts} by {self.model}, "
            f"{self.by_rules:,} {otherwise}{why}"
        )


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` of `total` units of a stage: documents, passages, texts, questions, tables.

    `spending` is what the run has paid a model for so far; None if it asks none. `authorship` says
    who wrote the parts of the artefact that is being made; None if no model is asked for them.
    """

    stage: Stage
    done: int
    total: int
    spending: Spending | None = None
    authorship: Authorship | None = None

    @property
    def model_told(self) -> str:
        """A phrase about the model's work and cost so far; empty without a model."""
        by_rules = self.authorship.by_rules if self.authorship else 0
        written = f"{by_rules:,} not written by the model" if by_rules else ""
        return ", ".join(filter(None, (str(self.spending or ""), written)))


Report = Callable[[Progress], None]
"""Is told how far a build is; it may raise `Cancelled`, and what is embedded by then is kept."""
