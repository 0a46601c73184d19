import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import StoreError
from core.models.kept.replies import FILE, Replies, Spent, reply_key
from core.models.prompt import Prompt, Reply

ROOT = Path(__file__).parents[4]
PROMPT = Prompt("test", "Answer.", "{}", {"type": "object"})
REPLY = Reply("ja 是 \x00 \N{GRINNING FACE}", 7, 3, 0.5)
WRITE = """
import sys
from pathlib import Path
from core.models.prompt import Prompt, Reply
from core.models.kept.replies import Replies
replies = Replies(Path(sys.argv[1]))
for number in range(int(sys.argv[3])):
    replies.put(f"{sys.argv[2]}{number}", Prompt("test", "", "", {}), "m", Reply(str(number), 1, 1))
    print(number, flush=True)
"""


def writing(folder: Path, name: str, times: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITE, str(folder), name, str(times)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_a_reply_is_kept_word_for_word(tmp_path: Path) -> None:
    Replies(tmp_path).put("k", PROMPT, "m", REPLY)
    again = Replies(tmp_path)
    assert again.get("k") == REPLY
    assert again.get("other") is None


def test_nothing_is_made_before_something_is_kept(tmp_path: Path) -> None:
    replies = Replies(tmp_path / "index")
    assert replies.get("k") is None
    assert replies.spent() == Spent()
    assert list(tmp_path.iterdir()) == []


def test_what_was_spent_is_counted_by_prompt(tmp_path: Path) -> None:
    replies = Replies(tmp_path)
    replies.put("a", PROMPT, "m", REPLY)
    replies.put("b", PROMPT, "m", REPLY)
    replies.put("c", replace(PROMPT, name="other"), "m", REPLY)
    assert replies.spent() == Spent(3, 21, 9)
    assert replies.spent("test") == Spent(2, 14, 6)
    assert replies.spent("none") == Spent()


@pytest.mark.parametrize(
    "other",
    [
        reply_key("m2", PROMPT),
        reply_key("m", PROMPT, attempt=1),
        *[reply_key("m", replace(PROMPT, **{name: "x"})) for name in ("name", "system", "user")],
        reply_key("m", replace(PROMPT, schema={"type": "array"})),
    ],
)
def test_a_key_stands_for_everything_that_is_asked(other: str) -> None:
    assert other != reply_key("m", PROMPT)
    assert reply_key("m", replace(PROMPT)) == reply_key("m", PROMPT)


def test_threads_share_one(tmp_path: Path) -> None:
    replies = Replies(tmp_path)
    with ThreadPoolExecutor(32) as pool:
        list(pool.map(lambda n: replies.put(str(n), PROMPT, "m", Reply(str(n))), range(500)))
        found = list(pool.map(replies.get, map(str, range(500))))
    assert [reply.text for reply in found if reply] == [str(n) for n in range(500)]


def test_processes_write_at_the_same_time(tmp_path: Path) -> None:
    writers = [writing(tmp_path, name, 100) for name in "abc"]
    for writer in writers:
        writer.communicate(timeout=60)
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    assert Replies(tmp_path).spent() == Spent(300, 300, 300)


def test_kill_9_loses_nothing_that_was_kept(tmp_path: Path) -> None:
    with writing(tmp_path, "a", 100_000) as writer:
        assert writer.stdout
        for _ in range(50):
            last = int(writer.stdout.readline())
        writer.send_signal(signal.SIGKILL)
        last = max([last, *map(int, writer.stdout.read().split("\n")[:-1])])
    replies = Replies(tmp_path)
    assert replies.get(f"a{last}") == Reply(str(last), 1, 1)
    assert last + 1 <= replies.spent().calls <= last + 2
    replies.put("b", PROMPT, "m", REPLY)
    assert replies.get("b") == REPLY


@pytest.mark.parametrize("content", [b"not a database at all" * 100, b"SQLite format 3\0 and so"])
def test_a_damaged_file_says_what_to_do(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(StoreError, match="move the file away"):
        Replies(tmp_path).get("k")
    with pytest.raises(StoreError, match=FILE):
        Replies(tmp_path).put("k", PROMPT, "m", REPLY)


def test_a_folder_that_cannot_be_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be read or written"):
        Replies(tmp_path / "file" / "index").put("k", PROMPT, "m", REPLY)


def test_an_index_made_anew_is_seen(tmp_path: Path) -> None:
    index = tmp_path / "index"
    replies = Replies(index)
    replies.put("old", PROMPT, "m", REPLY)
    shutil.rmtree(index)
    index.mkdir()
    replies.put("new", PROMPT, "m", REPLY)
    assert replies.get("old") is None
    assert Replies(index).get("new") == REPLY


def test_an_index_that_was_deleted_does_not_come_back(tmp_path: Path) -> None:
    index = tmp_path / "index"
    replies = Replies(index)
    replies.put("k", PROMPT, "m", REPLY)
    shutil.rmtree(index)
    with pytest.raises(StoreError, match="the index is gone"):
        replies.put("k2", PROMPT, "m", REPLY)
    assert not index.exists()


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """As somebody who may not write there; root may, and so is not root meanwhile."""
    root = os.geteuid() == 0
    for path in (*folder.iterdir(), folder):
        path.chmod(0o555 if path.is_dir() else 0o444)
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        folder.chmod(0o755)


@pytest.mark.skipif(sys.platform == "win32", reason="folders cannot be made read-only there")
@pytest.mark.parametrize("before", [True, False])
def test_a_folder_that_cannot_be_written_is_read_and_added_to_in_memory(before: bool) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if before:
            kept = Replies(folder)
            kept.put("old", PROMPT, "m", REPLY)
            kept.close()
        with read_only(folder):
            replies = Replies(folder)
            assert replies.get("old") == (REPLY if before else None)
            replies.put("new", PROMPT, "m", REPLY)
            assert replies.get("new") == REPLY
            assert "is not writable" in replies.unkept
            replies.close()
        assert Replies(folder).get("new") is None


def test_a_writer_waits_for_another(tmp_path: Path) -> None:
    replies = Replies(tmp_path)
    replies.put("a", PROMPT, "m", REPLY)
    other = sqlite3.connect(tmp_path / FILE, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    threading.Timer(0.2, other.rollback).start()
    replies.put("b", PROMPT, "m", REPLY)
    assert replies.get("b") == REPLY
    other.close()
