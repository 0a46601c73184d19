"""Filters and sort orders for the rows of a run, as SQL."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from core.measures import MEASURES, STORED
from core.runs.store import model_costs, searches, stored_answers
from core.runs.store.added import TABLE

Order = Literal["worst", "best", "asked", "random", "apart", "regressions"]
"""`asked` is the order of the question set. `apart` and `regressions` need another retriever:
those most unlike first, and those first that the other one found more of."""

Won = Literal["", "better", "equal", "worse"]
"""How a result is against that of another retriever."""


@dataclass(frozen=True, slots=True)
class Other:
    """A retriever of the same or of another run that rows are compared with, question by question.

    Questions are the same if their words are.
    """

    run: str
    retriever: str


@dataclass(frozen=True, slots=True)
class Where:
    """A filter of rows; empty fields do not filter.

    Parameters
    ----------
    stages : a gold id of the question is at one of these (`Fate.stage`).
    outcomes : as `Row.outcome` says.
    text : a part of the question's words, in any case.
    fields : name and value: `dataset`, `type`, `origin`, `hops`, or one of `Query.fields`.
    measure : name and value of a measure, such as ("R@5", 0.0).
    questions : ids of questions.
    won : against `other`: `better`, `equal` or `worse` by `measured_by`.
    """

    stages: tuple[str, ...] = ()
    outcomes: tuple[str, ...] = ()
    text: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    measure: tuple[str, float] | None = None
    questions: tuple[str, ...] = ()
    other: Other | None = None
    won: Won = ""
    measured_by: str = "recall"


ALL = Where()
ANSWERS: Mapping[str, str] = {
    **{"EM": "em", "F1": "f1", "Accuracy": "accuracy", "Judge": "judge"},
    "Agreement": "agreement",
}
"""Measures of answers, in the order in which they are shown, with their names here."""
_JUDGED = ("accuracy", "judge", "agreement")
_MORE = ("recall", "em", "f1", "seconds", "judgements", "calls", "tokens")
OWN_FIELDS = ("dataset", "type", "hops", "origin")
# Runs of before called a question found whose other gold the index does not hold.
_OUTCOME = "iif(a.outcome = 'found' AND a.recall < 1, 'partly', a.outcome)"
_SETS = {
    "EXISTS (SELECT 1 FROM golds g WHERE g.run = a.run AND g.retriever = a.retriever"
    " AND g.question = a.question AND g.stage IN (SELECT value FROM json_each(?)))": "stages",
    f"{_OUTCOME} IN (SELECT value FROM json_each(?))": "outcomes",  # noqa: S608
    "a.question IN (SELECT value FROM json_each(?))": "questions",
}
_SIGNS = {"better": ">", "equal": "=", "worse": "<"}


def field_sql(name: str) -> tuple[str, tuple[str, ...]]:
    """Return the SQL of a question field as text, and its parameters."""
    if name in OWN_FIELDS:
        return f"CAST(q.{name} AS TEXT)", ()
    # A JSON path cannot hold any name: names are compared as values.
    return "(SELECT CAST(e.value AS TEXT) FROM json_each(q.fields) e WHERE e.key = ?)", (name,)


def clauses(run: str, retriever: str, where: Where) -> tuple[str, list[object]]:
    """Return FROM and WHERE over the rows `a`, questions `q` and the other rows `b`."""
    values: list[object] = []
    sql = " FROM rows a JOIN questions q ON q.run = a.run AND q.id = a.question"
    if where.other:
        sql += (
            " LEFT JOIN questions p ON p.run = ? AND p.words = q.words"
            " LEFT JOIN rows b ON b.run = p.run AND b.question = p.id AND b.retriever = ?"
        )
        values += [where.other.run, where.other.retriever]
    sql += " WHERE a.run = ? AND a.retriever = ?"
    values += [run, retriever]
    for narrowing, given in _conditions(where):
        sql += f" AND {narrowing}"
        values += given
    return sql, values


def _conditions(where: Where) -> list[tuple[str, list[object]]]:
    """Return the SQL conditions of a filter, with their values."""
    conditions: list[tuple[str, list[object]]] = []
    for narrowing, some in _SETS.items():
        if wanted := getattr(where, some):
            conditions.append((narrowing, [json.dumps(wanted)]))
    if where.text:
        conditions.append(("instr(lower(q.text), lower(?)) > 0", [where.text]))
    for name, value in where.fields:
        field, given = field_sql(name)
        conditions.append((f"{field} = ?", [*given, value]))
    if where.measure:
        name, number = where.measure
        conditions.append((f"{column(name)} = ?", [number]))
    if where.won:
        mine, theirs = column(where.measured_by), column(where.measured_by, "b")
        conditions.append((f"{mine} {_SIGNS[where.won]} {theirs}", []))
    return conditions


def ordering(order: Order, where: Where, seed: int) -> tuple[str, list[object]]:
    """Return ORDER BY; ties are in the order of the question set.

    Raises ValueError if the order needs another retriever and there is none.
    """
    if order in ("apart", "regressions") and not where.other:
        raise ValueError(f"the order {order!r} needs another retriever")
    mine, theirs = column(where.measured_by), column(where.measured_by, "b")
    by = {
        "worst": f"{mine} IS NULL, {mine}, a.AP, ",
        "best": f"{mine} IS NULL, {mine} DESC, a.AP DESC, ",
        "asked": "",
        "random": "(q.chance * ?) & 0x7fffffff, ",
        "apart": f"abs({mine} - {theirs}) IS NULL, abs({mine} - {theirs}) DESC, ",
        "regressions": f"{mine} - {theirs} IS NULL, {mine} - {theirs}, ",
    }[order]
    values: list[object] = [2 * (seed & 0x3FFFFFFF) + 1] if order == "random" else []
    return f" ORDER BY {by}q.number", values


def column(measure: str, of: str = "a") -> str:
    """Return the SQL of a measure or count; ValueError for any other name."""
    if measure in _JUDGED:
        return stored_answers.column(measure, of)
    if measure in (*model_costs.MEASURES, model_costs.PRICE):
        return model_costs.column(measure, of)
    if measure in searches.MEASURES:
        return searches.column(measure, of)
    if measure not in (*MEASURES, *_MORE):
        raise ValueError(f"nothing is measured that is called {measure!r}")
    if measure in STORED or measure in _MORE:
        return f'{of}."{measure}"'
    same = f"m.run = {of}.run AND m.retriever = {of}.retriever AND m.question = {of}.question"
    return f'(SELECT m."{measure}" FROM {TABLE} m WHERE {same})'  # noqa: S608
