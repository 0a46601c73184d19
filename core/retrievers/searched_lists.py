"""The complete ranked lists behind a retrieval, of which a trace stores only the beginning."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol, Self, runtime_checkable

from core.ranking import Scores, best
from core.steps import Asked, Began, Offered, Step


def itself(passage: int) -> Iterable[int]:
    """Return the items that lead to a passage: in a list of passages, the passage itself."""
    return (passage,)


def nameless(_: int) -> str:
    return ""


@dataclass(frozen=True)
class Searched:
    """The complete ranked list of a search, of which the retriever took the first items.

    Parameters
    ----------
    of : the kind of the items, in the singular.
    order : item numbers, best first, without items that cannot be taken.
    scores : the score of each item, by number.
    taken : how many items were taken.
    word : the retriever's word for "taken".
    leads : returns the numbers of the items that lead to a passage, by its number.
    name : returns the name of an item; "" for passages.
    where : suffix of a rank: `in hop 2`.
    least : the score that an item had to exceed, if a threshold ended the list.
    after : what happened afterwards to an item that was taken or ranked high enough, by number.
    absent : message for a passage that no item leads to; "" if that is usual.
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
    def from_scores(
        cls,
        of: str,
        scores: Scores,
        taken: int,
        leads: Callable[[int], Iterable[int]] = itself,
        name: Callable[[int], str] = nameless,
        where: str = "",
        least: float | None = None,
    ) -> Self:
        """Return a list of all scored items, best first, ties by number; `scores` is (n,)."""
        order = best(scores, len(scores)).tolist()
        return cls(of, order, scores, taken, leads, name, where, least)

    def with_after(self, after: Mapping[int, str]) -> Self:
        """Return the list with notes on what happened to some items afterwards."""
        return replace(self, after=after)

    @cached_property
    def rank(self) -> Mapping[int, int]:
        """The rank of each item, from 1, by number."""
        return {number: rank for rank, number in enumerate(self.order, start=1)}

    @property
    def last(self) -> float | None:
        """The score of the last item that was taken; None if none was."""
        return float(self.scores[self.order[self.taken - 1]]) if self.taken else None


@runtime_checkable
class Searching(Protocol):
    """A retriever that can compute the complete lists behind its steps."""

    def searched(self, steps: Sequence[Step]) -> Iterator[Searched]:
        """Return the complete lists that this retriever searched in a retrieval.

        Raises
        ------
        LeaveMissing : a model would have to be called again.
        """
        ...


def query_in(steps: Sequence[Step]) -> str:
    """Return the query of a retrieval, from its first step."""
    return next(step.query for step in steps if isinstance(step, Asked))


def lists_in(steps: Sequence[Step], of: str = "") -> Iterator[tuple[int, Offered]]:
    """Yield each candidate list in `steps` with its round; only lists of kind `of` if given."""
    number = 0
    for step in steps:
        if isinstance(step, Began):
            number = step.number
        if isinstance(step, Offered) and of in ("", step.of):
            yield number, step


def reasons_left_out(step: Offered) -> dict[str, str]:
    """Return the recorded reasons why items of a list were not selected, by id."""
    return {
        offer.target: ", ".join(text for _, text in offer.notes)
        for offer in step.offers
        if not offer.taken and offer.notes
    }
