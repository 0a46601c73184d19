"""The runs of an index, written and read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from sqlite3 import Connection

from core.errors import InputError
from core.runs.run import Column, Row, Run, State, measured_rows
from core.runs.store import added, model_costs, schema, searches, stored_answers
from core.runs.store import contexts as context_table
from core.runs.store import imported_traces as trace_table
from core.runs.store.contexts import StoredContext
from core.runs.store.reader import RunsReader
from core.runs.store.stored_answers import StoredAnswer
from core.traces import Trace
from core.types import Query

MAX_NAME = 80  # characters


class Runs(RunsReader):
    """The runs in the folder of an index. Safe to share between threads and processes.

    Raises
    ------
    StoreError : by every method, where the file cannot be read or written.
    RunUnreadable : by those that give rows or questions, where one of them cannot be read.
    """

    def begin(self, run: Run, questions: Sequence[Query]) -> Run:
        """Keep a new run and what it will ask; returns it with the number of its questions."""
        run = replace(run, name=checked_name(run.name), questions=len(questions))
        with self._file.transaction() as written:
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
        """Add an imported ranking to a run, after its other retrievers.

        Raises
        ------
        InputError : the run has one of that name.
        """
        if column.retriever in self.get(run).retrievers:
            raise InputError(f"The run already has {column.retriever[:80]!r}. Choose another name.")
        with self._file.transaction() as written:
            written.execute(
                "INSERT INTO columns SELECT ?, 1 + coalesce(max(number), -1), ?, ?"
                " FROM columns WHERE run = ?",
                (run, column.retriever, column.configuration, run),
            )

    def append(self, run: str, rows: Iterable[Row]) -> None:
        """Store rows with their measures; existing rows are replaced."""
        some = list(rows)
        numbers = measured_rows(some)
        values = [schema.row_values(run, *each) for each in zip(some, numbers, strict=True)]
        with self._file.transaction() as written:
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
                if row.costs is not None:
                    model_costs.put(written, run, row.retriever, row.question.id, row.costs)
                if row.similarities is not None:
                    searches.put(written, run, row.retriever, row.question.id, row.similarities)
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
        with self._file.transaction() as written:
            _add_tables(written)
            context_table.put(written, run, retriever, found)

    def put_traces(self, run: str, retriever: str, traces: Mapping[str, Trace]) -> None:
        """Keep the traces of an imported column, by question id."""
        if traces:
            with self._file.transaction() as written:
                _add_tables(written)
                trace_table.put(written, run, retriever, traces)

    def end(self, run: str, state: State, message: str = "") -> None:
        """Set the state of a run: how it ended, or that it is running."""
        with self._file.transaction() as written:
            written.execute(
                "UPDATE runs SET state = ?, message = ? WHERE id = ?", (state, message, run)
            )

    def rename(self, run: str, name: str) -> None:
        """Rename a run.

        Raises
        ------
        InputError : there is no such run, or the name is empty or too long.
        """
        known = self.get(run)
        with self._file.transaction() as written:
            written.execute("UPDATE runs SET name = ? WHERE id = ?", (checked_name(name), known.id))

    def delete(self, run: str) -> None:
        """Delete a run with its rows; raise InputError if there is none."""
        known = self.get(run)
        with self._file.transaction() as written:
            _add_tables(written)
            for table in (*_OF_ROWS, "questions", "columns"):
                written.execute(f"DELETE FROM {table} WHERE run = ?", (known.id,))  # noqa: S608
            written.execute("DELETE FROM runs WHERE id = ?", (known.id,))

    def remove_column(self, run: str, retriever: str) -> None:
        """Delete one retriever of a run with its rows.

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
        with self._file.transaction() as written:
            _add_tables(written)
            for table in (*_OF_ROWS, "columns"):
                written.execute(
                    f"DELETE FROM {table} WHERE run = ? AND retriever = ?",  # noqa: S608
                    (known.id, retriever),
                )


def checked_name(name: str, what: str = "A run") -> str:
    """Return `name` if it is valid for a run or a column; else raise InputError."""
    cleaned = " ".join(name.split())
    if not cleaned or len(cleaned) > MAX_NAME:
        raise InputError(f"{what} needs a name of 1 to {MAX_NAME} characters. Choose another name.")
    return cleaned


_OF_ROWS = (
    "golds",
    "reasons",
    "lists",
    added.TABLE,
    stored_answers.TABLE,
    model_costs.TABLE,
    searches.TABLE,
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
    written.execute(model_costs.CREATE)
    written.execute(searches.CREATE)
    added.ensure(written)


def _places(number: int) -> str:
    return ", ".join("?" * number)
