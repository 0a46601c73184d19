import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from core import settings
from core.errors import IndexLocked, IndexMissing, InputError, StoreError
from core.indexing.updates import build
from core.jobs import JOURNAL, Job
from core.jobs.worker import taken
from core.library import catalogue
from core.models.kept.replies import Replies
from core.models.prompt import Prompt, Reply
from core.progress import Progress
from core.store.artefact_tables import shelved
from core.store.embeddings.vector_cache import embeddings_of
from core.store.index import Index
from core.store.locking.record_writes import reset
from core.store.locking.writer_lock import writer_lock
from core.store.records.record import PUBLISHED
from core.store.tables import read_meta
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent


@pytest.fixture
def root(built: Path) -> Path:
    """A folder with the index `five` in it."""
    return built.parent


def names(root: Path) -> list[str]:
    return [entry.name for entry in catalogue.entries(root)]


def test_nothing_was_built_yet(tmp_path: Path) -> None:
    assert catalogue.entries(tmp_path / "none") == []


def test_the_list_has_size_age_and_counts_newest_first(root: Path, embedder: WordEmbedder) -> None:
    build(root / "younger one", corpus(), embedder, silent)
    (root / ".hidden").mkdir()
    (root / "a file").touch()
    younger, five = catalogue.entries(root)
    assert (younger.name, five.name) == ("younger one", "five")
    assert five.meta is not None
    assert five.meta.counts.documents == 5
    assert five.finished_at is not None
    assert younger.finished_at is not None
    assert five.finished_at < younger.finished_at
    assert five.size_bytes == sum(f.stat().st_size for f in five.path.rglob("*") if f.is_file())
    assert five.problem == ""


def test_an_unfinished_index_says_how_it_ended(root: Path) -> None:
    with taken(Job("build", root / "stopped")) as take:
        running = catalogue.entries(root)[0]
        take.journal.write("cancelled", message="Stopped.")
    with taken(Job("build", root / "killed")) as take:
        take.journal.progress(Progress("embed", 1, 2))
    (root / "blank").mkdir()
    problems = {entry.name: entry.problem for entry in catalogue.entries(root)}
    assert running.problem == "Its first build is running."
    assert "was stopped" in problems["stopped"]
    assert "killed" in problems["killed"]
    assert "No build has finished" in problems["blank"]


def test_a_damaged_index_is_listed_and_can_be_built_again(
    root: Path, embedder: WordEmbedder
) -> None:
    record = root / "five" / "published.json"
    record.write_bytes(record.read_bytes()[:40])
    (entry,) = catalogue.entries(root)
    assert "damaged" in entry.problem
    assert "--restart" in entry.problem
    assert entry.meta is None
    with pytest.raises(StoreError, match="damaged"):
        build(root / "five", corpus(), embedder, silent)
    build(root / "five", corpus(), embedder, silent, restart=True)
    assert catalogue.entries(root)[0].problem == ""


def read_all(folder: Path) -> None:
    index = Index.open(folder)
    assert len(index.graph.adjacency)
    assert index.documents


@pytest.mark.parametrize("table", ["passages", "edges", "documents"])
def test_a_lost_table_is_damage_and_restart_mends_it(
    root: Path, embedder: WordEmbedder, table: str
) -> None:
    shutil.rmtree(root / "five" / f"{table}.lance")
    with pytest.raises(StoreError, match="damaged"):
        read_all(root / "five")
    build(root / "five", corpus(), embedder, silent, restart=True)
    assert len(Index.open(root / "five").documents) == 5


def test_rename(root: Path) -> None:
    path = catalogue.rename(root, "five", " Fünf Texte ")
    assert path == root / "Fünf Texte"
    assert names(root) == ["Fünf Texte"]
    assert len(Index.open(path).passages) == 5


def test_rename_to_a_taken_name(root: Path) -> None:
    (root / "other").mkdir()
    with pytest.raises(InputError, match="already"):
        catalogue.rename(root, "five", "other")


BAD = ["", "   ", "a/b", "a\\b", "..", "../five", "a..b", ".hidden", "tab\tbed", "zero\u200bwidth",
       "x" * 81, "\U0001f9ec" * 80, "lone\udcff"]  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_a_name(root: Path, name: str) -> None:
    for use in (
        lambda: catalogue.rename(root, "five", name),
        lambda: catalogue.delete(root, name),
        lambda: catalogue.folder(root, name),
    ):
        with pytest.raises(InputError, match="cannot be the name"):
            use()
    assert names(root) == ["five"]


@pytest.mark.parametrize(
    "use",
    [lambda root: catalogue.delete(root, "none"), lambda root: catalogue.rename(root, "none", "b")],
)
def test_there_is_no_such_index(root: Path, use: Callable[[Path], object]) -> None:
    with pytest.raises(IndexMissing, match="none"):
        use(root)


def test_an_index_that_is_written_stays(root: Path) -> None:
    with writer_lock(root / "five", "a build"):
        # Elsewhere, since whoever holds the lock may take it again.
        for use in (
            lambda: catalogue.delete(root, "five"),
            lambda: catalogue.rename(root, "five", "six"),
        ):
            with pytest.raises(IndexLocked, match="a build"):
                elsewhere(use)
    assert names(root) == ["five"]


def elsewhere(use: Callable[[], object]) -> None:
    """Run in another thread, and raise here what it raised."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        pool.submit(use).result()


def test_delete(root: Path) -> None:
    catalogue.delete(root, "five")
    assert list(root.iterdir()) == []


def test_deleting_never_follows_a_link(root: Path, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name} outside"
    outside.mkdir()
    (outside / "dear.txt").touch()
    (root / "five" / "inner").symlink_to(outside)
    (root / "linked").symlink_to(outside)
    catalogue.delete(root, "linked")
    catalogue.delete(root, "five")
    assert [path.name for path in outside.iterdir()] == ["dear.txt"]
    assert list(root.iterdir()) == []


def test_uploads_go_with_their_index(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path.parent / f"{tmp_path.name} home"
    here = replace(settings.settings(), home=home)
    monkeypatch.setattr("core.library.catalogue.settings", lambda: here)
    upload, other = here.uploads / "five" / "1" / "a.txt", here.uploads / "six" / "a.txt"
    own = tmp_path.parent / f"{tmp_path.name}.txt"
    for file in (upload, other, own):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    with taken(Job("add", root / "five", files=(upload, own, here.uploads / ".." / "x"))):
        pass
    catalogue.delete(root, "five")
    assert own.exists()
    assert other.exists()
    assert [path.name for path in here.uploads.iterdir()] == ["six"]


def test_new_names(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = replace(settings.settings(), home=tmp_path / "home")
    monkeypatch.setattr("core.library.catalogue.settings", lambda: here)
    assert catalogue.new_name(root, "My Corpus (v2).jsonl") == "my-corpus-v2-jsonl"
    assert catalogue.new_name(root, "five") == "five-2"
    (root / "five-2").mkdir()
    (here.uploads / "five-3").mkdir(parents=True)
    assert catalogue.new_name(root, "../Five") == "five-4"
    assert catalogue.new_name(root, "///") == "index"
    assert catalogue.new_name(root, "Größe 漢字") == "größe-漢字"
    assert catalogue.checked_name(catalogue.new_name(root, "漢" * 500))


def test_a_pilot_before_the_build_is_no_index(root: Path, tmp_path: Path) -> None:
    before = names(root)
    replies = Replies(root / "asked")
    replies.put("key", Prompt("p", "", "", {}), "model", Reply("text"))
    assert (root / "asked").is_dir()
    assert not catalogue.is_taken(root, "asked")
    assert catalogue.new_name(root, "asked") == "asked"
    assert names(root) == before
    replies.close()
    (root / "asked" / "journal.jsonl").touch()
    assert catalogue.is_taken(root, "asked")
    assert catalogue.new_name(root, "asked") == "asked-2"
    (root / "empty").mkdir()
    assert catalogue.is_taken(root, "empty")


BAD_META: dict[str, object] = {
    "finished_at": "never",
    "seconds": float("nan"),
    "counts": {"documents": "many"},
    "versions": {"passages": "first"},
    "embedder": None,
    "maker": 3,
    "schema": [2],
}


@pytest.mark.parametrize("field", BAD_META)
def test_one_index_with_malformed_metadata_is_damaged_and_the_others_are_listed(
    root: Path, field: str
) -> None:
    shutil.copytree(root / "five", root / "sound")
    meta = json.loads(read_meta(root / "five").to_json())
    reset(root / "five", PUBLISHED, json.dumps({**meta, field: BAD_META[field]}))
    listed = {entry.name: entry for entry in catalogue.entries(root)}
    assert listed["sound"].problem == ""
    assert listed["five"].damaged or "schema" in listed["five"].problem
    catalogue.delete(root, "five")
    assert names(root) == ["sound"]


BAD_LINES = (
    '{"event": "started", "time": NaN, "job": {}}',
    '{"event": "started", "time": "never", "job": {}}',
    '{"event": "started", "time": 1e300, "job": {}}',
    '{"event": "started", "time": 1.0, "job": 5}',
    '{"event": "started", "time": 1.0, "job": {"kind": "build", "files": 5}}',
    '{"event": "progress", "time": 1.0, "stage": "no such", "done": 1, "total": 2}',
    '{"event": "progress", "time": 1.0, "stage": "embed", "done": "x", "total": 2}',
    '{"event": "progress", "time": 1.0, "stage": "embed", "done": 1, "total": 1' + "0" * 400 + "}",
    '{"event": "read", "time": 1.0, "documents": {}, "questions": 0, "rejected": [1],'
    ' "duplicates": [], "notes": []}',
    '{"event": "finished", "time": 1.0, "counts": {"documents": "many"}}',
    '{"event": "finished", "time": 1.0, "counts": {}, "spending": {"calls": "x"}}',
    '{"event": "failed", "time": 1.0, "message": 5}',
    "[" * 5000,
)


@pytest.mark.parametrize("line", BAD_LINES)
def test_a_malformed_journal_breaks_nothing(root: Path, line: str) -> None:
    begun = json.dumps({"event": "started", "time": 2.0, "job": Job("build", root).to_dict()})
    for number, content in enumerate((line, f"{begun}\n{line}")):
        (root / f"bad{number}").mkdir(exist_ok=True)
        (root / f"bad{number}" / JOURNAL).write_text(content)
    (root / "five" / JOURNAL).write_text(f"{line}\n{begun}\n{line}\n")
    assert set(names(root)) == {"five", "bad0", "bad1"}
    catalogue.delete(root, "bad0")


def test_a_lost_lock_makes_no_other_programs_database(root: Path, embedder: WordEmbedder) -> None:
    (root / "five" / "writer.lock").unlink()
    (root / "five" / "writer.json").unlink()
    for table in (root / "five").glob("embeddings_*"):
        shutil.rmtree(table)
    build(root / "five", corpus(), embedder, silent)
    (root / "five" / "writer.lock").unlink()
    catalogue.delete(root, "five")


@pytest.mark.parametrize("table", ["meta", "documents", "passages", "shelf", "embeddings"])
def test_a_first_table_that_was_left_half_made_is_made_again(
    root: Path, embedder: WordEmbedder, table: str
) -> None:
    folder = root / "half"
    name = embeddings_of(embedder.info) if table == "embeddings" else table
    (folder / f"{name}.lance" / "data").mkdir(parents=True)
    (folder / f"{name}.lance" / "data" / "x.lance").write_bytes(b"cut")
    (folder / "writer.lock").touch()
    (entry,) = (each for each in catalogue.entries(root) if each.name == "half")
    assert not entry.damaged
    build(folder, corpus(), embedder, silent)
    assert len(Index.open(folder).documents) == 5
    assert shelved(folder) == {}


def test_a_full_disk_is_no_damage(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("core.store.tables.read_record", full)
    with pytest.raises(StoreError, match="No space left on device"):
        Index.open(root / "five")
