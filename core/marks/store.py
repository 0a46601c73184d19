"""The marks of an index: one SQLite file in its folder, written immediately.

A mark is of a question, by its text, and of a passage. It keeps the digest of the passage's text
beside its id: a build may call the same text otherwise, and the mark then follows the text, as the
gold of the question set does. An id that has come to mean another text is not what was marked.

It also keeps the text itself, so that it follows it into passages of another chunking
(`core.marks.following`). Files of earlier versions have no texts: that table is made when a mark is
first written.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from core.places import Place
from core.store.locking.sqlite_file import SmallFile

FILE = "marks.sqlite"
_TABLES = (
    "CREATE TABLE gold (question TEXT NOT NULL, passage TEXT NOT NULL, title TEXT NOT NULL,"
    " digest TEXT NOT NULL, gold INTEGER NOT NULL, who TEXT NOT NULL, at TEXT NOT NULL,"
    " PRIMARY KEY (question, passage, digest)) WITHOUT ROWID",
)
_TEXTS = (
    "CREATE TABLE IF NOT EXISTS texts (question TEXT NOT NULL, passage TEXT NOT NULL,"
    " digest TEXT NOT NULL, document TEXT NOT NULL, text TEXT NOT NULL, words TEXT NOT NULL,"
    " PRIMARY KEY (question, passage, digest)) WITHOUT ROWID"
)
_KEY = "question, passage, digest"
_COLUMNS = "question, passage, title, digest, gold, who, at"
_TEXT_COLUMNS = "document, text, words"


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark by an annotator that a passage is gold, or with `gold` False that it is not.

    `digest` is of its text (`core.text.clean.text_digest`), `who` the annotator, empty without
    sign-in, `at` a time in ISO 8601. `document` and `text` are those of the passage; marks of
    earlier versions have neither. `words` are the selected words; empty if all of the passage is
    meant.
    """

    question: str
    passage: str
    title: str
    digest: str
    gold: bool
    who: str
    at: str
    document: str = ""
    text: str = ""
    words: str = ""

    @property
    def name(self) -> str:
        """An id for what was marked that no passage of another text has."""
        return f"{self.passage}~{self.digest[:10]}"


def question_key(text: str) -> str:
    """Normalise the white space of a question, so that equal questions have equal keys."""
    return " ".join(text.split())


class Marks:
    """The marks in the folder of an index. Safe to share between threads and processes.

    Raises
    ------
    StoreError : by every method, where the file cannot be read or written.
    """

    def __init__(self, folder: Place) -> None:
        self._file = SmallFile(folder / FILE, _TABLES)

    @property
    def path(self) -> Place:
        return self._file.path

    def stamp(self) -> str:
        """Return a text that changes whenever the marks change."""
        return self._file.stamp()

    def of(self, question: str) -> list[Mark]:
        """Return the marks of one question, in order of their passages."""
        return self._marks_where("WHERE question = ?", question_key(question))

    def all(self) -> list[Mark]:
        """Return every mark, by question and passage."""
        return self._marks_where("")

    def replace(self, gone: Iterable[Mark], coming: Iterable[Mark]) -> None:
        """Delete marks and add others in one transaction; the last mark of a passage counts."""
        gone, coming = list(gone), list(coming)
        with self._file.transaction() as written:
            written.execute(_TEXTS)
            for table in ("gold", "texts"):
                written.executemany(
                    f"DELETE FROM {table} WHERE question = ? AND passage = ? AND digest = ?",  # noqa: S608
                    [_key(mark) for mark in gone],
                )
            written.executemany(
                f"INSERT OR REPLACE INTO gold ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
                [(*_key(m)[:2], m.title, m.digest, m.gold, m.who, m.at) for m in coming],
            )
            written.executemany(
                f"INSERT OR REPLACE INTO texts ({_KEY}, {_TEXT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)",  # noqa: S608
                [(*_key(mark), mark.document, mark.text, mark.words) for mark in coming],
            )

    def keep_texts(self, marks: Iterable[Mark]) -> None:
        """Keep the document, text and words of marks that are still there and had none."""
        with self._file.transaction() as written:
            written.execute(_TEXTS)
            written.executemany(
                f"INSERT OR IGNORE INTO texts ({_KEY}, {_TEXT_COLUMNS}) SELECT {_KEY}, ?, ?, ?"  # noqa: S608
                " FROM gold WHERE question = ? AND passage = ? AND digest = ?",
                [(mark.document, mark.text, mark.words, *_key(mark)) for mark in marks],
            )

    def _marks_where(self, where: str, *values: str) -> list[Mark]:
        """Read the marks that satisfy the SQL condition `where`."""
        has_texts = self._file.read("SELECT 1 FROM sqlite_master WHERE name = 'texts'")
        texts, joined = _TEXT_COLUMNS, f"LEFT JOIN texts USING ({_KEY})"
        if not has_texts:
            texts, joined = "'', '', ''", ""
        rows = self._file.read(
            f"SELECT {_COLUMNS}, {texts} FROM gold {joined} {where} ORDER BY {_KEY}",  # noqa: S608
            *values,
        )
        return [
            Mark(
                *(question, passage, title, digest, bool(gold), who, at),
                *(text or "" for text in kept),
            )
            for question, passage, title, digest, gold, who, at, *kept in rows
        ]


def _key(mark: Mark) -> tuple[str, str, str]:
    return mark.question, mark.passage, mark.digest
