import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.cli import app
from core.errors import Cancelled, LockLost, StoreError
from core.evaluation.kept import KeptRankings
from core.indexing.updates import add, build, remove
from core.jobs import Job, cancel, run, state
from core.marks.store import Mark, Marks
from core.places import Remote, Version
from core.progress import Progress
from core.retrievers import Spec
from core.store.database import table_names
from core.store.graph.in_memory import WholeGraph
from core.store.index import Index
from core.store.tables import read_meta
from core.types import Document
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent, write_asked, write_files
from tests.storage import remove_all

NEW = Document("brewery", "Selby Ales", "Selby Ales is a brewery in Port Selby.", "brewery.txt")
MARK = Mark("Who?", "club", "Harbour Rovers", "0123456789abcdef", True, "me", "2026-01-01")


def test_it_is_the_index_that_a_folder_holds(
    remote: Remote, five_built: Path, embedder: WordEmbedder
) -> None:
    build(remote, corpus(), embedder, silent)
    there, here = Index.open(str(remote), embedder.info), Index.open(five_built, embedder.info)
    assert there.name == "fünf Texte"
    assert there.meta.graph_version == here.meta.graph_version
    assert there.passages == here.passages
    assert there.questions == here.questions
    assert (there.vectors == here.vectors).all()


def test_a_large_index_is_read_there_as_it_is_touched(
    remote: Remote, five_built: Path, embedder: WordEmbedder, large_from: Callable[[int], None]
) -> None:
    here = Index.open(five_built, embedder.info)
    large_from(5)
    build(remote, corpus(), embedder, silent)
    there = Index.open(remote, embedder.info)
    assert there.large
    assert list(there.passages) == list(here.passages)
    edges = range(len(here.graph.adjacency))
    assert there.graph.edges(edges) == WholeGraph(here.tables, here.number, str).edges(edges)


def test_it_is_added_to_and_taken_from(built_there: Remote, embedder: WordEmbedder) -> None:
    before = read_meta(built_there)
    add(built_there, corpus(NEW), embedder, silent)
    assert read_meta(built_there).counts.documents == 6
    remove(built_there, ["brewery"], embedder, silent)
    assert read_meta(built_there).graph_version == before.graph_version


def test_the_database_of_another_program_is_left_alone(
    remote: Remote, embedder: WordEmbedder
) -> None:
    (remote / "theirs.lance" / "data").write_bytes(b"theirs")
    with pytest.raises(StoreError, match="another program"):
        build(remote, corpus(), embedder, silent)
    assert table_names(remote) == ["theirs"]


def test_damage_is_told_from_a_storage_that_is_away(
    built_there: Remote, embedder: WordEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    for found in (built_there / "passages.lance").walk():
        found.place.write_bytes(b"damaged")
    with pytest.raises(StoreError, match=r"damaged.*--restart"):
        Index.open(built_there)
    build(built_there, corpus(), embedder, silent, restart=True)
    index = Index.open(built_there)
    monkeypatch.setattr("core.places.Remote.read", refuses)
    remove_all(built_there / "questions.lance")
    with pytest.raises(StoreError, match="cannot be used: The credentials do not allow this"):
        _ = index.questions


def refuses(place: Remote) -> bool:
    raise PermissionError(13, "The credentials do not allow this", str(place))


def test_marks_are_seen_by_another_machine(
    built_there: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    marks = Marks(built_there)
    assert (marks.all(), marks.stamp()) == ([], "")
    marks.replace([], [MARK])
    before = marks.stamp()
    monkeypatch.setattr("core.store.locking.local_copy._known", {})  # as that machine knows nothing
    assert Marks(built_there).of("Who?") == [MARK]
    marks.replace([MARK], [])
    assert Marks(built_there).all() == []
    assert marks.stamp() != before


def test_what_was_not_put_is_not_kept(built_there: Remote, monkeypatch: pytest.MonkeyPatch) -> None:
    marks = Marks(built_there)
    marks.replace([], [MARK])
    monkeypatch.setattr(Remote, "replace", lambda *_: refuses(built_there))
    with pytest.raises(StoreError, match="The credentials do not allow this"):
        marks.replace([MARK], [])
    assert marks.all() == [MARK]


def test_rankings_are_kept_there(built_there: Remote) -> None:
    spec = Spec.parse("bm25")
    KeptRankings(built_there, "content").put(spec, {"Who?": ["club"]})
    assert KeptRankings(built_there, "content").ranking(spec, "Who?") == ("club",)


def test_nothing_is_written_where_the_index_is_gone(remote: Remote) -> None:
    with pytest.raises(StoreError, match="The index is gone"):
        Marks(remote).replace([], [MARK])
    assert not remote.is_dir()


@pytest.mark.usefixtures("words")
def test_the_journal_of_a_job_is_there(remote: Remote, tmp_path: Path) -> None:
    run(Job("build", remote, files=(write_files(tmp_path),)))
    now = state(remote)
    assert now is not None
    assert (now.status, now.documents, now.stage) == ("finished", 5, "corpus-map")
    assert now.job is not None
    assert now.job.index == remote


@pytest.mark.usefixtures("words")
def test_a_job_is_cancelled_from_elsewhere(
    remote: Remote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.jobs.worker._LOOK", 0.0)

    def report(progress: Progress) -> None:
        if progress.stage == "chunk":
            cancel(remote)

    with pytest.raises(Cancelled):
        run(Job("build", remote, files=(write_files(tmp_path),)), report)
    now = state(remote)
    assert now is not None
    assert (now.status, now.resumable) == ("cancelled", True)


@pytest.mark.usefixtures("words")
def test_a_job_whose_index_was_deleted_ends(remote: Remote, tmp_path: Path) -> None:
    def report(progress: Progress) -> None:
        if progress.stage == "chunk":
            remove_all(remote)

    with pytest.raises(StoreError, match=r"Lost the lock.*the index was deleted or renamed"):
        run(Job("build", remote, files=(write_files(tmp_path),)), report)
    assert state(remote) is None


@pytest.mark.usefixtures("words")
def test_the_commands_take_a_uri(remote: Remote, tmp_path: Path) -> None:
    def said(*command: str) -> str:
        done = CliRunner().invoke(app, [*command, "--index", str(remote)])
        assert done.exit_code == 0, done.output
        return done.stdout

    files, asked = write_files(tmp_path), write_asked(tmp_path)
    said("build", str(files), str(asked))
    assert json.loads(said("info", "--json"))["index"] == str(remote)
    found = json.loads(said("ask", "Who bought Harbour Rovers?", "--json"))
    assert found["index"] == str(remote)


@pytest.mark.usefixtures("words")
def test_a_signature_in_an_error_is_not_logged(
    remote: Remote, tmp_path: Path, at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("PUT https://account.blob/x?sv=2020&sig=sesame failed")

    monkeypatch.setattr("core.indexing.builder.write_tables", fails)
    with pytest.raises(RuntimeError):
        run(Job("build", remote, files=(write_files(tmp_path),)))
    (log,) = at_home.rglob("job.log")
    assert "account.blob/x?… failed" in log.read_text()
    assert "sesame" not in log.read_text()


def test_of_two_changes_one_is_refused_and_none_is_lost(
    built_there: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    marks, other = Marks(built_there), Marks(built_there)
    replace_object = Remote.replace

    def late(place: Remote, content: bytes, seen: Version | None) -> Version:
        """Another process took the lock over from one that was paused, and was first."""
        if place.name == "marks.sqlite":
            monkeypatch.setattr(Remote, "replace", replace_object)
            (built_there / "marks.sqlite.lock").unlink()
            other.replace([], [MARK])
        return replace_object(place, content, seen)

    monkeypatch.setattr(Remote, "replace", late)
    with pytest.raises(LockLost, match="another process changed it in the meantime"):
        marks.replace([], [replace(MARK, question="Where?")])
    assert marks.all() == [MARK]
