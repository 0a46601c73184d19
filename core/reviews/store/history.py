"""The acts of all reviewers in one order: changes of reviews and of labels.

An act has a number. What was said has it in its row of `said`, by whose reviewer it is unless
`for_all` names another: one act may change what several people say. What was done to labels is a
row of `recoded`, with each code as it was before and as it was after; `for_all` says whose it is.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from sqlite3 import Connection
from typing import Any

from core.reviews.review import Act, Key, Review, Undone
from core.reviews.store import redo_stack
from core.reviews.store.redo_stack import Select, select_in
from core.reviews.store.rows import COLUMNS, review_of, select_list
from core.store.locking.sqlite_file import SmallFile

Named = Mapping[int, tuple[str, str]]
"""The codes by id: what each is called, and the axial one that it is in."""

SITTING = timedelta(minutes=5)
"""How long after a note was last written it is written on, as one act."""

# Each may be added to an older file.
TABLES = (
    "CREATE TABLE IF NOT EXISTS for_all (act INTEGER PRIMARY KEY, reviewer TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS recoded (act INTEGER PRIMARY KEY, told TEXT NOT NULL,"
    " codes TEXT NOT NULL)",
    redo_stack.TABLE,
)
# Named so, an empty list stands in the place of a table that an older file has not.
_NONE = {
    "for_all": "for_all (act, reviewer) AS (SELECT 0, '' WHERE 0)",
    "recoded": "recoded (act, told, codes) AS (SELECT 0, '', '' WHERE 0)",
}
NAMES = "SELECT name FROM pragma_table_info('said')"
"""The columns that the file has."""
_NEWEST = (
    "SELECT max(act) FROM ("
    "SELECT act FROM said WHERE reviewer = ?{of} AND act NOT IN (SELECT act FROM for_all)"
    " UNION SELECT act FROM for_all WHERE reviewer = ?"
    " AND act IN (SELECT act FROM said WHERE true{of} UNION SELECT act FROM recoded))"
)
_OF = (
    " AND (question, retriever) IN"
    " (SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?))"
)
_SAID = (
    "SELECT {gone}, {now} FROM said AS gone LEFT JOIN said AS now"
    " ON now.number = (SELECT max(number) FROM said WHERE reviewer = gone.reviewer"
    " AND question = gone.question AND retriever = gone.retriever AND act != gone.act)"
    " WHERE gone.act = ? ORDER BY gone.number"
)


def begin_act(written: Connection, reviewer: str) -> int:
    """Return the number of a new act of `reviewer`, and delete what they could redo."""
    redo_stack.clear(written, reviewer)
    return next_act(written)


def next_act(written: Connection) -> int:
    """Return a number that no act has."""
    numbers = "SELECT act FROM said UNION SELECT act FROM for_all"
    highest = written.execute(f"SELECT coalesce(max(act), 0) + 1 FROM ({numbers})")  # noqa: S608
    act: int = highest.fetchone()[0]
    return act


def continue_note(written: Connection, now: Review) -> int | None:
    """Return the reviewer's last act if it wrote only the note of `now`, less than `SITTING` ago.

    Its rows are deleted, so that one note is one act. None if there is no such act.
    """
    select = select_in(written)
    number = _last_act_number(select, now.reviewer)
    said = _read_act(select, number).said
    if len(said) != 1 or said[0].gone != now or not _of_note_alone(said[0]):
        return None
    if datetime.now(UTC) - datetime.fromisoformat(now.at) > SITTING:
        return None
    redo_stack.clear(written, now.reviewer)
    written.execute("DELETE FROM said WHERE act = ?", (number,))
    return number


def _of_note_alone(one: Undone) -> bool:
    gone, now = one.gone, one.now
    same = (gone.verdict, gone.stage, gone.labels) == (now.verdict, now.stage, now.labels)
    return same and gone.note != now.note


def named(written: Connection) -> Named:
    """Read the present names of the codes."""
    return {
        code: (name, axial)
        for code, name, axial in written.execute("SELECT id, name, axial FROM codes")
    }


def record_label_changes(
    written: Connection, reviewer: str, description: str, before: Named
) -> None:
    """Record the changes of labels since `before` as an act of `reviewer`,
    with its `description`.
    """
    now = named(written)
    changed = [(one, was, now.get(one)) for one, was in before.items() if was != now.get(one)]
    if changed:
        act = begin_act(written, reviewer)
        written.execute("INSERT INTO for_all VALUES (?, ?)", (act, reviewer))
        written.execute(
            "INSERT INTO recoded VALUES (?, ?, ?)", (act, description, json.dumps(changed))
        )


def last_act(file: SmallFile, reviewer: str, of: Collection[Key] | None = None) -> Act:
    """Return the last act of `reviewer`, with what undoing it would restore; nothing is changed.

    Parameters
    ----------
    of : results; acts on other results are skipped. Changes of labels are never skipped.
    """
    there = {name for (name,) in file.read("SELECT name FROM sqlite_master WHERE type = 'table'")}
    missing = ", ".join(none for table, none in _NONE.items() if table not in there)

    def select(statement: str, *values: object) -> list[tuple[Any, ...]]:
        return file.read(f"WITH {missing} {statement}" if missing else statement, *values)

    return _read_act(select, _last_act_number(select, reviewer, of)) if there else Act()


def take_back(written: Connection, reviewer: str, of: Collection[Key] | None = None) -> Act:
    """Undo the last act of `reviewer` (`last_act`) and return it; an empty act if there is none."""
    select = select_in(written)
    number = _last_act_number(select, reviewer, of)
    act = _read_act(select, number)
    for (codes,) in select("SELECT codes FROM recoded WHERE act = ?", number):
        changed = json.loads(codes)
        restored = [_restore_label(written, *one) for one in changed]
        act = Act(labels=act.labels, stood=any(restored))
    for table in ("said", "for_all", "recoded"):
        written.execute(f"DELETE FROM {table} WHERE act = ?", (number,))  # noqa: S608
    return act


def act_of(written: Connection, number: int) -> Act:
    """Read the act with that number."""
    return _read_act(select_in(written), number)


def _last_act_number(
    select: Select, reviewer: str, results: Collection[Key] | None = None
) -> int | None:
    """Return the number of the reviewer's last act, on `results` if given; None without one."""
    keys = [] if results is None else [json.dumps([list(key) for key in results])]
    statement = _NEWEST.format(of="" if results is None else _OF)
    number: int | None = select(statement, reviewer, *keys, reviewer, *keys)[0][0]
    return number


def _read_act(select: Select, number: int | None) -> Act:
    """Read an act by number; an empty act if there is no number."""
    if number is None:
        return Act()
    label_rows = select("SELECT told FROM recoded WHERE act = ?", number)
    there = {name for (name,) in select(NAMES)}
    said = _SAID.format(gone=select_list(there, "gone."), now=select_list(there, "now."))
    return Act(
        tuple(map(_undone, select(said, number))), labels=label_rows[0][0] if label_rows else ""
    )


def _undone(row: Sequence[str]) -> Undone:
    gone, now = row[: len(COLUMNS)], row[len(COLUMNS) :]
    said = review_of(gone)
    return Undone(said, review_of(now) if now[0] is not None else Review(said.reviewer, *said.key))


def _restore_label(
    written: Connection, code: int, before: Sequence[str], after: Sequence[str] | None
) -> bool:
    """Restore a label to its state before an act, except what was changed again; return success."""
    codes = named(written)
    now, name, axial = codes.get(code), *before
    if (now is None) != (after is None):
        return False
    if now and after:
        name = name if now[0] == after[0] else now[0]
        axial = axial if now[1] == after[1] else now[1]
    taken = any(name.casefold() == one.casefold() for of, (one, _) in codes.items() if of != code)
    if taken or now == (name, axial):
        return False
    written.execute("INSERT OR REPLACE INTO codes VALUES (?, ?, ?)", (code, name, axial))
    return True
