"""Damaged files of an index: each is named, and none changes a result without a word."""

import json
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from click.testing import Result
from typer.testing import CliRunner

from core.artefacts.workbench import Workbench
from core.build import add, build
from core.cli import app
from core.errors import HopRagError, StoreError
from core.jobs import Job, evaluation
from core.jobs.journal import Journal
from core.places import Remote
from core.store import verification
from core.store.brought import read_brought
from core.store.checksums import FOLDER, lists
from core.store.damage import reading
from core.store.database import _session, connect
from core.store.index import Index
from core.store.paged_graph import shared
from core.store.records import PUBLISHED, SHELF
from core.store.shelf import shelved
from core.store.verification import Verification, Verifications, verify
from core.types import Document
from tests.core.artefacts.demonstration import Demonstration, bench_on
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION, corpus, silent

NEW = Document("brewery", "Selby Ales", "Selby Ales is a brewery in Port Selby.", "brewery.txt")
UNCOVERED = ("latest_version_hint.json", "writer.json", "writer.lock")
"""Files that no version of a table refers to: whatever is in them changes nothing."""


def contents(folder: Path) -> dict[str, Callable[[], object]]:
    """What an index holds, by the beginning of the names of the tables that it is read from."""
    embedder = WordEmbedder()

    def opened() -> Index:
        return Index.open(folder, embedder.info)

    def passages() -> object:
        found = opened()
        return list(found.passages), list(found.passage_keywords), found.vectors.tolist()

    def edges() -> object:
        graph = opened().graph
        every = np.arange(len(graph.adjacency))
        return graph.edges(every.tolist()), graph.adjacency.degrees()[0].tolist()

    def queries() -> object:
        graph = opened().graph
        every = np.arange(len(graph.adjacency))
        vectors = graph.raised(every), graph.carried(every)
        return graph.all_pseudo_queries, [each.tolist() for each in vectors]

    def sentences() -> object:
        made = Workbench(opened(), embedder).get(Demonstration().sentences)
        return made.texts, made.vectors.tolist()

    return {
        "passages": passages,
        "documents": lambda: list(opened().documents),
        "questions": lambda: opened().questions,
        "edges": edges,
        "pseudo_queries": queries,
        "brought": lambda: read_brought(opened()),
        "published": lambda: opened().meta,
        "artefact_": sentences,
        "shelf": lambda: shelved(folder),
        # The next build alone reads these, and verifies them before; the lists nobody else.
        "embeddings_": lambda: None,
        FOLDER: lambda: None,
        "writer": lambda: None,
        # Of a large index.
        "adjacency": edges,
        "carried": queries,
        "edge_keywords": lambda: shared(opened().tables, "edge_keywords", ["port selby"]),
        "passage_keywords": lambda: opened().with_keywords(["port selby"]),
        "vocabulary": lambda: opened().tables.read("vocabulary").to_pylist(),
        "called": lambda: opened().tables.read("called").to_pylist(),
        "missed": lambda: opened().missed,
    }


def result(folder: Path, file: str) -> str:
    """What is read from the table that `file` belongs to; the named error where it is damaged."""
    _session.cache_clear()  # or LanceDB remembers what the file held
    table = file.partition("/")[0].partition(".")[0]
    try:
        return repr(next(r for name, r in contents(folder).items() if table.startswith(name))())
    except HopRagError as error:
        if "damaged" not in str(error):
            raise
        return "damaged"


def whole(folder: Path) -> Path:
    """The index of the five passages with an artefact."""
    build(folder, corpus(), WordEmbedder(), silent)
    bench_on(folder, WordEmbedder()).get(Demonstration().sentences)
    return folder


def files_of(folder: Path) -> list[str]:
    found = (each for each in folder.rglob("*") if each.is_file() and each.stat().st_size)
    return sorted(each.relative_to(folder).as_posix() for each in found)


def damaged_contents(folder: Path, flips: int, zeroed: int) -> Iterator[tuple[str, bytes]]:
    """Each file of the index with what is in it after damage, again and again."""
    some, files = random.Random(7), files_of(folder)
    for number in range(flips + zeroed):
        name = files[number % len(files)]
        content = bytearray((folder / name).read_bytes())
        at = some.randrange(len(content))
        if number < flips:
            content[at] ^= 1 << some.randrange(8)
        else:
            content[at : at + 64] = bytes(len(content[at : at + 64]))
        yield name, bytes(content)


@pytest.mark.parametrize(("flips", "zeroed", "large"), [(500, 60, False), (120, 40, True)])
def test_a_damaged_file_is_named_or_changes_nothing(
    flips: int, zeroed: int, large: bool, tmp_path: Path, large_from: Callable[[int], None]
) -> None:
    """A flipped bit, or 64 zeroed bytes, in every file of an index."""
    if large:
        large_from(2)
    folder = whole(tmp_path / "five")
    before = {name: result(folder, name) for name in files_of(folder)}
    assert "damaged" not in before.values()
    for name, content in damaged_contents(folder, flips, zeroed):
        sound = (folder / name).read_bytes()
        if content == sound:
            continue
        (folder / name).write_bytes(content)
        after, found = result(folder, name), verify(folder)
        is_covered = not name.endswith(UNCOVERED) and not is_of_earlier_version(folder, name)
        assert [each.path for each in found.damaged] == [name] * is_covered
        if not is_covered:
            assert after == before[name], name
        (folder / name).write_bytes(sound)
    _session.cache_clear()
    assert not verify(folder).damaged


def is_of_earlier_version(folder: Path, name: str) -> bool:
    """Whether a file is left of what an index was before its indices were made."""
    listed = {path for each in lists(folder) for path in (*each.files, each.path)}
    return name not in {PUBLISHED, SHELF, *listed}


def damaged(folder: Path, pattern: str, old: bytes, new: bytes) -> str:
    """Change bytes of the one file that `pattern` finds; returns its path in the index."""
    (file,) = folder.glob(pattern)
    content = file.read_bytes()
    assert old in content
    file.write_bytes(content.replace(old, new))
    return file.relative_to(folder).as_posix()


def one_bit_in(file: Path) -> None:
    """Flip a bit of the first value in a data file, which is read without an error."""
    content = file.read_bytes()
    file.write_bytes(bytes([content[0] ^ 1]) + content[1:])


@pytest.mark.parametrize("table", ["passages", "questions", "edges", "pseudo_queries", "brought"])
@pytest.mark.parametrize(
    ("old", "new"),
    [(b"string", b"strjng"), (b"id", b"if")],  # a panic of LanceDB, and a column that is not there
)
def test_a_damaged_manifest_is_a_named_error(
    built: Path, table: str, old: bytes, new: bytes
) -> None:
    damaged(built, f"{table}.lance/_versions/*.manifest", old, new)
    with pytest.raises(StoreError, match=rf"five is damaged: {table}.lance/_versions/"):
        contents(built)[table]()
    shutil.rmtree(built / FOLDER)  # as an older version has built it
    with pytest.raises(StoreError, match="five is damaged and cannot be read"):
        contents(built)[table]()


def test_what_fails_though_its_files_are_intact_is_not_to_be_built_again(built: Path) -> None:
    tables = Index.open(built).tables
    with pytest.raises(StoreError, match=r"KeyError.*files match their checksums") as told:
        tables.rows("questions", lambda row: row["gone"])
    assert "--restart" not in str(told.value)
    shutil.rmtree(built / "questions.lance")
    with pytest.raises(StoreError, match=r"five is damaged: questions.lance.*it is missing"):
        tables.read("questions")


def test_a_panic_that_is_no_exception_is_damage_and_an_interrupt_is_not(tmp_path: Path) -> None:
    panic = type("PanicException", (BaseException,), {"__module__": "pyo3_runtime"})
    with pytest.raises(StoreError, match="damaged"), reading(tmp_path):
        raise panic
    with pytest.raises(KeyboardInterrupt), reading(tmp_path):
        raise KeyboardInterrupt


def test_rows_of_an_artefact_that_cannot_be_understood_are_damage_unless_its_files_are_intact(
    built: Path, embedder: WordEmbedder
) -> None:
    bench_on(built, embedder).get(Demonstration().sentences)
    later = Demonstration()
    later.sentences = replace(later.sentences, open=lambda bench, tables: tables["gone"])
    with pytest.raises(KeyError):
        bench_on(built, embedder).get(later.sentences)
    shutil.rmtree(built / FOLDER)
    with pytest.raises(StoreError, match=r"sentences of five is damaged.*Drop it"):
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


def test_a_damaged_artefact_is_named_and_is_no_obstacle_to_a_build(
    built: Path, embedder: WordEmbedder
) -> None:
    bench_on(built, embedder).get(Demonstration().sentences)
    (file,) = built.glob("artefact_*/data/*")
    one_bit_in(file)
    with pytest.raises(StoreError, match=rf"sentences of five.*{file.name} \(it differs.*Drop it"):
        bench_on(built, embedder).get(Demonstration().sentences)
    assert "Drop sentences on Settings, Shelf" in verify(built).problem()
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
    assert "files match their checksums" in sound.stderr
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

    monkeypatch.setattr(verification, "verify", slowly)
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
