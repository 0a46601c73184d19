"""Files read on Ray are the corpus that one process reads."""

import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from core.corpus.files import read_files
from core.errors import Cancelled, InputError
from tests.core.cluster.dying import killed_once
from tests.core.five import write_files


def folder(place: Path) -> list[Path]:
    """Good files and bad ones, what is there twice, and names that nobody would choose."""
    five = write_files(place)
    (place / "bad.pdf").write_bytes(b"%PDF-1.4 and nothing else")
    (place / "empty.txt").touch()
    (place / "again\n\x1b[31m.jsonl").write_bytes(five.read_bytes())
    (place / "b\udcff.md").write_text("# Weir\n\nThe weir is in Port Selby.")
    (place / "other.jsonl").write_text('{"id": "club", "title": "Another", "text": "Its own."}')
    with zipfile.ZipFile(place / "some.zip", "w") as packed:
        packed.writestr("in/a.txt", "The brewery of Port Selby is old.")
        packed.writestr("in/bad.docx", "no document")
    return [place, place / "none.txt"]


@pytest.mark.usefixtures("ray")
def test_the_corpus_and_its_account_are_those_of_one_process_though_a_worker_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.cluster import reading  # which needs Ray

    (tmp_path / "files").mkdir()
    paths = folder(tmp_path / "files")
    names = {paths[1]: "wanted.txt"}
    monkeypatch.setattr(reading, "FILES", 3)
    mark = tmp_path / "mark"
    monkeypatch.setattr(reading, "read_batch", killed_once(reading.read_batch, mark))
    told: list[tuple[int, int]] = []
    there = read_files(
        paths, names=names, read=reading.read_files, progress=lambda *now: told.append(now[:2])
    )
    assert mark.exists()
    here = read_files(paths, names=names)
    assert replace(there, rejected=()) == replace(here, rejected=())
    assert list(map(str, there.rejected)) == list(map(str, here.rejected))
    assert here.rejected[-1].name == "wanted.txt"
    assert here.duplicates
    assert here.notes
    assert told[-1][0] == told[-1][1] == len(list(paths[0].iterdir())) + 1

    def stop(*_: object) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        read_files(paths, read=reading.read_files, progress=stop)


@pytest.mark.usefixtures("ray")
def test_a_machine_that_does_not_see_a_file_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.cluster import reading

    monkeypatch.setattr(reading, "_seen_and_size", lambda path: (True, 0))
    with pytest.raises(InputError, match=r"^\S+ cannot see far\.txt\. .*under the same path"):
        read_files([tmp_path / "far.txt"], read=reading.read_files)


def test_a_batch_ends_at_so_many_files_or_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading = pytest.importorskip("core.cluster.reading", exc_type=ImportError)
    monkeypatch.setattr(reading, "FILES", 3)
    monkeypatch.setattr(reading, "BYTES", 10)
    paths = [tmp_path / str(number) for number in range(8)]
    for path, size in zip(paths, (4, 6, 4, 11, 1, 1, 1, 1), strict=True):
        path.write_bytes(b"x" * size)
    batches = reading._batches([(path.name, path) for path in paths])
    assert [[name for name, *_ in batch] for batch in batches] == [
        ["0", "1"],  # 4 + 6 bytes; 4 more are too many
        ["2"],
        ["3"],  # 11 bytes are too many, but a file is not divided
        ["4", "5", "6"],
        ["7"],
    ]
