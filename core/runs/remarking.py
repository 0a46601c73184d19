"""Gold that was marked by hand after a run had asked its questions: its figures are of before."""

from dataclasses import dataclass

from core.marks.gold import golds_of
from core.marks.marking import is_typed
from core.playback.wording import number
from core.runs.question_sets import OWN
from core.runs.run import Run
from core.runs.store import Runs
from core.store.index import Index


@dataclass(frozen=True, slots=True)
class Remarked:
    """How many gold passages, over all questions of a run, are gold now and were not when it asked
    (`marked`), and the other way about (`unmarked`)."""

    marked: int = 0
    unmarked: int = 0

    def __bool__(self) -> bool:
        return bool(self.marked or self.unmarked)

    def __str__(self) -> str:
        """A sentence for people.

        >>> print(Remarked(2))
        2 gold passages were marked after this run: measure again.
        >>> print(Remarked(1, 3))
        1 gold passage was marked and 3 were unmarked after this run: measure again.
        """
        told: list[str] = []
        for count, done in ((self.marked, "marked"), (self.unmarked, "unmarked")):
            if count:
                what = f"{count:,}" if told else number(count, "gold passage")
                told.append(f"{what} {'was' if count == 1 else 'were'} {done}")
        return f"{' and '.join(told)} after this run: measure again."


def remarked_since(run: Run, index: Index) -> Remarked:
    """What was marked since `run` asked the questions of `index`; nothing of other question sets.

    A question that the index does not know any more was not marked otherwise.

    Raises
    ------
    RunUnreadable, StoreError : the run or the marks cannot be read.
    """
    if run.question_set != OWN:
        return Remarked()
    asked = Runs(index.path).questions(run.id)
    marked = unmarked = 0
    for query, gold in zip(asked, golds_of(index, [one.text for one in asked]), strict=True):
        if gold.given or gold.added or is_typed(query):
            marked += len({*gold.ids} - {*query.gold})
            unmarked += len({*query.gold} - {*gold.ids})
    return Remarked(marked, unmarked)
