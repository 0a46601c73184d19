"""Damaged files of an index: each is named, and none changes a result without a word."""

import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from core.artefacts.workbench import Workbench
from core.errors import HopRagError, StoreError
from core.indexing.updates import build
from core.store.artefact_tables import shelved
from core.store.database import _session
from core.store.graph.paged import shared
from core.store.index import Index
from core.store.integrity.checksums import FOLDER, lists
from core.store.integrity.damage import reading
from core.store.records.record import PUBLISHED, SHELF
from core.store.source_documents import read_brought
from core.store.verification import verify
from tests.core.artefacts.demonstration import Demonstration, bench_on
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent
from tests.core.store.files import UNCOVERED, damaged, files_of


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
