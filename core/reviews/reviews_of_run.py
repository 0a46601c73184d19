"""Which reviews stay when a run is deleted, all of them, and where they are seen then."""

from collections.abc import Iterable
from dataclasses import dataclass

from core.marks.store import question_key
from core.reviews.review import Review
from core.runs import Run, Runs


@dataclass(frozen=True, slots=True)
class Staying:
    """Reviews of a run's results: `shown` by another run too, or `waiting` for one that asks the
    same question of the same retriever."""

    shown: int
    waiting: int

    def __str__(self) -> str:
        """Return a sentence for people.

        >>> print(Staying(8, 4))
        The 12 reviews of its results are kept with the index. 8 are also visible in another run; \
4 will be when another run has the same questions and retrievers.
        """
        both = self.shown + self.waiting
        if not both:
            return "Its results have no reviews."
        if both == 1:
            head, seen, wait = "The review of its results is", "It is", "It"
        else:
            head = f"The {both:,} reviews of its results are"
            seen = f"{self.shown:,} {'is' if self.shown == 1 else 'are'}"
            wait = f"{self.waiting:,}"
        parts = [f"{seen} also visible in another run"] if self.shown else []
        if self.waiting:
            when = "when another run has the same questions and retrievers"
            parts.append(f"{wait} will be {'' if parts else 'in sight '}{when}")
        return f"{head} kept with the index. {'; '.join(parts)}."


def staying(run: Run, runs: Runs, reviews: Iterable[Review]) -> Staying:
    """Count the reviews of the results of `run` that stay visible if the run is deleted."""
    asked = _asked(runs, run)
    mine = [one.key for one in reviews if one.question in asked and one.retriever in run.retrievers]
    others = [(other.retrievers, _asked(runs, other)) for other in runs.all() if other.id != run.id]
    shown = sum(
        any(retriever in retrievers and question in words for retrievers, words in others)
        for question, retriever in mine
    )
    return Staying(shown, len(mine) - shown)


def _asked(runs: Runs, run: Run) -> set[str]:
    return {question_key(query.text) for query in runs.questions(run.id)}
