"""Files that would take all memory or all time: the process that reads them ends, nothing else."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from core.corpus.file_contents import LIMITS
from core.corpus.reader_process.messages import MessageParser, line
from core.errors import FileRejected
from tests.core.corpus.files import lines as jsonl
from tests.core.corpus.files import pdf, read, read_apart, zipped
from tests.core.corpus.hostile.office import pdf_of_one_drawing

QUICK = replace(LIMITS, seconds=0, seconds_a_mb=0)
EVERYTHING: Mapping[str, bytes | str] = {
    "corpus.jsonl": jsonl(
        {"_id": "a", "title": "A", "text": "A city.", "url": "x", "n": 10**400, "f": 0.5, "b": True}
    ),
    "queries.jsonl": jsonl({"_id": "q", "text": "Which?", "metadata": {"answer": "A"}}),
    "qrels.tsv": "query-id\tcorpus-id\tscore\nq\ta\t1\n",
    "hotpot.json": json.dumps(
        [
            {
                "_id": "h",
                "question": "Who?",
                "answer": "B",
                "context": [["B", ["A potter."]], ["C", ["A town."]]],
                "supporting_facts": [["B", 0]],
            }
        ]
    ),
    "news.json": json.dumps([{"title": "N", "body": "News.", "url": "u", "published_at": "2023"}]),
    "asked.json": json.dumps([{"query": "What?", "evidence_list": [{"title": "N", "url": "u"}]}]),
    "plain.jsonl": jsonl(
        {
            "question": "Which?",
            "gold": ["a"],
            "evidence": [{"text": "It is.", "hop": 2, "grade": 0.5, "asks": "b", "by": "Ana"}],
        }
    ),
    "all.zip": zipped({"one.txt": "One.", "../two.txt": "Two.", "three.md": "# Three\nMore."}),
    "page.pdf": pdf("Rome is old."),
    "empty.txt": "",
    "same.txt": "One.",
}


def test_apart_the_same_is_read_as_here(tmp_path: Path) -> None:
    here, apart = read(tmp_path, EVERYTHING), read_apart(tmp_path, EVERYTHING)
    assert list(map(str, apart.rejected)) == list(map(str, here.rejected))
    assert replace(apart, rejected=()) == replace(here, rejected=())
    assert len(apart.queries) == 4
    assert [q.evidence for q in apart.queries] == [q.evidence for q in here.queries]
    assert [len(query.evidence) for query in apart.queries] == [0, 1, 1, 1]
    assert [q.details for q in apart.queries] == [q.details for q in here.queries]
    assert all(query.gold for query in apart.queries)


def test_a_file_that_never_ends_is_stopped_and_the_others_go_on(tmp_path: Path) -> None:
    slow = pdf_of_one_drawing(pages=50, size=100_000)
    corpus = read_apart(tmp_path, {"a.txt": "A.", "slow.pdf": slow, "b.txt": "B."}, limits=QUICK)
    assert [made.text for made in corpus.documents] == ["A.", "B."]
    assert [each.name for each in corpus.rejected] == ["slow.pdf"]
    assert "far longer to read than its size suggests" in corpus.rejected[0].reason


def test_a_file_that_takes_too_much_memory_is_refused(tmp_path: Path) -> None:
    greedy = "[" + "[]," * 2_000_000 + "[]]"
    limits = replace(LIMITS, memory=150 * 2**20)
    corpus = read_apart(tmp_path, {"a.json": greedy, "b.txt": "B."}, limits=limits)
    assert [made.text for made in corpus.documents] == ["B."]
    assert "more than 150 MB of memory" in corpus.rejected[0].reason


def test_of_an_archive_only_the_file_that_does_harm_is_refused(tmp_path: Path) -> None:
    slow = pdf_of_one_drawing(pages=50, size=100_000)
    packed = zipped({"a.txt": "A.", "slow.pdf": slow, "b.txt": "B.", "none.exe": "", "c.txt": "C."})
    corpus = read_apart(tmp_path, {"all.zip": packed}, limits=QUICK)
    assert [made.text for made in corpus.documents] == ["A.", "B.", "C."]
    assert [each.name for each in corpus.rejected] == ["all.zip/slow.pdf", "all.zip/none.exe"]


def test_an_archive_of_many_such_files_ends(tmp_path: Path) -> None:
    slow = pdf_of_one_drawing(pages=50, size=100_000)
    packed = zipped({"a.txt": "A.", **{f"{number}.pdf": slow for number in range(5)}})
    corpus = read_apart(tmp_path, {"all.zip": packed, "b.txt": "B."}, limits=QUICK)
    assert [made.text for made in corpus.documents] == ["A.", "B."]
    assert [each.name for each in corpus.rejected] == [
        *(f"all.zip/{number}.pdf" for number in range(3)),
        "all.zip",
    ]
    assert "the rest was left out" in corpus.rejected[-1].reason


def test_what_progress_raises_ends_the_reading_at_once(tmp_path: Path) -> None:
    class Stopped(Exception):
        pass

    seen: list[str] = []

    def progress(done: int, total: int, name: str) -> None:
        seen.append(name)
        if seen.count("all.zip/slow.pdf") > 1:
            raise Stopped

    packed = zipped({"slow.pdf": pdf_of_one_drawing(pages=50, size=150_000)})
    began = time.monotonic()
    with pytest.raises(Stopped):
        read_apart(tmp_path, {"all.zip": packed, "a.txt": "A."}, progress=progress)
    assert time.monotonic() - began < 6
    assert not children()


def test_a_process_that_dies_costs_its_file_only(tmp_path: Path) -> None:
    def progress(done: int, total: int, name: str) -> None:
        if name == "slow.pdf":
            for child in children():
                os.kill(child, signal.SIGSEGV)

    slow = pdf_of_one_drawing(pages=50, size=100_000)
    corpus = read_apart(tmp_path, {"slow.pdf": slow, "b.txt": "B."}, progress=progress)
    assert [made.text for made in corpus.documents] == ["B."]
    assert corpus.rejected[0].reason.startswith("it crashed the reader")


def children() -> list[int]:
    """The processes of this one that read files."""
    listed = subprocess.run(
        ["ps", "--ppid", str(os.getpid()), "-o", "pid=,args="], capture_output=True, text=True
    )
    found = [row.split() for row in listed.stdout.splitlines()]
    return [int(row[0]) for row in found if "core.corpus.reader_process.worker" in row]


def test_the_process_has_no_secret_and_no_heavy_library(tmp_path: Path) -> None:
    code = (
        "import sys, core.corpus.reader_process.worker\n"
        "heavy = {'torch', 'streamlit', 'lancedb', 'pyarrow', 'pypdf', 'docx', 'numpy'}\n"
        "sys.exit(bool(heavy & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_key_is_not_handed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOPRAG_LLM_KEY", "sk-secret")
    seen: list[bytes] = []

    def progress(done: int, total: int, name: str) -> None:
        seen.extend(Path(f"/proc/{child}/environ").read_bytes() for child in children())

    read_apart(tmp_path, {"a.txt": "A."}, progress=progress)
    assert seen
    assert not any(b"sk-secret" in environ for environ in seen)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b"{}",
        b'["begin", 1, 2]',
        b'["document", "a", "b", "c", "d", {"x": [1]}, {}]',
        b'["document", "a", "b", "c", "d", {"x": NaN}, {}]',
        b'["document", "a", "b", "c", "d", {}, {"pages": [["1", 2]]}]',
        b'["document", "a", "b", "c", "d", {}, {"sections": [[1, "a"]]}]',
        b'["document", "a", "b", "c", "d", {}, {"sections": 1}]',
        b'["query", "a", "b", [1], [], "", "", ""]',
        b'["read", "a", "b", 0, [], {}]',
        b'["read", "a", "b", true, [], {"left out": "1"}]',
    ],
)
def test_a_line_that_is_none_is_refused(text: bytes) -> None:
    with pytest.raises(ValueError):
        MessageParser().take(text)


def test_a_file_that_was_refused_leaves_nothing_of_it() -> None:
    parser = MessageParser()
    parser.take(line("begin", "a", 1))
    parser.take(line("document", "a", "", "A.", "a", {}, {}))
    name, refused = parser.take(line("rejected", "a", "why")) or ("", None)
    assert (name, str(refused)) == ("a", "a: why")
    parser.take(line("begin", "b", 1))
    _, kept = parser.take(line("read", "b", "Text", False, [], {})) or ("", None)
    assert kept is not None
    assert not isinstance(kept, FileRejected)
    assert list(kept.documents) == []
