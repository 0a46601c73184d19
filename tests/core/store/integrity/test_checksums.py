"""Checksums of the files of an index: what they cover, and who compares them."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from click.testing import Result
from typer.testing import CliRunner

from core.cli import app
from core.errors import Cancelled, StoreError
from core.indexing.updates import add, build, remove
from core.jobs import Job, evaluation
from core.jobs.journal import Journal
from core.places import Remote
from core.progress import Progress
from core.store import background_verification, verification
from core.store.background_verification import Verifications
from core.store.database import connect
from core.store.embeddings.vector_positions import Known
from core.store.index import Index
from core.store.integrity.checksums import FOLDER, DamagedFile, FileList, lists
from core.store.locking.table_writes import replace_table
from core.store.verification import Verification, require_intact, verify
from tests.core.artefacts.demonstration import Demonstration, bench_on
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION, corpus, silent
from tests.core.store.files import NEW, UNCOVERED, damaged, files_of, one_bit_in


def test_rows_of_an_artefact_that_cannot_be_understood_are_damage_unless_its_files_are_intact(
    built: Path, embedder: WordEmbedder
) -> None:
    bench_on(built, embedder).get(Demonstration().sentences)
    later = Demonstration()
    later.sentences = replace(later.sentences, open=lambda bench, tables: tables["gone"])
    with pytest.raises(KeyError):
        bench_on(built, embedder).get(later.sentences)
    shutil.rmtree(built / FOLDER)
    with pytest.raises(StoreError, match=r"sentences of five is damaged.*Delete it"):
        bench_on(built, embedder).get(later.sentences)


def test_the_checksums_are_those_of_the_files_of_the_published_version(
    built: Path, embedder: WordEmbedder
) -> None:
    before = files_of(built)
    assert {path for each in lists(built) for path in each.files} == {
        name for name in before if ".lance/" in name and not name.endswith(UNCOVERED)
    }
    checked = ["sha256sum", "--check", "--quiet", "--strict", *built.glob(f"{FOLDER}/*")]
    assert subprocess.run(checked, cwd=built, check=True).returncode == 0
    add(built, corpus(NEW), embedder, silent)
    new = {name for name in files_of(built) if name not in before}
    versions = Index.open(built).meta.versions
    of_version = [each for each in lists(built) if versions.get(each.table) == each.version]
    assert len(of_version) == len(versions)
    assert {path for each in of_version for path in each.files} < new
    assert verify(built).problem() == verify(built).gap() == ""


def test_an_earlier_version_that_was_cleaned_up_is_not_missed(
    built: Path, embedder: WordEmbedder
) -> None:
    add(built, corpus(NEW), embedder, silent)
    table = connect(built).open_table("passages")
    assert len(list((built / "passages.lance" / "data").iterdir())) == 2
    table.optimize(cleanup_older_than=timedelta(milliseconds=1))
    assert len(list((built / "passages.lance" / "data").iterdir())) == 1
    assert verify(built).problem() == ""
    for file in (built / "passages.lance" / "data").iterdir():
        file.unlink()
    assert "it is missing" in verify(built).problem()


def test_files_that_are_cleaned_up_while_they_are_compared_are_not_missed(
    built: Path, embedder: WordEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(built, corpus(NEW), embedder, silent)
    compared = verification.damaged_files

    def meanwhile(place: Path, each: FileList) -> Iterator[DamagedFile]:
        if each.table == "passages":
            table = connect(built).open_table("passages")
            table.optimize(cleanup_older_than=timedelta(milliseconds=1))
        yield from compared(place, each)

    monkeypatch.setattr(verification, "damaged_files", meanwhile)
    assert verify(built).problem() == ""


def test_a_missing_manifest_is_named(built: Path) -> None:
    (file,) = built.glob("edges.lance/_versions/*.manifest")
    file.unlink()
    name = file.relative_to(built).as_posix()
    assert [each[1:] for each in verify(built).damaged] == [(name, "it is missing")]


def test_a_build_does_not_go_on_from_damaged_vectors_and_a_restart_makes_them_again(
    built: Path, embedder: WordEmbedder
) -> None:
    (file,) = built.glob("pseudo_queries.lance/data/*")
    sound = Index.open(built).graph.all_carried.vectors
    one_bit_in(file)
    named = re.escape(file.relative_to(built).as_posix())
    for change in (
        lambda: add(built, corpus(NEW), embedder, silent),
        lambda: build(built, corpus(), embedder, silent),
        lambda: bench_on(built, embedder).get(Demonstration().sentences),
    ):
        with pytest.raises(StoreError, match=rf"five is damaged: {named} \(it differs"):
            change()
    build(built, corpus(), embedder, silent, restart=True)
    assert verify(built).problem() == ""
    np.testing.assert_array_equal(Index.open(built).graph.all_carried.vectors, sound)


def test_a_restart_embeds_again_what_was_kept_for_later_and_is_damaged(
    built: Path, embedder: WordEmbedder
) -> None:
    remove(built, ["stadium"], embedder, silent)  # its texts are kept in a table of their own
    (kept,) = built.glob("embeddings_*")
    vector = connect(built).open_table(kept.stem).to_arrow()["vector"][0].values
    number = np.float32(vector[0].as_py()).tobytes()
    damaged(built, f"{kept.name}/data/*", number, bytes([number[0] ^ 1]) + number[1:])
    embedder.texts.clear()
    build(built, corpus(), embedder, silent, restart=True)
    assert any(text.startswith("Lantern Ground.") for text in embedder.texts)
    assert verify(built).problem() == ""


def stopped_build(folder: Path, embedder: WordEmbedder) -> Path:
    """A first build that was stopped in its third batch; returns the file of the second."""

    def stop(progress: Progress) -> None:
        if progress.stage == "embed" and progress.done > 8:
            raise Cancelled

    with pytest.raises(Cancelled):
        build(folder, corpus(), embedder, stop)
    first, second = sorted(
        folder.glob("embeddings_*/data/*"), key=lambda each: each.stat().st_mtime_ns
    )
    assert first != second
    return second


def test_a_first_build_does_not_resume_with_damaged_vectors(
    tmp_path: Path, embedder: WordEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.models.embedding.BATCH", 4)
    folder = tmp_path / "five"
    file = stopped_build(folder, embedder)
    require_intact(folder)
    one_bit_in(file)
    with pytest.raises(
        StoreError, match=rf"five is damaged: embeddings_.*{file.name} \(it differs"
    ):
        build(folder, corpus(), embedder, silent)
    embedder.texts.clear()
    build(folder, corpus(), embedder, silent, restart=True)
    again = len(embedder.texts)
    embedder.texts.clear()
    build(tmp_path / "new", corpus(), embedder, silent)
    assert again == len(embedder.texts)
    assert verify(folder).problem() == ""


def test_a_first_build_that_resumes_embeds_nothing_twice(
    tmp_path: Path, embedder: WordEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.models.embedding.BATCH", 4)
    folder = tmp_path / "five"
    stopped_build(folder, embedder)
    build(folder, corpus(), embedder, silent)
    assert len(embedder.texts) == len(set(embedder.texts)) + 4  # the batch that was stopped
    assert verify(folder).problem() == ""


def test_what_many_processes_add_is_compared_before_a_build_goes_on(
    tmp_path: Path, embedder: WordEmbedder
) -> None:
    for text in ("a", "b", "c"):
        Known.read(tmp_path, embedder.info).keep([text], embedder.encode([text]))
    require_intact(tmp_path)
    recorded = [path for each in lists(tmp_path) for path in each.files]
    assert len(recorded) == len(set(recorded))  # each is read once
    for file in tmp_path.glob("embeddings_*/data/*"):
        content = file.read_bytes()
        one_bit_in(file)
        with pytest.raises(StoreError, match=file.name):
            require_intact(tmp_path)
        file.write_bytes(content)
    file.unlink()
    with pytest.raises(StoreError, match="it is missing"):
        require_intact(tmp_path)


@pytest.mark.parametrize("table", ["passages", "embeddings_"])
def test_a_clean_up_that_was_killed_is_no_damage(
    built: Path, embedder: WordEmbedder, table: str
) -> None:
    """Whichever files of earlier versions are gone by then."""
    for number in range(3):
        new = replace(NEW, id=f"new{number}", source=f"{number}.txt", text=f"{NEW.text} {number}")
        add(built, corpus(new), embedder, silent)
        Known.read(built, embedder.info).keep([f"spare {number}"], embedder.encode(["spare"]))
    (folder,) = built.glob(f"{table}*.lance")
    kept = built.parent / "kept"
    shutil.copytree(folder, kept)
    before = set(files_of(folder))
    rows = connect(built).open_table(folder.stem)
    if table == "embeddings_":
        rows = replace_table(connect(built), folder.stem, rows.to_arrow())
    rows.optimize(cleanup_older_than=timedelta(milliseconds=1))
    cleaned = sorted(before - set(files_of(folder)))
    assert any(name.startswith("data/") for name in cleaned)
    assert any(name.startswith("_versions/") for name in cleaned)
    for order in (cleaned, cleaned[::-1]):
        shutil.copytree(kept, folder, dirs_exist_ok=True)
        for name in order:
            (folder / name).unlink()
            assert verify(built).problem() == "", name
    for name in cleaned:
        shutil.copytree(kept, folder, dirs_exist_ok=True)
        (folder / name).unlink()
        assert verify(built).problem() == "", name


def test_a_damaged_artefact_is_named_and_is_no_obstacle_to_a_build(
    built: Path, embedder: WordEmbedder
) -> None:
    bench_on(built, embedder).get(Demonstration().sentences)
    (file,) = built.glob("artefact_*/data/*")
    one_bit_in(file)
    with pytest.raises(
        StoreError, match=rf"sentences of five.*{file.name} \(it differs.*Delete it"
    ):
        bench_on(built, embedder).get(Demonstration().sentences)
    assert "Delete sentences on Settings" in verify(built).problem()
    add(built, corpus(NEW), embedder, silent)


def test_a_changed_list_of_checksums_is_named_itself(built: Path) -> None:
    (file,) = built.glob(f"{FOLDER}/edges-*")
    file.write_text(file.read_text().replace("a", "b"))
    assert [each.path for each in verify(built).damaged] == [f"{FOLDER}/{file.name}"]


def cli(*words: object) -> Result:
    return CliRunner().invoke(app, [*map(str, words)])


def test_info_verify_names_the_damaged_file(built: Path) -> None:
    sound = cli("info", "--index", built, "--verify")
    assert (sound.exit_code, sound.stdout) == (0, "")
    assert "The index is intact (" in sound.stderr
    (file,) = built.glob("passages.lance/data/*")
    one_bit_in(file)
    found = cli("info", "--index", built, "--verify", "--json")
    assert found.exit_code == 1
    name = file.relative_to(built).as_posix()
    assert json.loads(found.stdout)["damaged"] == [
        {"file": name, "problem": "it differs from its checksum"}
    ]
    assert f"five is damaged: {name} (it differs from its checksum)" in found.stderr
    assert "--restart" in found.stderr
    assert name in cli("info", "--index", built, "--verify").stdout


def test_an_index_of_an_older_version_says_that_it_cannot_be_verified(
    built: Path, embedder: WordEmbedder
) -> None:
    shutil.rmtree(built / FOLDER)
    found = cli("info", "--index", built, "--verify")
    assert found.exit_code == 1
    assert "cannot be verified: it was built before checksums were recorded" in found.stderr
    add(built, corpus(NEW), embedder, silent)  # is no obstacle
    shutil.rmtree(built / FOLDER)
    assert "Recorded the checksums" in cli("info", "--index", built, "--record-checksums").stderr
    assert cli("info", "--index", built, "--verify").exit_code == 0
    assert "already" in cli("info", "--index", built, "--record-checksums").stderr


def test_a_command_gives_no_result_of_a_damaged_index(built: Path, words: WordEmbedder) -> None:
    asked = ("ask", QUESTION.text, "--index", built, "--retriever", "bm25")
    assert cli(*asked).exit_code == 0
    (file,) = built.glob("passages.lance/data/*")
    one_bit_in(file)
    found = cli(*asked)
    assert (found.exit_code, found.stdout) == (1, "")
    assert f"five is damaged: passages.lance/data/{file.name}" in found.stderr


def test_a_command_names_the_file_that_cannot_be_read(built: Path, words: WordEmbedder) -> None:
    name = damaged(built, "passages.lance/_versions/*.manifest", b"string", b"strjng")
    found = cli("evaluate", "--index", built, "--retrievers", "bm25")
    assert (found.exit_code, found.stdout) == (1, "")
    assert f"five is damaged: {name}" in found.stderr


def test_a_damaged_artefact_can_be_dropped_and_stops_only_what_reads_it(
    built: Path, words: WordEmbedder
) -> None:
    cli("make", "entities", "--index", built)
    one_bit_in(min(built.glob("artefact_entities*/data/*")))
    assert cli("ask", QUESTION.text, "--index", built, "--retriever", "bm25").exit_code == 0
    assert "artefact_entities" in cli("info", "--index", built, "--verify").stderr
    assert cli("shelf", "--index", built, "--drop", "entities").exit_code == 0
    assert cli("info", "--index", built, "--verify").exit_code == 0


def test_tables_that_records_have_replaced_are_not_missed(built: Path) -> None:
    """An index of an earlier version keeps its table `meta` when it is built again."""
    connect(built).create_table("meta", [{"finished_at": "2026-01-01", "content": "{}"}])
    found = verify(built)
    assert (found.damaged, found.unrecorded) == ((), ())


def test_what_cannot_be_verified_is_an_error_of_ours(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(place: Path) -> Verification:
        raise IndexError("out of range")

    monkeypatch.setattr(background_verification, "verify", fail)
    found = Verifications()
    found.begin(built, "1")
    with pytest.raises(StoreError, match="five cannot be verified"):
        found.wait(built, "1")
    monkeypatch.undo()
    found.begin(built, "1")
    with pytest.raises(StoreError):
        found.wait(built, "1")
    found.forget(built)
    found.begin(built, "1")
    assert found.wait(built, "1").problem() == ""


def test_a_job_measures_no_damaged_index(
    built: Path, words: WordEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluation.Runs, "get", lambda runs, run: None)
    monkeypatch.setattr(evaluation, "_model", lambda *_: (None, silent))
    monkeypatch.setattr(evaluation, "measure", lambda *_: pytest.fail("it was measured"))
    (file,) = built.glob("passages.lance/data/*")
    one_bit_in(file)
    with pytest.raises(StoreError, match=rf"five is damaged: passages.lance/data/{file.name}"):
        evaluation.evaluate(Job("evaluate", built, run="1"), Journal(built), silent)


def test_a_version_is_verified_once_in_the_background(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = Event(), Event()
    calls: list[Path] = []

    def slowly(place: Path) -> Verification:
        calls.append(place)
        begun.set()
        assert go_on.wait(30)
        return verify(place)

    monkeypatch.setattr(background_verification, "verify", slowly)
    found = Verifications()
    assert found.result(built, "1") is None
    found.begin(built, "1")
    found.begin(built, "1")
    assert begun.wait(30)
    assert found.result(built, "1") is None
    go_on.set()
    assert found.wait(built, "1").problem() == ""
    assert found.result(built, "1") == found.wait(built, "1")
    assert calls == [built]


def test_object_storage_is_verified_too(
    remote: Remote, five_built: Path, embedder: WordEmbedder
) -> None:
    build(remote, corpus(), embedder, silent)
    assert len(list(lists(remote))) == len(list(lists(five_built)))
    assert cli("info", "--index", remote, "--verify").exit_code == 0
    file = next((remote / "edges.lance" / "data").walk()).place
    file.write_bytes(b"\0" + file.read_bytes()[1:])
    found = cli("info", "--index", remote, "--verify")
    assert found.exit_code == 1
    assert f"edges.lance/data/{file.name} (it differs from its checksum)" in found.stderr
