"""Reads the runs of an index: one SQLite file in its folder, which no build replaces."""

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager
from sqlite3 import Connection
from typing import Any

from core.errors import InputError
from core.evaluation.role_costs import RoleCost
from core.measures import MEASURES
from core.places import Place
from core.runs.run import Column, Row, Run
from core.runs.store import added, model_costs, schema, searches, stored_answers
from core.runs.store import contexts as context_table
from core.runs.store import imported_traces as trace_table
from core.runs.store.contexts import StoredContext
from core.runs.store.listing import ALL, Order, Where, clauses, column, ordering
from core.runs.store.reading import reading
from core.runs.store.stored_answers import StoredAnswer
from core.store.locking.sqlite_file import SmallFile
from core.traces import Trace
from core.types import Query

_PAGE = 500  # rows
_MEASURED = ", ".join(map(column, MEASURES))


class RunsReader:
    """Reads what `Runs` keeps; raises what `Runs` does."""

    def __init__(self, folder: Place) -> None:
        self._file = SmallFile(folder / schema.FILE, schema.TABLES)

    @property
    def path(self) -> Place:
        return self._file.path

    def stamp(self) -> str:
        """Return a text that changes whenever the file is written."""
        return self._file.stamp()

    def read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Run an SQL query on the tables (`.schema`), for sums over many rows."""
        return self._file.read(statement, *values, prepare=self._add_missing_tables)

    def _add_missing_tables(self, connection: Connection) -> None:
        """Add temporary tables of measures to a connection whose file lacks them."""
        added.lend(connection, str(self.path), self.stamp())
        stored_answers.lend(connection)
        model_costs.lend(connection)
        searches.lend(connection)

    def all(self) -> list[Run]:
        """Return all runs, newest first."""
        return self._runs("")

    def get(self, run: str) -> Run:
        """Return the run with the id `run`, or else the newest run of that name.

        Raises
        ------
        InputError : there is none.
        """
        runs = self._runs("WHERE id = ?", run) or self._runs("WHERE name = ?", run)
        if not runs:
            raise InputError(f"This index has no run {run[:80]!r}. Choose one from the list.")
        return runs[0]

    def contexts(self, run: str, retriever: str, question: str) -> dict[str, StoredContext]:
        """Return the texts of a row that are no passages of the index, by hit."""
        if not self._file.read("SELECT 1 FROM sqlite_master WHERE name = ?", context_table.TABLE):
            return {}
        rows = self._file.read(
            f"SELECT question, hit, title, text, step FROM {context_table.TABLE}"  # noqa: S608
            " WHERE run = ? AND retriever = ? AND question = ?",
            *(run, retriever, question),
        )
        return {one.hit: one for one in (StoredContext(*each) for each in rows)}

    def traced(self, run: str, retriever: str) -> set[str]:
        """Return the questions of an imported column that came with a trace."""
        return {question for (question,) in self._traces("question", run, retriever)}

    def trace(self, run: str, retriever: str, question: str) -> Trace | None:
        """Return the trace of a row of an imported column, if it came with one."""
        rows = self._traces("trace", run, retriever, question)
        with self.reading(run):
            return trace_table.unpacked(rows[0][0]) if rows else None

    def _traces(
        self, columns: str, run: str, retriever: str, question: str = ""
    ) -> list[tuple[Any]]:
        """Read `columns` of the stored traces of a retriever, of all questions if `question` is
        empty.

        Return an empty list if the file has no traces.
        """
        if not self._file.read("SELECT 1 FROM sqlite_master WHERE name = ?", trace_table.TABLE):
            return []
        return self._file.read(
            f"SELECT {columns} FROM {trace_table.TABLE}"  # noqa: S608
            " WHERE run = ? AND retriever = ? AND (question = ? OR ? = '')",
            *(run, retriever, question, question),
        )

    def questions(self, run: str) -> list[Query]:
        """Return the questions of a run, in order."""
        rows = self._file.read(
            f"SELECT {schema.QUESTION} FROM questions q WHERE q.run = ? ORDER BY q.number",  # noqa: S608
            run,
        )
        with self.reading(run):
            return [schema.as_question(row) for row in rows]

    def asked(self, run: str, retriever: str) -> set[str]:
        """Return the ids of the questions that a retriever of the run has already answered."""
        rows = self._file.read(
            "SELECT question FROM rows WHERE run = ? AND retriever = ?", run, retriever
        )
        return {question for (question,) in rows}

    def rows(
        self,
        run: str,
        retriever: str,
        where: Where = ALL,
        *,
        order: Order = "worst",
        seed: int = 0,
        limit: int = 50,
        offset: int = 0,
    ) -> list[Row]:
        """Return a page of the rows of one retriever."""
        sql, values = clauses(run, retriever, where)
        by, given = ordering(order, where, seed)
        rows = self.read(
            f"SELECT {schema.ROW}, {schema.QUESTION}{sql}{by} LIMIT ? OFFSET ?",
            *(*values, *given, limit, offset),
        )
        with self.reading(run):
            return [schema.as_row(each) for each in rows]

    def every(self, run: str, retriever: str, where: Where = ALL) -> Iterator[Row]:
        """Yield all rows of one retriever in the order of the question set, read in pages."""
        for offset in range(0, self.count(run, retriever, where), _PAGE):
            yield from self.rows(run, retriever, where, order="asked", limit=_PAGE, offset=offset)

    def count(self, run: str, retriever: str, where: Where = ALL) -> int:
        """Return the number of rows that match `where`."""
        sql, values = clauses(run, retriever, where)
        rows = self.read(f"SELECT count(*){sql}", *values)
        return int(rows[0][0]) if rows else 0

    def place(
        self,
        run: str,
        retriever: str,
        question: str,
        where: Where = ALL,
        *,
        order: Order = "worst",
        seed: int = 0,
    ) -> int | None:
        """Return the 1-based position of a question in the list of `rows`, None if not listed."""
        sql, values = clauses(run, retriever, where)
        by, given = ordering(order, where, seed)
        places = f"SELECT a.question AS id, row_number() OVER ({by}) AS place{sql}"
        rows = self.read(
            f"SELECT place FROM ({places}) WHERE id = ?",  # noqa: S608
            *(*given, *values, question),
        )
        return int(rows[0][0]) if rows else None

    def row(self, run: str, retriever: str, question: str) -> Row | None:
        """Return the row of one question and retriever; None if it was not run."""
        rows = self.rows(run, retriever, Where(questions=(question,)), order="asked")
        return rows[0] if rows else None

    def measures(
        self, run: str, retriever: str, where: Where = ALL
    ) -> dict[str, tuple[float | None, ...]]:
        """Return the `MEASURES` of each row by question id, in the order of the question set."""
        sql, values = clauses(run, retriever, where)
        rows = self.read(
            f"SELECT a.question, {_MEASURED}{sql} ORDER BY q.number",
            *values,
        )
        return {question: tuple(numbers) for question, *numbers in rows}

    def stages(self, run: str, retriever: str) -> dict[str, int]:
        """Return the number of gold ids at each stage, as far as known."""
        rows = self._file.read(
            "SELECT stage, count(*) FROM golds WHERE run = ? AND retriever = ? AND stage != ''"
            " GROUP BY stage",
            *(run, retriever),
        )
        return dict(rows)

    def reasons(self, run: str) -> dict[tuple[str, str], tuple[tuple[str, int], ...]]:
        """Return why a model did not decide, with the number of times, by retriever and question.

        It is empty for runs measured before reasons were stored.
        """
        if not self._file.read("SELECT 1 FROM sqlite_master WHERE name = 'reasons'"):
            return {}
        by_row: dict[tuple[str, str], tuple[tuple[str, int], ...]] = {}
        for retriever, question, *reason in self._file.read(
            "SELECT retriever, question, reason, times FROM reasons WHERE run = ?"
            " ORDER BY times DESC, reason",
            run,
        ):
            by_row[retriever, question] = (*by_row.get((retriever, question), ()), tuple(reason))
        return by_row

    def scores(self, run: str, retriever: str) -> dict[str, tuple[float, ...]]:
        """Return the scores of the hits of each row, by question id.

        It is empty for rows stored before scores were.
        """
        if not self._file.read("SELECT 1 FROM sqlite_master WHERE name = 'lists'"):
            return {}
        rows = self._file.read(
            "SELECT question, scores FROM lists WHERE run = ? AND retriever = ?", run, retriever
        )
        with self.reading(run):
            return {question: tuple(json.loads(scores)) for question, scores in rows}

    def lengths(self, run: str, retriever: str) -> dict[str, tuple[int, ...]]:
        """Return the tokens of the hits of each row (`Row.lengths`), if known."""
        if not self._file.read("SELECT 1 FROM sqlite_master WHERE name = 'lists'"):
            return {}
        rows = self._file.read(
            "SELECT question, lengths FROM lists WHERE run = ? AND retriever = ?"
            " AND lengths != 'null'",
            *(run, retriever),
        )
        with self.reading(run):
            return {question: tuple(json.loads(lengths)) for question, lengths in rows}

    def answers(self, run: str, retriever: str) -> dict[str, StoredAnswer]:
        """Return the model's answer of each row that has one, by question id.

        Rows from versions that did not store answers are left out.
        """
        rows = self.read(
            f"SELECT question, answer, accuracy, judge FROM {stored_answers.TABLE}"  # noqa: S608
            " WHERE run = ? AND retriever = ?",
            *(run, retriever),
        )
        return {one.question: one for one in (StoredAnswer(*each) for each in rows)}

    def model_costs(
        self, run: str, retriever: str, where: Where = ALL
    ) -> dict[str, tuple[RoleCost, ...]]:
        """Return the model costs of each row, by question id.

        A row without a call took nothing. Rows from versions that stored no costs are left out.
        """
        sql, values = clauses(run, retriever, where)
        free = self.read(f"SELECT a.question{sql} AND a.calls = 0", *values)
        costs: dict[str, tuple[RoleCost, ...]] = {question: () for (question,) in free}
        joined = sql.replace(" WHERE ", f" {model_costs.joined()} WHERE ", 1)
        for question, *one in self.read(f"SELECT a.question, {model_costs.READ}{joined}", *values):
            costs[question] = (*costs.get(question, ()), RoleCost(*one))
        return costs

    def similarities(self, run: str, retriever: str) -> dict[str, tuple[float, ...]]:
        """Return how similar consecutive searches are (`Row.similarities`), by question id."""
        rows = self.read(
            f"SELECT question, similarity FROM {searches.TABLE}"  # noqa: S608
            " WHERE run = ? AND retriever = ? ORDER BY question, number",
            *(run, retriever),
        )
        by_question: dict[str, tuple[float, ...]] = {}
        for question, similarity in rows:
            by_question[question] = (*by_question.get(question, ()), similarity)
        return by_question

    def reading(self, run: str) -> AbstractContextManager[None]:
        """Return a context that reports damaged values of a run as errors (see `reading`)."""
        return reading(self._file, run)

    def _runs(self, where: str, *values: str) -> list[Run]:
        """Read the runs that match `where`, an SQL clause with placeholders, newest first."""
        rows = self._file.read(
            f"SELECT {schema.RUN} FROM runs {where} ORDER BY number DESC",  # noqa: S608
            *values,
        )
        return [schema.as_run(row, self._columns(row[0])) for row in rows]

    def _columns(self, run: str) -> list[Column]:
        """Read the retrievers of a run and their configurations, in the order of the run."""
        rows: list[tuple[Any, ...]] = self._file.read(
            "SELECT retriever, configuration FROM columns WHERE run = ? ORDER BY number", run
        )
        return [Column(*each) for each in rows]
