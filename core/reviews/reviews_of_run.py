"""The reviews that stay visible when a run is deleted."""

from collections.abc import Iterable
from dataclasses import dataclass

from core.marks.store import question_key
from core.reviews.review import Review
from core.runs import Run, Runs


@dataclass(frozen=True, slots=True)
class Staying:
    """Reviews of a run's results: `shown` ones also belong to another run, `waiting` ones appear
    again once a run has the same question and retriever.
    """

    shown: int
    waiting: int

    def __str__(self) -> str:
        """Return a sentence for people.

        >>> print(Staying(3, 0))
        Its 3 reviews stay with the index and can be read in another run.
        >>> print(Staying(8, 4))
        Its 12 reviews stay with the index. 8 can be read in another run; 4 can be read again when \
a run has the same questions and retrievers.
        """
        both = self.shown + self.waiting
        if not both:
            return "Its results have no reviews."
        head = f"Its {'review stays' if both == 1 else f'{both:,} reviews stay'} with the index"
        again = "can be read again when a run has the same questions and retrievers"
        if not self.waiting:
            return f"{head} and can be read in another run."
        if not self.shown:
            return f"{head} and {again}."
        return f"{head}. {self.shown:,} can be read in another run; {self.waiting:,} {again}."


def staying(run: Run, runs: Runs, reviews: Iterable[Review]) -> Staying:
    """Count the reviews of the results of `run` that stay visible if the run is deleted."""
    asked = _question_keys(runs, run)
    mine = [one.key for one in reviews if one.question in asked and one.retriever in run.retrievers]
    others = [
        (other.retrievers, _question_keys(runs, other))
        for other in runs.all()
        if other.id != run.id
    ]
    shown = sum(
        any(retriever in retrievers and question in words for retrievers, words in others)
        for question, retriever in mine
    )
    return Staying(shown, len(mine) - shown)


def _question_keys(runs: Runs, run: Run) -> set[str]:
    return {question_key(query.text) for query in runs.questions(run.id)}
