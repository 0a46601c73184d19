"""The reviews of results: one SQLite file in the folder of an index, which no build deletes.

Each thing said is a row of its own, added and never changed, but for a note that is being written:
one row of it makes way for the next. What a reviewer says of a question by
a retriever now is their last row of it; to undo is to drop the rows of their last act, or to make
labels what they were before it. A review is of a question by its text, as a mark of gold is: a
build may call the same question otherwise.
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from sqlite3 import Connection

from core.errors import InputError
from core.marks.store import question_key
from core.places import Place
from core.reviews.review import LONGEST_NAME, LONGEST_NOTE, VERDICTS, Act, Change, Key, Review
from core.reviews.store import history, redo_stack
from core.reviews.store.rows import ADDED, COLUMNS, review_of, row_of, select_list
from core.store.locking.sqlite_file import SmallFile
from core.text.clean import clean, one_line

FILE = "reviews.sqlite"
_TABLES = (
    "CREATE TABLE said (number INTEGER PRIMARY KEY AUTOINCREMENT, act INTEGER NOT NULL,"
    " reviewer TEXT NOT NULL, question TEXT NOT NULL, retriever TEXT NOT NULL,"
    " verdict TEXT NOT NULL, stage TEXT NOT NULL, found TEXT NOT NULL, note TEXT NOT NULL,"
    " labels TEXT NOT NULL, at TEXT NOT NULL, run TEXT NOT NULL DEFAULT '',"
    " gold TEXT NOT NULL DEFAULT '')",
    "CREATE INDEX said_last ON said (reviewer, question, retriever, number)",
    "CREATE TABLE codes (id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " name TEXT NOT NULL UNIQUE COLLATE NOCASE, axial TEXT NOT NULL COLLATE NOCASE)",
    "CREATE TABLE views (name TEXT PRIMARY KEY COLLATE NOCASE, told TEXT NOT NULL)",
    *history.TABLES,
)
_COLUMNS = ", ".join(COLUMNS)
_LAST = "SELECT max(number) FROM said {where} GROUP BY reviewer, question, retriever"


class Reviews:
    """The reviews in the folder of an index. Safe to share between threads and processes.

    Raises
    ------
    StoreError : by every method, where the file cannot be read or written.
    """

    def __init__(self, folder: Place) -> None:
        self.file = SmallFile(folder / FILE, _TABLES)

    @property
    def path(self) -> Place:
        return self.file.path

    def of(self, question: str, retriever: str) -> list[Review]:
        """Return the reviews of one result, sorted by reviewer."""
        where = "question = ? AND retriever = ? GROUP BY reviewer"
        return self._reviews_where(
            f"SELECT max(number) FROM said WHERE {where}",  # noqa: S608
            *(question_key(question), retriever),
        )

    def all(self, reviewer: str | None = None) -> list[Review]:
        """Return every review, or those of one reviewer,
        in the order in which they were last said.
        """
        if reviewer is None:
            return self._reviews_where(_LAST.format(where=""))
        return self._reviews_where(_LAST.format(where="WHERE reviewer = ?"), reviewer)

    def say(self, reviewer: str, changes: Iterable[Change]) -> list[Review]:
        """Store changes by `reviewer` as one act, all or none; return the reviews after it.

        Raises
        ------
        InputError : there is no name, no question, no such verdict, or the note is too long.
        """
        name = reviewer_name(reviewer)
        checked = [_validate(change) for change in changes]
        with self.transaction() as written:
            act = history.begin_act(written, name)
            return [_apply_change(written, act, name, change) for change in checked]

    def write_note(self, reviewer: str, change: Change, before: str) -> Review | None:
        """Store a note in progress in place of the note `before`; return the review after it.

        Where another note has come into its place since, that one stays, and None is told. What was
        written before in one go is replaced, and `undo` takes back all of it.

        Raises
        ------
        InputError : as by `say`.
        """
        name, checked = reviewer_name(reviewer), _validate(change)
        with self.transaction() as written:
            now = _now(written, name, checked.question, checked.retriever)
            if now.note not in (before, checked.note):
                return None
            act = history.continue_note(written, now) or history.begin_act(written, name)
            return _apply_change(written, act, name, checked)

    def relabel(self, reviewer: str, reviews: Iterable[Review], before: int, after: int) -> None:
        """Put the label `after` in the place of `before` in `reviews`, whoever wrote them.

        It is one act of `reviewer`: `undo` takes all of it back.

        Raises
        ------
        InputError : there is no name.
        """
        name = reviewer_name(reviewer)
        with self.transaction() as written:
            act = history.begin_act(written, name)
            written.execute("INSERT INTO for_all VALUES (?, ?)", (act, name))
            for one in reviews:
                change = Change(*one.key, on=(after,), off=(before,))
                _apply_change(written, act, one.reviewer, change)

    def last(self, reviewer: str, of: Collection[Key] | None = None) -> Act:
        """Return the act that `undo` would undo; an empty one if there is none."""
        return history.last_act(self.file, reviewer, of)

    def undo(self, reviewer: str, of: Collection[Key] | None = None) -> Act:
        """Undo the last act of `reviewer` and return it; it is empty if there was none.

        Parameters
        ----------
        of : results; only acts on these are undone, and changes of labels, which belong to all
            results.
        """
        if not self.last(reviewer, of):
            return Act()
        with self.transaction() as written:
            gone = history.take_back(written, reviewer, of)
            redo_stack.keep(written, reviewer, gone)
            return gone

    def undone(self, reviewer: str, of: Collection[Key] | None = None) -> list[Review]:
        """Return the reviews that `redo` would restore, if any."""
        table = "SELECT 1 FROM sqlite_master WHERE name = 'undone'"
        return redo_stack.last_undone(self.file.read, reviewer, of) if self.file.read(table) else []

    def redo(self, reviewer: str, of: Collection[Key] | None = None) -> Act:
        """Redo what `reviewer` undid last and return it; it is empty if there was none.

        Nothing can be redone after another change, and changes of labels are never redone.

        Parameters
        ----------
        of : results; only an act on one of these is redone.
        """
        if not self.undone(reviewer, of):
            return Act()
        with self.transaction() as written:
            act = history.next_act(written)
            for one in redo_stack.pop_last(written, reviewer, of):
                _insert_review(written, act, one)
            return history.act_of(written, act)

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Open the file in one transaction, with missing tables and columns added."""
        with self.file.transaction() as written:
            for statement in history.TABLES:
                written.execute(statement)
            there = {name for (name,) in written.execute(history.NAMES)}
            for name in ADDED:
                if name not in there:
                    written.execute(f"ALTER TABLE said ADD COLUMN {name} TEXT NOT NULL DEFAULT ''")
            yield written

    def _reviews_where(self, last: str, *values: str) -> list[Review]:
        """Read the reviews whose row number is selected by the query `last`."""
        there = {name for (name,) in self.file.read(history.NAMES)}
        rows = self.file.read(
            f"SELECT {select_list(there)} FROM said WHERE number IN ({last}) ORDER BY number",  # noqa: S608
            *values,
        )
        return [review for row in rows if (review := review_of(row))]


def reviewer_name(text: str) -> str:
    """Normalise a reviewer's name as it is stored.

    Raises
    ------
    InputError : there is none, or it is longer than 60 characters and no address of a visitor.
    """
    name = one_line(text)
    if not name or (len(name) > LONGEST_NAME and "@" not in name):
        raise InputError(
            f"A review needs a reviewer name. Type one of 1 to {LONGEST_NAME} characters."
        )
    return name


def _now(written: Connection, reviewer: str, question: str, retriever: str) -> Review:
    """Return the current review of a result by `reviewer`; empty if there is none."""
    rows = written.execute(
        f"SELECT {_COLUMNS} FROM said WHERE reviewer = ? AND question = ? AND retriever = ?"  # noqa: S608
        " ORDER BY number DESC LIMIT 1",
        (reviewer, question, retriever),
    ).fetchall()
    return review_of(rows[0]) if rows else Review(reviewer, question, retriever)


def _apply_change(written: Connection, act: int, reviewer: str, change: Change) -> Review:
    """Apply a change to a review; store it only if it changes something."""
    before = _now(written, reviewer, change.question, change.retriever)
    now = replace(change.apply_to(before), at=datetime.now(UTC).isoformat(timespec="seconds"))
    if replace(now, at=before.at) != before:
        _insert_review(written, act, now)
    return now


def _insert_review(written: Connection, act: int, review: Review) -> None:
    """Append a version of a review as part of an act; earlier versions stay for undo."""
    places = ", ".join("?" * (1 + len(COLUMNS)))
    written.execute(
        f"INSERT INTO said (act, {_COLUMNS}) VALUES ({places})",  # noqa: S608
        (act, *row_of(review)),
    )


def _validate(change: Change) -> Change:
    """Return a cleaned change; raise InputError if it names no result or is not valid."""
    question = question_key(change.question)
    if not question or not change.retriever:
        raise InputError(
            "A review belongs to a question and a retriever. Choose a result from the list first."
        )
    if change.verdict not in (None, "", *VERDICTS):
        raise InputError(f"Unknown verdict {change.verdict!r}. Use one of {', '.join(VERDICTS)}.")
    note = None if change.note is None else clean(change.note).strip()
    if note is not None and len(note) > LONGEST_NOTE:
        raise InputError(f"The note has more than {LONGEST_NOTE:,} characters. Shorten it.")
    return replace(change, question=question, note=note)
