"""SQLite files beside the tables: damage is found, and a write is none."""

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.marks.store import Mark, Marks
from core.models.kept.reply_file import ReplyFile
from core.store.verification import require_intact, verify

MARK = Mark("Who?", "club", "Harbour Rovers", "0123456789abcdef", True, "me", "2026-01-01")
OTHER = Mark("Where?", "club", "Harbour Rovers", "0123456789abcdef", True, "me", "2026-01-01")
FILE = "marks.sqlite"


@pytest.fixture
def marked(built: Path) -> Path:
    Marks(built).replace([], [MARK])
    return built


def test_what_changed_since_it_was_last_verified_without_a_write_is_damage(marked: Path) -> None:
    before = verify(marked)
    assert before.damaged == ()
    file = marked / FILE
    file.write_bytes(file.read_bytes().replace(b"Harbour Rovers", b"Harbour Rivers"))
    found = verify(marked)
    assert found.files == before.files
    assert [each.path for each in found.damaged] == [FILE]
    assert "a build does not recreate it" in found.problem()
    assert verify(marked).damaged == found.damaged  # nor is it forgotten
    require_intact(marked)  # a build needs none of it


def test_a_write_is_no_damage(marked: Path) -> None:
    assert verify(marked).damaged == ()
    Marks(marked).replace([], [OTHER])
    assert verify(marked).damaged == ()
    file = marked / FILE
    file.write_bytes(file.read_bytes().replace(b"Where?", b"Whero?"))
    assert [each.path for each in verify(marked).damaged] == [FILE]


def test_a_transaction_that_was_rolled_back_is_no_damage(marked: Path) -> None:
    """SQLite writes to free pages before it commits, and does not restore them."""
    with closing(sqlite3.connect(marked / FILE, isolation_level=None)) as opened:
        opened.execute("CREATE TABLE filling (content)")
        rows = [(random.Random(n).randbytes(3000),) for n in range(60)]
        opened.executemany("INSERT INTO filling VALUES (?)", rows)
        opened.execute("DELETE FROM filling")
        assert verify(marked).damaged == ()
        before = (marked / FILE).read_bytes()
        opened.execute("PRAGMA cache_size = 5")
        opened.execute("BEGIN")
        opened.executemany("INSERT INTO filling VALUES (?)", rows[::-1])
        opened.execute("ROLLBACK")
    after = (marked / FILE).read_bytes()
    assert after != before
    assert after[:100] == before[:100]
    assert verify(marked).damaged == ()
    (marked / FILE).write_bytes(after.replace(b"Harbour Rovers", b"Harbour Rivers"))
    assert [each.path for each in verify(marked).damaged] == [FILE]


def test_a_file_that_was_deleted_and_written_as_often_is_no_damage(marked: Path) -> None:
    assert verify(marked).damaged == ()
    before = (marked / FILE).read_bytes()
    (marked / FILE).unlink()
    Marks(marked).replace([], [OTHER])
    assert (marked / FILE).read_bytes()[24:28] == before[24:28]
    assert verify(marked).damaged == ()


def test_replies_of_a_model_are_written_without_being_called_damaged(built: Path) -> None:
    replies = ReplyFile(built)  # has a write-ahead log
    for number in range(3):
        with replies.connection() as opened:
            opened.execute("INSERT INTO leases VALUES (?, 'me', 0)", (str(number),))
        assert verify(built).damaged == ()
    replies.close()
    assert verify(built).damaged == ()
    with (built / "replies.sqlite").open("r+b") as file:
        file.seek(4096)
        file.write(bytes(64))
    assert [each.path for each in verify(built).damaged] == ["replies.sqlite"]


@pytest.mark.parametrize("start", [0, 20, 100])
def test_damage_of_its_structure_is_found_at_once(marked: Path, start: int) -> None:
    file = marked / FILE
    content = bytearray(file.read_bytes())
    content[start : start + 64] = bytes(64)
    file.write_bytes(content)
    assert [each.path for each in verify(marked).damaged] == [FILE]


def test_where_nobody_may_write_nothing_is_remembered(marked: Path) -> None:
    shutil.rmtree(marked / "checksums")
    (marked / "checksums").write_text("a file, not a folder")
    assert verify(marked).damaged == ()


def test_an_empty_file_of_an_interrupted_first_write_is_no_damage(built: Path) -> None:
    (built / FILE).touch()
    assert verify(built).damaged == ()
