"""The lists behind a retrieval, whole: a trace shows the first of each, which may lack gold."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol, Self, runtime_checkable

from core.ranking import Scores, best
from core.steps import Asked, Began, Offered, Step


def itself(passage: int) -> Iterable[int]:
    """What leads to a passage in a list of passages."""
    return (passage,)


def nameless(_: int) -> str:
    return ""


@dataclass(frozen=True)
class Searched:
    """All that a search compared, of which it took the first few.

    Parameters
    ----------
    of : what is listed, in the singular.
    order : their numbers, best first; those that could not be taken at all are left out.
    scores : of each, by its number.
    taken, word : how many of them were, and the retriever's word for that.
    leads : the numbers of those that lead to a passage, by its number.
    name : what one of them is called; empty for a passage, which is the one that is asked for.
    where : the place, behind a rank: `in hop 2`.
    least : what a score had to be above, where that ended the list, not the number of places.
    after : what became of one that was taken here, or had a rank to be, by its number.
    absent : what is said of a passage that nothing in the list leads to; empty if that is usual.
    """

    of: str
    order: Sequence[int]
    scores: Mapping[int, float] | Scores
    taken: int
    leads: Callable[[int], Iterable[int]] = itself
    name: Callable[[int], str] = nameless
    where: str = ""
    least: float | None = None
    after: Mapping[int, str] = field(default_factory=dict)
    absent: str = ""
    word: str = "selected"

    @classmethod
    def by(
        cls,
        of: str,
        scores: Scores,
        taken: int,
        leads: Callable[[int], Iterable[int]] = itself,
        name: Callable[[int], str] = nameless,
        where: str = "",
        least: float | None = None,
    ) -> Self:
        """A list of all that has a score, (n,), equal ones in order of number."""
        order = best(scores, len(scores)).tolist()
        return cls(of, order, scores, taken, leads, name, where, least)

    def with_after(self, after: Mapping[int, str]) -> Self:
        """The same, with what became of some of them."""
        return replace(self, after=after)

    @cached_property
    def rank(self) -> Mapping[int, int]:
        """From 1, by number."""
        return {number: rank for rank, number in enumerate(self.order, start=1)}

    @property
    def last(self) -> float | None:
        """The score of the last one that was taken; None if none was."""
        return float(self.scores[self.order[self.taken - 1]]) if self.taken else None


@runtime_checkable
class Searching(Protocol):
    """A retriever that can tell the lists behind its steps."""

    def searched(self, steps: Sequence[Step]) -> Iterator[Searched]:
        """The lists that a retrieval with these steps of its own looked for passages in.

        Raises
        ------
        LeaveMissing : a model would have to be asked again.
        """
        ...


def asked_in(steps: Sequence[Step]) -> str:
    """The question that `steps` begin with."""
    return next(step.query for step in steps if isinstance(step, Asked))


def lists_in(steps: Sequence[Step], of: str = "") -> Iterator[tuple[int, Offered]]:
    """The lists of `steps`, or those of some things, each with the number of its round."""
    number = 0
    for step in steps:
        if isinstance(step, Began):
            number = step.number
        if isinstance(step, Offered) and of in ("", step.of):
            yield number, step


def left_out(step: Offered) -> dict[str, str]:
    """Why what a list names was not taken, by id, where it says that."""
    return {
        offer.target: ", ".join(text for _, text in offer.notes)
        for offer in step.offers
        if not offer.taken and offer.notes
    }
