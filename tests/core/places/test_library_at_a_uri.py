from pathlib import Path

import pytest

from core.errors import IndexLocked, IndexMissing, InputError, StoreError
from core.jobs.journal import thinned
from core.library import catalogue
from core.models.kept.replies import Replies
from core.models.prompt import Prompt, Reply
from core.places import Remote
from core.settings import read_settings
from core.store.index import Index
from core.store.locking.writer_lock import writer_lock


@pytest.fixture
def root(built_there: Remote) -> Remote:
    return built_there.parent


def test_a_root_lists_what_is_there(root: Remote) -> None:
    (entry,) = catalogue.entries(root)
    assert (entry.name, entry.problem, entry.damaged) == ("fünf Texte", "", False)
    assert entry.meta is not None
    assert entry.meta.counts.vertices == 5
    assert entry.size_bytes > 10_000
    assert catalogue.new_name(root, "fünf Texte") == "fünf-texte"
    assert catalogue.is_taken(root, "fünf Texte")
    assert not catalogue.is_taken(root, "another")


def test_replies_alone_are_no_index(remote: Remote) -> None:
    Replies(remote).put("a", Prompt("asking", "", "Who?", {}), "model", Reply("Ilo"))
    assert catalogue.entries(remote.parent) == []


def test_it_is_renamed(root: Remote) -> None:
    renamed = catalogue.rename(root, "fünf Texte", "five")
    assert [entry.name for entry in catalogue.entries(root)] == ["five"]
    assert len(Index.open(renamed).graph.all_pseudo_queries) > 0
    with pytest.raises(IndexMissing):
        catalogue.folder(root, "fünf Texte")


def test_a_name_that_is_taken_is_refused(root: Remote) -> None:
    (root / "five" / "journal.jsonl").write_bytes(b"")
    with pytest.raises(InputError, match="already"):
        catalogue.rename(root, "fünf Texte", "five")
    with pytest.raises(IndexMissing, match="no query"):
        catalogue.rename(root, "fünf Texte", "five?")


def test_it_is_deleted(root: Remote, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.store.locking.writer_lock._WRITER_PATIENCE", 0.0)
    with writer_lock(root / "other", "a build"), pytest.raises(IndexMissing):
        catalogue.delete(root, "another")
    catalogue.delete(root, "fünf Texte")
    assert not (root / "fünf Texte").is_dir()


def test_what_is_being_written_is_not_deleted(root: Remote) -> None:
    (root / "fünf Texte" / "writer.lock").write_bytes(b"{}")  # of somebody unknown, just now
    with pytest.raises(IndexLocked):
        catalogue.delete(root, "fünf Texte")


def test_half_a_deletion_is_no_index_any_more(
    root: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(*_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(Remote, "remove_listed", dies)
        with pytest.raises(MemoryError):
            catalogue.delete(root, "fünf Texte")
    (entry,) = catalogue.entries(root)
    assert "No build has finished here" in entry.problem


def test_a_storage_that_is_away_is_no_empty_list(
    root: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.places.stores import store_of

    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    store_of.cache_clear()
    with pytest.raises(StoreError, match="does not answer"):
        catalogue.entries(root)


def test_a_new_version_is_noticed(root: Remote, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from core.store.tables import read_meta
    from core.store.writer import publish

    place = root / "fünf Texte"
    before = read_meta(place)
    publish(place, replace(before, finished_at="2999-01-01T00:00:00+00:00"))
    assert read_meta(place).finished_at == "2999-01-01T00:00:00+00:00"


def test_the_setting(tmp_path: Path) -> None:
    assert read_settings({"HOPRAG_HOME": str(tmp_path)}).indexes == tmp_path / "indexes"
    assert str(read_settings({"HOPRAG_INDEXES": "s3://bucket/all/"}).indexes) == "s3://bucket/all"
    assert read_settings({"HOPRAG_INDEXES": str(tmp_path)}).indexes == tmp_path
    with pytest.raises(InputError, match="HOPRAG_INDEXES cannot be used"):
        read_settings({"HOPRAG_INDEXES": "ftp://host"})


def test_a_journal_without_progress_that_is_past() -> None:
    def line(stage: str, done: int) -> bytes:
        return (
            f'{{"event": "progress", "time": 1.0, "stage": "{stage}", "done": {done}}}\n'.encode()
        )

    started, ended = b'{"event": "started"}\n', b'{"event": "finished"}\n'
    embed, merge = [line("embed", n) for n in range(99)], [line("merge", n) for n in range(99)]
    kept = thinned(b"".join([started, *embed, *merge, ended])).splitlines(keepends=True)
    assert kept == [started, embed[0], embed[-1], merge[0], *merge[-79:], ended]
