"""Runs of two indexes of one corpus, compared question by question.

A chunking is judged by this: the same questions need the same evidence, whatever the passages are.
Since larger passages hold more of it, what a reader must read stands beside what is found.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.evaluation.paired import FEWEST, difference
from core.evidence import GoldLevel
from core.marks.gold import asked_text
from core.marks.store import question_key
from core.measures import BUDGETS, fitting
from core.models.token_counts import tokens_of
from core.runs.analysis.recall import recalled
from core.runs.gold import level_of
from core.runs.run import Row, Run
from core.runs.store import Runs
from core.store.index import Index
from core.types import Query

CUTOFFS = (5, 10, 20)
BUDGET = BUDGETS[0]
"""Tokens of a reader who stops before the first passage that would pass them."""
Values = Mapping[str, float | None]
"""Measures of a question by name."""
Lengths = tuple[int, ...] | None
"""Tokens of the passages of a ranking, best first; None where the index lacks one of them."""
_NAMED = 5  # questions that are named where they are left out
COUNTED = {"evidence": "evidence", "document": "documents or passages"}
"""What counts as gold, in words, by its level."""


@dataclass(frozen=True, slots=True)
class Side:
    """A run and the index it was evaluated on."""

    index: Index
    run: Run

    @property
    def runs(self) -> Runs:
        return Runs(self.index.path)

    def to_json(self) -> dict[str, Any]:
        """Return the run and the size of its index as JSON values."""
        meta = self.index.meta
        return {
            "index": self.index.name,
            "run": self.run.name,
            "run_id": self.run.id,
            "chunking": meta.chunking,
            "passages": meta.counts.vertices,
            "mean_characters": meta.counts.text_length,
        }


@dataclass(frozen=True, slots=True)
class Scope:
    """The number of compared questions of two runs, and why others are left out.

    `differing` are the words of those whose gold is not the same in both.
    """

    compared: int
    only_here: int = 0
    only_there: int = 0
    without_gold: int = 0
    differing: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return sentences for the screen.

        >>> print(Scope(20, only_here=3, differing=("Who won?",)))
        20 shared questions with the same gold. Left out: 3 only in this run, 1 whose gold differs \
(Who won?).
        """
        noun = "question" if self.compared == 1 else "questions"
        shared = f"{self.compared:,} shared {noun} with the same gold."
        return f"{shared} Left out: {self.left_out}." if self.left_out else shared

    @property
    def left_out(self) -> str:
        """The number of questions that are not compared and the reason; empty if all are."""
        parts = [
            f"{number:,} {why}"
            for number, why in (
                (self.only_here, "only in this run"),
                (self.only_there, "only in the other run"),
                (self.without_gold, "without gold"),
            )
            if number
        ]
        if self.differing:
            more = "; …" if len(self.differing) > _NAMED else ""
            named = "; ".join(self.differing[:_NAMED]) + more
            parts.append(f"{len(self.differing):,} whose gold differs ({named})")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Line:
    """A measure of one retriever in both runs, over the `n` questions with a value in both.

    Shares are in percent, their `difference` (`ours` minus `theirs`) in percentage points; tokens
    are means per question. `low` and `high` are the ends of the 95% interval of the difference
    (Student's t), None for too few questions. `p` is two-sided, None for too few questions.
    """

    measure: str
    n: int
    ours: float
    theirs: float
    difference: float
    low: float | None
    high: float | None
    p: float | None


@dataclass(frozen=True, slots=True)
class CrossIndex:
    """The measures of both runs, by retriever."""

    ours: Side
    theirs: Side
    level: GoldLevel
    scope: Scope
    lines: dict[str, tuple[Line, ...]]

    def to_json(self) -> dict[str, Any]:
        """Return the comparison as JSON values: both runs, their questions, and the lines."""
        return {
            "ours": self.ours.to_json(),
            "theirs": self.theirs.to_json(),
            "gold": self.level,
            "questions": asdict(self.scope),
            "retrievers": {
                retriever: {
                    line.measure: {
                        name: value for name, value in asdict(line).items() if name != "measure"
                    }
                    for line in lines
                }
                for retriever, lines in self.lines.items()
            },
        }


def compare_indexes(ours: Side, theirs: Side) -> CrossIndex:
    """Compare the retrievers that two runs have in common.

    Raises
    ------
    InputError : the runs count different things as gold, or have no retriever or no question with
        the same gold in common.
    """
    level = level_of(ours.run)
    if level != level_of(theirs.run):
        raise InputError(
            f"{ours.run.name} counts {COUNTED[level]} as gold, but {theirs.run.name} counts "
            f"{COUNTED[level_of(theirs.run)]}. Choose two runs that count gold in the same "
            "way."
        )
    common = [name for name in ours.run.retrievers if name in theirs.run.retrievers]
    if not common:
        raise InputError(
            f"{ours.run.name} and {theirs.run.name} have no retriever in common. Evaluate the same "
            "retriever with both indexes."
        )
    scope, comparable = _shared(_questions(ours), _questions(theirs))
    if not comparable:
        here, there = (f"{side.run.name} of {side.index.name}" for side in (ours, theirs))
        raise InputError(
            f"{here} and {there} share no question with the same gold: {scope.left_out}. Choose a "
            "run of the same questions."
        )
    lines = {
        name: _measure_lines(_measured(ours, name), _measured(theirs, name), comparable)
        for name in common
    }
    return CrossIndex(ours, theirs, level, scope, lines)


def _questions(side: Side) -> dict[str, Query]:
    return {question_key(query.text): query for query in side.runs.questions(side.run.id)}


def _measured(side: Side, retriever: str) -> dict[str, Values]:
    """Return the compared measures of each question with gold, by its words."""
    return {
        question_key(row.question.text): _values(row, _lengths(row, side.index))
        for row in side.runs.every(side.run.id, retriever)
        if row.ranks
    }


def _lengths(row: Row, index: Index) -> Lengths:
    if any(name not in index.number for name in row.hits):
        return None
    return tuple(tokens_of(index.passage(name).text) for name in row.hits)


def _shared(ours: dict[str, Query], theirs: dict[str, Query]) -> tuple[Scope, list[str]]:
    """Return the scope of a comparison of two question sets, and the keys of the compared
    questions.
    """
    both = [words for words in ours if words in theirs]
    same = [words for words in both if _needs(ours[words]) == _needs(theirs[words])]
    comparable = [words for words in same if ours[words].gold]
    scope = Scope(
        compared=len(comparable),
        only_here=len(ours) - len(both),
        only_there=len(theirs) - len(both),
        without_gold=len(same) - len(comparable),
        differing=tuple(
            ours[words].text for words in both if _needs(ours[words]) != _needs(theirs[words])
        ),
    )
    return scope, comparable


def _needs(query: Query) -> list[tuple[str, str]]:
    """Return the gold of a question: the text and document of its evidence, else the gold ids."""
    named = ((asked_text(query, name), name) for name in query.gold)
    return sorted((each.text, each.document) if each else ("", name) for each, name in named)


def _values(row: Row, lengths: Lengths) -> dict[str, float | None]:
    """Return the compared measures of a row, by name; None where the tokens are not known."""
    ranks = row.ranks
    within = None if lengths is None else recalled(ranks, fitting(lengths, BUDGET))
    return {
        **{f"R@{k}": recalled(ranks, k) for k in CUTOFFS},
        **{f"all@{k}": float(recalled(ranks, k) == 1) for k in CUTOFFS},
        f"R@{BUDGET} tokens": within,
        **{f"tokens@{k}": None if lengths is None else sum(lengths[:k]) for k in CUTOFFS},
    }


def _measure_lines(
    ours: Mapping[str, Values], theirs: Mapping[str, Values], comparable: Sequence[str]
) -> tuple[Line, ...]:
    """Return a line for each measure, over the questions for which both runs have a value.

    `ours` and `theirs` map a question's key to its measures; `comparable` lists the keys to
    compare.
    """
    pairs: dict[str, list[tuple[float, float]]] = {}
    for key in comparable:
        if key not in ours or key not in theirs:
            continue  # one of the runs ended early
        for name, our_value in ours[key].items():
            their_value = theirs[key][name]
            if our_value is not None and their_value is not None:
                pairs.setdefault(name, []).append((our_value, their_value))
    return tuple(
        _line(name, np.array(pairs_of_values, dtype=np.float64))
        for name, pairs_of_values in pairs.items()
    )


def _line(name: str, pairs: NDArray[np.float64]) -> Line:
    """Return a line of the values of both sides, (questions, 2)."""
    # `difference` is of shares and tells percent; tokens are told as they are.
    scale = 0.01 if name.startswith("tokens") else 1.0
    apart = difference(name, scale * (pairs[:, 0] - pairs[:, 1]))
    here, there = (100 * scale * pairs.mean(axis=0)).tolist()
    p = apart.p if apart.n >= FEWEST else None
    return Line(name, apart.n, here, there, apart.mean, apart.low, apart.high, p)
