"""The runs of an index: one SQLite file in its folder, which no build replaces."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from sqlite3 import Connection
from typing import Any

from core.errors import InputError
from core.measures import MEASURES
from core.places import Place
from core.runs import added, schema, stored_answers
from core.runs import contexts as context_table
from core.runs import imported_traces as trace_table
from core.runs.contexts import StoredContext
from core.runs.listing import ALL, Order, Where, clauses, column, ordering
from core.runs.reading import reading
from core.runs.run import Column, Row, Run, State, measured_rows
from core.runs.stored_answers import StoredAnswer
from core.store.small import SmallFile
from core.traces import Trace
from core.types import Query

MAX_NAME = 80  # characters
_PAGE = 500  # rows
_MEASURED = ", ".join(map(column, MEASURES))


class Runs:
    """The runs in the folder of an index. Safe to share between threads and processes.

    Raises
    ------
    StoreError : by every method, where the file cannot be read or written.
    RunUnreadable : by those that give rows or questions, where one of them cannot be read.
    """

    def __init__(self, folder: Place) -> None:
        self._file = SmallFile(folder / schema.FILE, schema.TABLES)

    @property
    def path(self) -> Place:
        return self._file.path

    def stamp(self) -> str:
        """Another text whenever something was written."""
        return self._file.stamp()

    def read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """What a statement selects of the tables (`core.runs.schema`), for sums over many rows."""
        return self._file.read(statement, *values, prepare=self._lend_measures)

    def _lend_measures(self, found: Connection) -> None:
        added.lend(found, str(self.path), self.stamp())
        stored_answers.lend(found)

    def all(self) -> list[Run]:
        """Every run, newest first."""
        return self._runs("")

    def get(self, run: str) -> Run:
        """The run of that id, or, where none has it, the newest one of that name.

        Raises
        ------
        InputError : there is none.
        """
        found = self._runs("WHERE id = ?", run) or self._runs("WHERE name = ?", run)
        if not found:
            raise InputError(f"This index has no run {run[:80]!r}. Choose one from the list.")
        return found[0]

    def begin(self, run: Run, questions: Sequence[Query]) -> Run:
        """Keep a new run and what it will ask; returns it with the number of its questions."""
        run = replace(run, name=checked_name(run.name), questions=len(questions))
        with self._file.writing() as written:
            written.execute(
                f"INSERT INTO runs ({schema.RUN}) VALUES ({_places(11)})",  # noqa: S608
                schema.run_values(run),
            )
            written.executemany(
                "INSERT INTO columns VALUES (?, ?, ?, ?)",
                [(run.id, n, c.retriever, c.configuration) for n, c in enumerate(run.columns)],
            )
            written.executemany(
                f"INSERT INTO questions VALUES ({_places(13)})",  # noqa: S608
                [schema.question_values(run.id, n, each) for n, each in enumerate(questions)],
            )
        return run

    def add_column(self, run: str, column: Column) -> None:
        """One more retriever of a run, after the others; a ranking that was made elsewhere.

        Raises
        ------
        InputError : the run has one of that name.
        """
        if column.retriever in self.get(run).retrievers:
            raise InputError(f"The run already has {column.retriever[:80]!r}. Choose another name.")
        with self._file.writing() as written:
            written.execute(
                "INSERT INTO columns SELECT ?, 1 + coalesce(max(number), -1), ?, ?"
                " FROM columns WHERE run = ?",
                (run, column.retriever, column.configuration, run),
            )

    def append(self, run: str, rows: Iterable[Row]) -> None:
        """Keep what was measured, with its measures; a row that is there is replaced."""
        some = list(rows)
        numbers = measured_rows(some)
        values = [schema.row_values(run, *each) for each in zip(some, numbers, strict=True)]
        with self._file.writing() as written:
            _add_tables(written)
            added.put(
                written,
                [
                    added.values_of(run, row.retriever, row.question.id, each)
                    for row, each in zip(some, numbers, strict=True)
                ],
            )
            written.executemany(
                "INSERT OR REPLACE INTO lists VALUES (?, ?, ?, ?, ?)",
                [schema.list_values(run, row) for row in some],
            )
            for row in some:
                if row.answer is not None:
                    answer = StoredAnswer(row.question.id, row.answer, row.accuracy, row.judge)
                    stored_answers.put(written, run, row.retriever, [answer])
            if values:
                written.executemany(
                    f"INSERT OR REPLACE INTO rows VALUES ({_places(len(values[0]))})",  # noqa: S608
                    values,
                )
            written.executemany(
                "INSERT OR REPLACE INTO golds VALUES (?, ?, ?, ?, ?, ?)",
                [each for row in some for each in schema.gold_values(run, row)],
            )
            written.executemany(
                "DELETE FROM reasons WHERE run = ? AND retriever = ? AND question = ?",
                [(run, row.retriever, row.question.id) for row in some],
            )
            written.executemany(
                "INSERT INTO reasons VALUES (?, ?, ?, ?, ?)",
                [
                    (run, row.retriever, row.question.id, reason, times)
                    for row in some
                    for reason, times in row.reasons
                ],
            )

    def put_contexts(self, run: str, retriever: str, found: Iterable[StoredContext]) -> None:
        """Keep the texts of an imported column that are no passages of the index."""
        with self._file.writing() as written:
            _add_tables(written)
            context_table.put(written, run, retriever, found)

    def contexts(self, run: str, retriever: str, question: str) -> dict[str, StoredContext]:
        """Return the texts of a row that are no passages of the index, by hit."""
        if not self._file.read("SELECT 1 FROM sqlite_master WHERE name = ?", context_table.TABLE):
            return {}
        found = self._file.read(
            f"SELECT question, hit, title, text, step FROM {context_table.TABLE}"  # noqa: S608
            " WHERE run = ? AND retriever = ? AND question = ?",
            *(run, retriever, question),
        )
        return {one.hit: one for one in (StoredContext(*each) for each in found)}

    def put_traces(self, run: str, retriever: str, traces: Mapping[str, Trace]) -> None:
        """Keep the traces of an imported column, by question id."""
        if traces:
            with self._file.writing() as written:
                _add_tables(written)
                trace_table.put(written, run, retriever, traces)

    def traced(self, run: str, retriever: str) -> set[str]:
        """Return the questions of an imported column that came with a trace."""
        return {question for (question,) in self._traces("question", run, retriever)}

    def trace(self, run: str, retriever: str, question: str) -> Trace | None:
        """Return the trace of a row of an imported column, if it came with one."""
        found = self._traces("trace", run, retriever, question)
        with self.reading(run):
            return trace_table.unpacked(found[0][0]) if found else None

    def _traces(self, what: str, run: str, retriever: str, question: str = "") -> list[tuple[Any]]:
        if not self._file.read("SELECT 1 FROM sqlite_master WHERE name = ?", trace_table.TABLE):
            return []
        return self._file.read(
            f"SELECT {what} FROM {trace_table.TABLE}"  # noqa: S608
            " WHERE run = ? AND retriever = ? AND (question = ? OR ? = '')",
            *(run, retriever, question, question),
        )

    def end(self, run: str, state: State, message: str = "") -> None:
        """Say how a run ended, or that it goes on."""
        with self._file.writing() as written:
            written.execute(
                "UPDATE runs SET state = ?, message = ? WHERE id = ?", (state, message, run)
            )

    def rename(self, run: str, name: str) -> None:
        """Call a run otherwise.

        Raises
        ------
        InputError : there is no such run, or the name is empty or too long.
        """
        known = self.get(run)
        with self._file.writing() as written:
            written.execute("UPDATE runs SET name = ? WHERE id = ?", (checked_name(name), known.id))

    def delete(self, run: str) -> None:
        """Forget a run with its rows; InputError if there is none."""
        known = self.get(run)
        with self._file.writing() as written:
            _add_tables(written)
            for table in (*_OF_ROWS, "questions", "columns"):
                written.execute(f"DELETE FROM {table} WHERE run = ?", (known.id,))  # noqa: S608
            written.execute("DELETE FROM runs WHERE id = ?", (known.id,))

    def remove_column(self, run: str, retriever: str) -> None:
        """Forget one retriever of a run with its rows.

        Raises
        ------
        InputError : the run has no such retriever, or no other one.
        """
        known = self.get(run)
        if retriever not in known.retrievers:
            raise InputError(
                f"{known.name} has no retriever {retriever[:80]!r}. It has "
                f"{', '.join(known.retrievers)}."
            )
        if len(known.retrievers) == 1:
            raise InputError(
                f"{retriever[:80]!r} is the only retriever of {known.name}. Delete the run instead."
            )
        with self._file.writing() as written:
            _add_tables(written)
            for table in (*_OF_ROWS, "columns"):
                written.execute(
                    f"DELETE FROM {table} WHERE run = ? AND retriever = ?",  # noqa: S608
                    (known.id, retriever),
                )

    def questions(self, run: str) -> list[Query]:
        """What a run asks, in order."""
        rows = self._file.read(
            f"SELECT {schema.QUESTION} FROM questions q WHERE q.run = ? ORDER BY q.number",  # noqa: S608
            run,
        )
        with self.reading(run):
            return [schema.as_question(row) for row in rows]

    def asked(self, run: str, retriever: str) -> set[str]:
        """Ids of the questions that a retriever of the run was asked already."""
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
        """A page of the rows of one retriever."""
        sql, values = clauses(run, retriever, where)
        by, given = ordering(order, where, seed)
        found = self.read(
            f"SELECT {schema.ROW}, {schema.QUESTION}{sql}{by} LIMIT ? OFFSET ?",
            *(*values, *given, limit, offset),
        )
        with self.reading(run):
            return [schema.as_row(each) for each in found]

    def every(self, run: str, retriever: str, where: Where = ALL) -> Iterator[Row]:
        """All rows of one retriever, as the question set has them, read a page at a time."""
        for offset in range(0, self.count(run, retriever, where), _PAGE):
            yield from self.rows(run, retriever, where, order="asked", limit=_PAGE, offset=offset)

    def count(self, run: str, retriever: str, where: Where = ALL) -> int:
        """How many rows `rows` has in all."""
        sql, values = clauses(run, retriever, where)
        found = self.read(f"SELECT count(*){sql}", *values)
        return int(found[0][0]) if found else 0

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
        """Where the row of a question stands in what `rows` lists, from 1; None if it does not."""
        sql, values = clauses(run, retriever, where)
        by, given = ordering(order, where, seed)
        places = f"SELECT a.question AS id, row_number() OVER ({by}) AS place{sql}"
        found = self.read(
            f"SELECT place FROM ({places}) WHERE id = ?",  # noqa: S608
            *(*given, *values, question),
        )
        return int(found[0][0]) if found else None

    def row(self, run: str, retriever: str, question: str) -> Row | None:
        """One question by one retriever; None where it was not asked."""
        found = self.rows(run, retriever, Where(questions=(question,)), order="asked")
        return found[0] if found else None

    def measures(
        self, run: str, retriever: str, where: Where = ALL
    ) -> dict[str, tuple[float | None, ...]]:
        """The `MEASURES` of each row, by question id in the order of the question set."""
        sql, values = clauses(run, retriever, where)
        found = self.read(
            f"SELECT a.question, {_MEASURED}{sql} ORDER BY q.number",
            *values,
        )
        return {question: tuple(numbers) for question, *numbers in found}

    def stages(self, run: str, retriever: str) -> dict[str, int]:
        """How many gold ids are at each stage, where that is known."""
        found = self._file.read(
            "SELECT stage, count(*) FROM golds WHERE run = ? AND retriever = ? AND stage != ''"
            " GROUP BY stage",
            *(run, retriever),
        )
        return dict(found)

    def reasons(self, run: str) -> dict[tuple[str, str], tuple[tuple[str, int], ...]]:
        """Return why a model did not decide, with the number of times, by retriever and question.

        It is empty for runs measured before reasons were stored.
        """
        if not self._file.read("SELECT 1 FROM sqlite_master WHERE name = 'reasons'"):
            return {}
        found: dict[tuple[str, str], tuple[tuple[str, int], ...]] = {}
        for retriever, question, *reason in self._file.read(
            "SELECT retriever, question, reason, times FROM reasons WHERE run = ?"
            " ORDER BY times DESC, reason",
            run,
        ):
            found[retriever, question] = (*found.get((retriever, question), ()), tuple(reason))
        return found

    def scores(self, run: str, retriever: str) -> dict[str, tuple[float, ...]]:
        """Return the scores of the hits of each row, by question id.

        It is empty for rows stored before scores were.
        """
        if not self._file.read("SELECT 1 FROM sqlite_master WHERE name = 'lists'"):
            return {}
        found = self._file.read(
            "SELECT question, scores FROM lists WHERE run = ? AND retriever = ?", run, retriever
        )
        with self.reading(run):
            return {question: tuple(json.loads(scores)) for question, scores in found}

    def lengths(self, run: str, retriever: str) -> dict[str, tuple[int, ...]]:
        """Return the tokens of the hits of each row (`Row.lengths`) of which they are known."""
        if not self._file.read("SELECT 1 FROM sqlite_master WHERE name = 'lists'"):
            return {}
        found = self._file.read(
            "SELECT question, lengths FROM lists WHERE run = ? AND retriever = ?"
            " AND lengths != 'null'",
            *(run, retriever),
        )
        with self.reading(run):
            return {question: tuple(json.loads(lengths)) for question, lengths in found}

    def answers(self, run: str, retriever: str) -> dict[str, StoredAnswer]:
        """Return the model's answer of each row that has one, by question id.

        It is empty for rows stored before answers were.
        """
        found = self.read(
            f"SELECT question, answer, accuracy, judge FROM {stored_answers.TABLE}"  # noqa: S608
            " WHERE run = ? AND retriever = ?",
            *(run, retriever),
        )
        return {one.question: one for one in (StoredAnswer(*each) for each in found)}

    def reading(self, run: str) -> AbstractContextManager[None]:
        """Inside, values are made of what was read of a run (`core.runs.reading`)."""
        return reading(self._file, run)

    def _runs(self, where: str, *values: str) -> list[Run]:
        rows = self._file.read(
            f"SELECT {schema.RUN} FROM runs {where} ORDER BY number DESC",  # noqa: S608
            *values,
        )
        return [schema.as_run(row, self._columns(row[0])) for row in rows]

    def _columns(self, run: str) -> list[Column]:
        found: list[tuple[Any, ...]] = self._file.read(
            "SELECT retriever, configuration FROM columns WHERE run = ? ORDER BY number", run
        )
        return [Column(*each) for each in found]


def checked_name(name: str, what: str = "A run") -> str:
    """`name` as a run, or a column of one, can have it; InputError otherwise."""
    found = " ".join(name.split())
    if not found or len(found) > MAX_NAME:
        raise InputError(f"{what} needs a name of 1 to {MAX_NAME} characters. Choose another name.")
    return found


_OF_ROWS = (
    "golds",
    "reasons",
    "lists",
    added.TABLE,
    stored_answers.TABLE,
    context_table.TABLE,
    trace_table.TABLE,
    "rows",
)
"""The tables that have a row for each result, or several."""


def _add_tables(written: Connection) -> None:
    """Make the tables that files of earlier versions lack."""
    written.execute(schema.REASONS)
    written.execute(schema.LISTS)
    written.execute(context_table.CREATE)
    written.execute(trace_table.CREATE)
    written.execute(stored_answers.CREATE)
    added.ensure(written)


def _places(number: int) -> str:
    return ", ".join("?" * number)
