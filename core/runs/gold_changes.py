"""Changes of gold marked by hand since a run was evaluated.

The figures of a run are of before what was marked after it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.marks.gold import Gold, asked_text, golds_of_queries
from core.marks.marking import is_typed
from core.runs.gold import level_of
from core.runs.question_sets import OWN
from core.runs.run import Run
from core.runs.store import Runs
from core.store.index import Index
from core.text.clean import one_line
from core.text.display.plurals import number
from core.types import Evidence, Query


@dataclass(frozen=True, slots=True)
class Remarked:
    """The number of gold passages, over all questions of a run, that were added since it was
    evaluated (`marked`) and removed since (`unmarked`).
    """

    marked: int = 0
    unmarked: int = 0

    def __bool__(self) -> bool:
        return bool(self.marked or self.unmarked)

    def __str__(self) -> str:
        """Return a sentence for the screen.

        >>> print(Remarked(2))
        2 gold passages were marked after this run. A new run counts them.
        >>> print(Remarked(1, 3))
        1 gold passage was marked and 3 were unmarked after this run. A new run counts them.
        """
        them = "it" if self.marked + self.unmarked == 1 else "them"
        return f"{self.happened} after this run. A new run counts {them}."

    @property
    def happened(self) -> str:
        """The number of added and removed gold passages, as the start of a sentence."""
        parts: list[str] = []
        for count, done in ((self.marked, "marked"), (self.unmarked, "unmarked")):
            if count:
                what = f"{count:,}" if parts else number(count, "gold passage")
                parts.append(f"{what} {'was' if count == 1 else 'were'} {done}")
        return " and ".join(parts)


def remarked(query: Query, gold: Gold) -> Remarked:
    """Count the gold marked or unmarked since `query` was run.

    `gold` is its gold now. A question that is no longer in the index has no changes.
    """
    if not (gold.given or gold.added or is_typed(query)):
        return Remarked()
    now, then = _texts(gold, gold.ids), _texts_of_asked_gold(query)
    return Remarked(_count_new(now, then), _count_new(then, now))


def _texts(gold: Gold, ids: Iterable[str]) -> dict[str, str]:
    """Return the text of evidence and of marks by gold id; empty where none is known."""
    return {name: _text(gold.evidence.get(name) or gold.marked.get(name)) for name in ids}


def _texts_of_asked_gold(query: Query) -> dict[str, str]:
    """Return the texts of the gold that a question was run with."""
    return {name: _text(asked_text(query, name)) for name in query.gold}


def _text(evidence: Evidence | None) -> str:
    return one_line(evidence.text) if evidence else ""


def _count_new(gold: Mapping[str, str], others: Mapping[str, str]) -> int:
    """Count the gold passages that `others` lacks, by id and by text.

    Texts are compared too because ids change with the chunking.
    """
    texts = {*others.values()} - {""}
    return sum(name not in others and text not in texts for name, text in gold.items())


def remarked_each(run: Run, questions: Sequence[Query], index: Index) -> list[Remarked]:
    """Count the gold changes since `run` for each question; none in other question sets.

    Raises
    ------
    StoreError : the marks cannot be read.
    """
    if run.question_set != OWN:
        return [Remarked()] * len(questions)
    golds = golds_of_queries(index, questions, level_of(run))
    return [remarked(query, gold) for query, gold in zip(questions, golds, strict=True)]


def remarked_since(run: Run, index: Index) -> Remarked:
    """Count the gold changes since `run` over all its questions.

    Raises
    ------
    RunUnreadable, StoreError : the run or the marks cannot be read.
    """
    if run.question_set != OWN:
        return Remarked()
    each = remarked_each(run, Runs(index.path).questions(run.id), index)
    return Remarked(sum(one.marked for one in each), sum(one.unmarked for one in each))


def asked_by_hand(run: Run, index: Index) -> int:
    """Count the questions evaluated with gold that was marked by hand and still is.

    Raises
    ------
    RunUnreadable, StoreError : the run or the marks cannot be read.
    """
    if run.question_set != OWN:
        return 0
    asked = Runs(index.path).questions(run.id)
    golds = golds_of_queries(index, asked, level_of(run))
    return sum(
        _count_new(_texts(gold, gold.added), _texts_of_asked_gold(query)) < len(gold.added)
        for query, gold in zip(asked, golds, strict=True)
    )
