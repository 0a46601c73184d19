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
        """A sentence for people.

        >>> print(Staying(8, 4))
        12 reviews of its results stay with the index: 8 are seen in other runs, 4 not before a \
run asks the same of the same retriever.
        """
        both = self.shown + self.waiting
        if not both:
            return "Nobody has reviewed its results."
        head = "1 review stays" if both == 1 else f"{both:,} reviews of its results stay"
        seen = f"{self.shown:,} {'is' if self.shown == 1 else 'are'} seen in other runs"
        wait = f"{self.waiting:,} not before a run asks the same of the same retriever"
        told = ", ".join([*([seen] if self.shown else []), *([wait] if self.waiting else [])])
        return f"{head} with the index: {told}."


def staying(run: Run, runs: Runs, reviews: Iterable[Review]) -> Staying:
    """What becomes of those of `reviews` that are of results of `run`, when it is deleted."""
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
