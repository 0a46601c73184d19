"""A run seen from several sides: by a field of the questions, by k, and by round."""

import json
import math
from collections import defaultdict
from dataclasses import replace

from core.runs.analysis.chain_slices import CHAIN, Slice, has_chain
from core.runs.analysis.leaderboard import interval
from core.runs.run import Run
from core.runs.store import Runs
from core.runs.store.listing import ALL, OWN_FIELDS, Where, clauses, column, field_sql

_MOST = 50  # values of a field by which questions can be told apart


def fields_of(runs: Runs, run: Run) -> list[str]:
    """Return the fields with two or more values among the questions of a run.

    `CHAIN` is among them where evidence of two hops or more is known.
    """
    detail_names = runs.read(
        "SELECT DISTINCT e.key FROM questions q, json_each(q.fields) e WHERE q.run = ?", run.id
    )
    names = [*OWN_FIELDS, *sorted(str(name) for (name,) in detail_names)]
    fields = [name for name in names if 1 < len(values_of(runs, run, name)) <= _MOST]
    return [*fields, CHAIN] if has_chain(runs, run) else fields


def values_of(runs: Runs, run: Run, field: str) -> list[str]:
    """Return the values of a field, numbers in numeric order.

    At most one more than can be shown is returned.
    """
    sql, given = field_sql(field)
    rows = runs.read(
        f"SELECT DISTINCT {sql} AS value FROM questions q WHERE q.run = ? AND value != ''"  # noqa: S608
        " ORDER BY length(value), value LIMIT ?",
        *(*given, run.id, _MOST + 1),
    )
    values = [str(value) for (value,) in rows]
    return sorted(values, key=float) if all(map(is_number, values)) else sorted(values)


def is_number(text: str) -> bool:
    """Check whether a field value is a finite number."""
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def slices(runs: Runs, run: Run, field: str, measure: str, where: Where = ALL) -> list[Slice]:
    """Compute a measure for each value of a field."""
    numbers: dict[str, dict[str, list[float | None]]] = defaultdict(dict)
    name, given = field_sql(field)
    for retriever in run.retrievers:
        sql, values = clauses(run.id, retriever, where)
        shares = f"SELECT {name}, {column(measure)}{sql} ORDER BY q.number"
        for value, share in runs.read(shares, *given, *values):
            numbers[value or ""].setdefault(retriever, []).append(share)
    return [
        Slice(
            value,
            max(map(len, numbers[value].values())),
            {retriever: interval(some) for retriever, some in numbers[value].items()},
        )
        for value in values_of(runs, run, field)
        if value in numbers
    ]


def within(where: Where, field: str, value: str) -> Where:
    """Return `where` narrowed to one value of a field."""
    return replace(where, fields=(*where.fields, (field, value)))


def recall_curve(runs: Runs, run: Run, retriever: str) -> list[tuple[int, float]]:
    """Return the ranks at which recall grows, with the recall there (0 to 100).

    Each question counts the same, however much gold it has.
    """
    rows = runs.read(
        "WITH wanted AS (SELECT question, count(*) AS number FROM golds"
        " WHERE run = ? AND retriever = ? GROUP BY question)"
        " SELECT g.rank, sum(100.0 / w.number) / (SELECT count(*) FROM wanted)"
        " FROM golds g JOIN wanted w ON w.question = g.question"
        " WHERE g.run = ? AND g.retriever = ? GROUP BY g.rank ORDER BY g.rank",
        *(run.id, retriever, run.id, retriever),
    )
    total, curve = 0.0, []
    for rank, share in rows:
        if rank is not None:
            total += share
            curve.append((int(rank), total))
    return curve if curve or not rows else [(1, 0.0)]


def found_by_round(runs: Runs, run: Run, retriever: str) -> list[float]:
    """Compute the percentage of gold reached after the start and after each round.

    A question with fewer rounds keeps its last value. Each question counts the same.
    """
    rows = runs.read(
        "SELECT found, ranks FROM rows WHERE run = ? AND retriever = ? AND recall IS NOT NULL",
        *(run.id, retriever),
    )
    with runs.reading(run.id):
        courses = [(json.loads(found_gold), len(json.loads(ranks))) for found_gold, ranks in rows]
    courses = [(found_gold, gold) for found_gold, gold in courses if found_gold and gold]
    rounds = max((len(found_gold) for found_gold, _ in courses), default=0)
    return [
        sum(
            100 * found_gold[min(number, len(found_gold) - 1)] / gold
            for found_gold, gold in courses
        )
        / len(courses)
        for number in range(rounds)
    ]
