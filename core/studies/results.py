"""Results of a study: means and intervals by retriever, index and group of questions.

The means are those of the stored run, over the same questions as on the Evaluate page.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.evaluation.paired import margin_of
from core.retrievers import Spec
from core.runs import ALL, Run, Runs, Where
from core.runs.analysis.leaderboard import interval
from core.runs.analysis.slices import values_of, within
from core.runs.store.listing import ANSWERS as OF_ANSWERS
from core.runs.store.listing import clauses, column
from core.studies.definition import COSTS, SETS, SHARES, PaperRow, Study
from core.studies.measuring import columns_of, found_run
from core.studies.relevance import shares_of
from core.studies.variants import Variant

_GOLD_FOUND = (
    "(SELECT count(DISTINCT g.rank) FROM golds g WHERE g.run = a.run AND"
    " g.retriever = a.retriever AND g.question = a.question)"
)
_RETRIEVED = "json_array_length(a.hits)"


@dataclass(frozen=True, slots=True)
class Line:
    """A retriever on an index: a row of the study's tables.

    Parameters
    ----------
    named : the retriever as the study names it; `asked` is the one that was asked, which is
        another where it stands in for one that needs a model.
    settings : of the retriever, of the index and of the models, by name.
    shown : the settings of the retriever that its label shows: those of which the study has several
        values, and those that are not at their defaults.
    done : questions that were asked, of `total`.
    """

    variant: Variant
    run: Run
    named: Spec
    asked: Spec
    settings: Mapping[str, object] = field(hash=False)
    shown: tuple[tuple[str, object], ...] = ()
    done: int = 0
    total: int = 0

    @property
    def stands_in(self) -> bool:
        """Whether a substitute was evaluated in place of the retriever."""
        return self.named != self.asked


@dataclass(frozen=True, slots=True)
class Cell:
    """A mean over `n` questions, and its 95% interval (Student's t); of seconds the median.

    Measures are in percent, costs in their own unit. None where nothing is known.
    """

    n: int
    mean: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Results:
    """All lines of a study; `missing` are the indexes that have no run of it yet."""

    study: Study
    lines: tuple[Line, ...]
    missing: tuple[Variant, ...] = ()
    left_out: tuple[Spec, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every retriever was evaluated on every question of every index."""
        return not self.missing and all(line.done == line.total for line in self.lines)

    def line_of(self, row: PaperRow) -> Line | None:
        """Return the line that corresponds to a row of a paper; None if there is none, or several.

        A setting that the row does not name may have any value.
        """
        spec = Spec.known(row.retriever) if row.retriever else None
        if spec is None:
            return None
        exact = [one for one in self.lines if one.named == spec]
        matches = exact or [
            one
            for one in self.lines
            if one.named.key == spec.key
            and all(one.named.values[name] == value for name, value in spec.settings)
        ]
        return matches[0] if len(matches) == 1 else None


def results_of(study: Study, variants: Sequence[Variant]) -> Results:
    """Return the stored results of a study.

    Raises
    ------
    StoreError : the runs of an index cannot be read.
    """
    lines: list[Line] = []
    missing = []
    left_out: tuple[Spec, ...] = ()
    for variant in variants:
        runs = Runs(variant.place)
        run = found_run(study, runs, variant.models)
        if run is None:
            missing.append(variant)
            continue
        there = set(run.retrievers)
        by_model = any(one.idle_without_model for one in study.retrievers if str(one) in there)
        columns = columns_of(study, with_model=by_model)
        left_out = columns.left_out
        for named, asked in columns.asked.items():
            if str(asked) not in there:
                continue
            lines.append(
                Line(
                    variant,
                    run,
                    named,
                    asked,
                    {**named.values, **variant.settings},
                    _shown_settings(named, study),
                    runs.count(run.id, str(asked)),
                    run.questions,
                )
            )
    return Results(study, tuple(lines), tuple(missing), left_out)


def _shown_settings(spec: Spec, study: Study) -> tuple[tuple[str, object], ...]:
    """Return the settings to show: those given, and those in which retrievers of the same kind
    differ.
    """
    alike = [one for one in study.retrievers if one.key == spec.key]
    own = dict(spec.settings)
    return tuple(
        (name, value)
        for name, value in spec.values.items()
        if name in own or any(one.values[name] != value for one in alike)
    )


def groups_of(results: Results, field_name: str) -> tuple[str, ...]:
    """Return the values of a field over the questions of all runs; none of fewer than two."""
    if not field_name:
        return ()
    runs = {line.run.id: line for line in results.lines}
    values: dict[str, None] = {}
    for line in runs.values():
        values |= dict.fromkeys(values_of(Runs(line.variant.place), line.run, field_name))
    return tuple(values) if len(values) > 1 else ()


def cell_of(line: Line, measure: str, field_name: str = "", group: str = "") -> Cell:
    """Return the mean of a measure over the questions of a line, or those of one group.

    Parameters
    ----------
    field_name, group : a field of the questions and its value; empty for all questions.
    """
    where = within(ALL, field_name, group) if group else ALL
    values = _values(line, measure, where)
    if not values:
        return Cell(0)
    if measure == "seconds":  # as on Evaluate: one slow question says nothing of the others
        return Cell(len(values), float(np.median(values)))
    if measure in COSTS:
        mean, margin = float(np.mean(values)), margin_of(np.array(values))
        low, high = (None, None) if margin is None else (max(mean - margin, 0.0), mean + margin)
        return Cell(len(values), mean, low, high)
    estimate = interval([*values])
    return Cell(estimate.n, estimate.mean, estimate.low, estimate.high)


def by_question(line: Line, measure: str) -> dict[str, float]:
    """Return the measure of each question that has one, by the normalised text of the question."""
    return dict(_rows(line, measure, ALL))


def _values(line: Line, measure: str, where: Where) -> list[float]:
    """Return the measure of each question that has one, in question order."""
    return [value for _, value in _rows(line, measure, where)]


def _rows(line: Line, measure: str, where: Where) -> list[tuple[str, float]]:
    """Return the normalised text and the measure of each question that has one, in order."""
    sql, given = clauses(line.run.id, str(line.asked), where)
    runs = Runs(line.variant.place)
    order = " ORDER BY q.number"
    if measure in SETS:
        rows = runs.read(
            f"SELECT q.words, a.recall, {_GOLD_FOUND}, {_RETRIEVED}{sql}{order}", *given
        )
        known = [row for row in rows if row[1] is not None]
        return [(words, _set_measure(measure, *row)) for words, *row in known]
    if measure in SHARES:
        shares, at = shares_of(line.variant.place, line.run, str(line.asked)), SHARES.index(measure)
        asked = runs.read(f"SELECT q.words, a.question{sql}{order}", *given)
        return [(words, shares[one][at]) for words, one in asked if one in shares]
    wanted = column(OF_ANSWERS.get(measure, measure))
    if measure == "seconds":
        wanted = "a.seconds - a.embed_seconds"
    rows = runs.read(f"SELECT q.words, {wanted}{sql}{order}", *given)
    return [(words, float(value)) for words, value in rows if value is not None]


def _set_measure(measure: str, recall: float, found: int, retrieved: int) -> float:
    """Return a measure of the retrieved passages, of which `found` are gold."""
    if measure == "R":
        return recall
    precision = found / retrieved if retrieved else 0.0
    if measure == "P":
        return precision
    both = precision + recall
    return 2 * precision * recall / both if both else 0.0
