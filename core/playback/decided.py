"""Share of a model's decisions that it made itself, wherever a result is shown or exported."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from typing_extensions import TypedDict

from core.steps import Step, Told

_LISTED = 3  # reasons that a line repeats


class DecidedJson(TypedDict):
    """A `Decided` as JSON."""

    turned_to: int
    decided: int
    fallbacks: int
    why: dict[str, int]


@dataclass(frozen=True, slots=True)
class Decided:
    """The model was called for `turned_to` decisions, and a fallback replaced it in some.

    `why` says what went wrong and what was done instead, each with the times it was so, the most
    frequent first.
    """

    turned_to: int = 0
    why: tuple[tuple[str, int], ...] = ()

    @property
    def fallbacks(self) -> int:
        """Number of steps at which a fallback replaced the model's reply."""
        return sum(times for _, times in self.why)

    @property
    def decided(self) -> int:
        """Number of steps at which the model's reply was used."""
        return self.turned_to - self.fallbacks

    @property
    def nothing(self) -> bool:
        """Whether the model was called but none of its replies was used."""
        return bool(self.turned_to and not self.decided)

    def called(self, name: str) -> str:
        """Return the name of a retriever, marked if the model decided nothing."""
        return f"{name} (no model)" if self.nothing else name

    def to_json(self) -> DecidedJson | None:
        """Return the counts as JSON values, or None if no model was called."""
        if not self.turned_to:
            return None
        return {
            "turned_to": self.turned_to,
            "decided": self.decided,
            "fallbacks": self.fallbacks,
            "why": dict(self.why),
        }

    def __str__(self) -> str:
        """Return a line for the screen; empty if no model was called.

        >>> print(Decided(12, (("No key. The first is taken.", 2),)))
        The model's reply was used in 10 of 12 steps. In 2: No key. The first is taken.
        """
        if not self.turned_to:
            return ""
        sentences = [f"The model's reply was used in {self.decided:,} of {_steps(self.turned_to)}."]
        sentences += [f"In {times:,}: {reason}" for reason, times in self.why[:_LISTED]]
        if len(self.why) > _LISTED:
            sentences.append(f"And {len(self.why) - _LISTED:,} more reasons.")
        return " ".join(sentences)


def _steps(count: int) -> str:
    return f"{count:,} {'step' if count == 1 else 'steps'}"


NO_MODEL = Decided()
"""Of what asks no model."""


def decided(steps: Sequence[Step]) -> Decided:
    """Count the model's decisions in one retrieval, including nested ones."""
    asked = [step.told for step in steps if step.told.exchange]
    return Decided(len(asked), _ordered(Counter(filter(None, map(_reason, asked)))))


def all_decided(parts: Iterable[Decided]) -> Decided:
    """Sum the decisions of several retrievals."""
    turned_to, why = 0, Counter[str]()
    for part in parts:
        turned_to += part.turned_to
        why.update(dict(part.why))
    return Decided(turned_to, _ordered(why))


def unjudged(steps: Sequence[Step]) -> tuple[int, ...]:
    """Return the numbers, from 1, of steps whose model call has not been made."""
    return tuple(
        number
        for number, step in enumerate(steps, start=1)
        if (said := step.told.exchange) and not said.replies and not said.trouble
    )


def _reason(told: Told) -> str:
    """Return why the reply was not used and what replaced it, or an empty string."""
    trouble = told.exchange.trouble if told.exchange else ""
    return told.fallback if trouble in told.fallback else f"{trouble} {told.fallback}".strip()


def _ordered(why: "Counter[str]") -> tuple[tuple[str, int], ...]:
    return tuple(why.most_common())
