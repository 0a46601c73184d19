"""A writer that was paused for longer than its lock lives overwrites nothing when it goes on.

Each operation is paused at its writes. Another process takes the lock over and has changes
acknowledged; then the first one goes on.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pyarrow as pa
import pytest

from core.artefacts.making import make_artefacts
from core.artefacts.stored_artefacts import drop
from core.artefacts.workbench import Workbench
from core.errors import IndexMissing, LockLost, StoreError
from core.indexing.updates import add, build, remove
from core.jobs import Job, evaluation_place, run, state
from core.library import catalogue
from core.marks.store import Mark, Marks
from core.places import Remote
from core.retrievers.registry import artefacts_of
from core.reviews.review import Change
from core.reviews.store.reviews import Reviews
from core.runs.run import Column, Run
from core.runs.store import Runs
from core.store.artefact_tables import Shelved, put, read_tables, shelved, write_artefact
from core.store.database import connect
from core.store.index import Index
from core.store.locking.record_writes import commit
from core.store.locking.writer_lock import writer_lock
from core.store.records.record import PUBLISHED, SHELF
from core.store.tables import open_version, read_meta
from core.store.writer import write_tables
from core.types import Document
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent, write_files
from tests.core.pausing import Pauses, chosen, kind_of
from tests.storage import serving, taken_to

NEW = Document("brewery", "Selby Ales", "Selby Ales is a brewery in Port Selby.", "brewery.txt")
MARK = Mark("Who?", "club", "Harbour Rovers", "0123456789abcdef", True, "me", "2026-01-01")
RUN = Run("r1", "a run", "2026-01-01T00:00:00+00:00", "index", 0, (Column("bm25", "c"),), "content")
TABLE = pa.table({"text": ["a"]})
_places = count()


@pytest.fixture(scope="module")
def storage() -> Iterator[dict[str, str]]:
    """The faster server: these tests make thousands of requests."""
    with serving("gs at any rate") as environment:
        yield environment


@pytest.fixture
def remote(storage: dict[str, str], at_home: Path, monkeypatch: pytest.MonkeyPatch) -> Remote:
    for name, value in storage.items():
        monkeypatch.setenv(name, value)
    return Remote(f"gs://bucket/{next(_places)}/fünf Texte")


@pytest.fixture
def pauses(remote: Remote, monkeypatch: pytest.MonkeyPatch) -> Pauses:
    assert remote
    return Pauses(monkeypatch)


@pytest.fixture
def fresh(remote: Remote, five_built: Path) -> Callable[[], Remote]:
    """Puts the index of the five passages at another place each time."""

    def make() -> Remote:
        place = taken_to(remote.parent / f"root {next(_places)}" / "five", five_built)
        with writer_lock(place, "an earlier change"):
            return place

    return make


class Second:
    """Another process, and what was acknowledged to it."""

    def __init__(self, root: Remote, *, rebuilds: bool = False) -> None:
        self._root = root
        self._rebuilds = rebuilds
        self.marked: list[str] = []
        self.published: list[str] = []

    def __call__(self) -> None:
        for place in self._root.folders():
            self._mark(place)
            self._publish(place)

    def _mark(self, place: Remote) -> None:
        try:
            Marks(place).replace([], [replace(MARK, question=f"Who is in {place.name}?")])
        except StoreError:
            return
        self.marked.append(f"Who is in {place.name}?")

    def _publish(self, place: Remote) -> None:
        now = datetime.now(UTC).isoformat(timespec="microseconds")
        try:
            with writer_lock(place, "the second"):
                meta = read_meta(place)
                questions = Index.open(place).tables.read("questions")
                versions = {**meta.versions, **write_tables(place, {"questions": questions})}
                published = replace(meta, finished_at=now, versions=versions)
                commit(place, PUBLISHED, lambda _: published.to_json())
                tables = write_artefact(place, "second", "digest", {"t": TABLE})
                row = Shelved("second", "digest", "", "", tables.versions, now, 0.0, tables.size)
                put(place, replace(row, serial=tables.serial))
        except IndexMissing:
            if not self._rebuilds:
                return
            now = build(place, corpus(NEW), WordEmbedder(), silent).finished_at
        self.published.append(now)

    def check(self) -> None:
        """Everything that was acknowledged is there."""
        places = self._root.folders()
        marks = [mark.question for place in places for mark in Marks(place).all()]
        assert set(self.marked) <= set(marks)
        metas = {
            meta.finished_at: place for place in places if (meta := catalogue.look(place).meta)
        }
        assert set(self.published) <= set(metas)
        for finished_at in self.published:
            place = metas[finished_at]
            meta = read_meta(place)
            for name in meta.versions:
                assert open_version(connect(place), name, meta).to_arrow() is not None
            documents = open_version(connect(place), "documents", meta).count_rows()
            assert documents == meta.counts.documents
            for artefact in shelved(place).values():
                assert read_tables(place, artefact)


def _build(place: Remote) -> None:
    build(place, corpus(), WordEmbedder(), silent)


def _add(place: Remote) -> None:
    add(place, corpus(NEW), WordEmbedder(), silent)


def _remove(place: Remote) -> None:
    remove(place, ["town"], WordEmbedder(), silent)


def _make(place: Remote) -> None:
    embedder = WordEmbedder()
    bench = Workbench(Index.open(place, embedder.info), embedder)
    make_artefacts(bench, artefacts_of(("entities",)), silent)


def _drop(place: Remote) -> None:
    drop(place, "first", WordEmbedder().info)


def _with_artefact(place: Remote) -> None:
    with writer_lock(place, "making the first"):
        tables = write_artefact(place, "first", "digest", {"t": TABLE})
        at = datetime.now(UTC).isoformat()
        row = Shelved("first", "digest", "", "", tables.versions, at, 0.0, tables.size)
        put(place, replace(row, serial=tables.serial))


def _rename(place: Remote) -> None:
    catalogue.rename(place.parent, place.name, "six")


def _delete(place: Remote) -> None:
    catalogue.delete(place.parent, place.name)


def _ready(place: Remote) -> None:
    """Nothing is to be prepared."""


ALL = ("replace", "copy", "create_table", "add", "optimize", "remove_listed", "confirm")
AROUND = ("create_table", "replace")  # the rest is what a build does


@pytest.mark.parametrize(
    ("operation", "prepare", "record", "kinds"),
    [
        (_build, _ready, PUBLISHED, ALL),
        (_add, _ready, PUBLISHED, AROUND),
        (_remove, _ready, PUBLISHED, AROUND),
        (_make, _ready, SHELF, ALL),
        (_drop, _with_artefact, SHELF, ALL),
        (_rename, _ready, PUBLISHED, ALL),
        (_delete, _ready, PUBLISHED, ALL),
    ],
    ids=["build", "add", "remove", "make", "drop", "rename", "delete"],
)
def test_a_change_of_the_index(
    pauses: Pauses,
    fresh: Callable[[], Remote],
    operation: Callable[[Remote], None],
    prepare: Callable[[Remote], None],
    record: str,
    kinds: tuple[str, ...],
) -> None:
    def place() -> Remote:
        made = fresh()
        prepare(made)
        return made

    first = place()
    assert pauses.run(lambda: operation(first), -1, lambda: None) is None
    names = pauses.names
    committed = max(number for number, name in enumerate(names) if name == f"replace {record}")
    for number in chosen(names, kinds):
        there = place()
        second = Second(there.parent, rebuilds=operation in (_rename, _delete))
        error = pauses.run(lambda there=there: operation(there), number, second)
        assert kind_of(pauses.names[number]) == kind_of(names[number])
        assert isinstance(error, LockLost) or (error is None and number > committed), names[number]
        assert not any(kind_of(name) == "create_table" for name in pauses.names[number + 1 :])
        assert second.published
        second.check()


@pytest.mark.parametrize("operation", [_add, _rename, _delete], ids=["add", "rename", "delete"])
def test_a_second_writer_that_has_not_published_yet(
    pauses: Pauses, fresh: Callable[[], Remote], operation: Callable[[Remote], None]
) -> None:
    first = fresh()
    assert pauses.run(lambda: operation(first), -1, lambda: None) is None
    written = [n for n, name in enumerate(pauses.names) if name == "replace published.json"]
    place = fresh()
    before = read_meta(place)

    def take_over() -> None:
        with writer_lock(place, "the second"):
            assert read_meta(place) == before

    assert isinstance(pauses.run(lambda: operation(place), written[-1], take_over), LockLost)
    assert read_meta(place) == before
    assert [each.name for each in catalogue.entries(place.parent)] == [place.name]


def _mark(place: Remote, *, last: bool = False) -> None:
    Marks(place).replace([], [replace(MARK, question="last" if last else "first")])


def _review(place: Remote, *, last: bool = False) -> None:
    Reviews(place).say("Mara" if last else "Ilo", [Change("Who?", "bm25", note="Seen.")])


def _run(place: Remote, *, last: bool = False) -> None:
    with writer_lock(evaluation_place(place), "an evaluation"):
        if not Runs(place).all():
            Runs(place).begin(RUN, [])
        Runs(place).end(RUN.id, "finished" if last else "stopped")


@pytest.mark.parametrize(
    ("write", "file", "told", "acknowledged"),
    [
        (_mark, "marks.sqlite", lambda at: {one.question for one in Marks(at).all()}, "last"),
        (_review, "reviews.sqlite", lambda at: {one.reviewer for one in Reviews(at).all()}, "Mara"),
        (_run, "runs.sqlite", lambda at: {one.state for one in Runs(at).all()}, "finished"),
    ],
    ids=["mark", "review", "run"],
)
def test_what_people_write(
    pauses: Pauses,
    fresh: Callable[[], Remote],
    write: Callable[..., None],
    file: str,
    told: Callable[[Remote], set[str]],
    acknowledged: str,
) -> None:
    place = fresh()
    assert pauses.run(lambda: write(place), -1, lambda: None) is None
    for number in [n for n, name in enumerate(pauses.names) if name == f"replace {file}"]:
        there = fresh()
        error = pauses.run(
            lambda there=there: write(there), number, lambda there=there: write(there, last=True)
        )
        assert isinstance(error, LockLost)
        assert told(there) == {acknowledged}


def test_a_mark_for_an_index_that_is_renamed_meanwhile(
    pauses: Pauses, fresh: Callable[[], Remote]
) -> None:
    place = fresh()
    error = pauses.run(lambda: _mark(place), 0, lambda: _rename(place))
    assert isinstance(error, StoreError)
    assert [each.name for each in catalogue.entries(place.parent)] == ["six"]


def test_a_job(
    pauses: Pauses, fresh: Callable[[], Remote], words: WordEmbedder, tmp_path: Path
) -> None:
    assert words.info
    files = write_files(tmp_path)
    there = fresh()
    assert pauses.run(lambda: run(Job("build", there, files=(files,))), -1, lambda: None) is None
    written = [n for n, name in enumerate(pauses.names) if name == "replace journal.jsonl"]
    for number in (written[1], written[len(written) // 2]):
        place = fresh()

        def job(kind: str, place: Remote = place) -> None:
            build_or_remove = {"files": (files,)} if kind == "build" else {"documents": ("town",)}
            run(Job(kind, place, **build_or_remove))

        error = pauses.run(lambda job=job: job("build"), number, lambda job=job: job("remove"))
        assert isinstance(error, LockLost)
        now = state(place)
        assert now is not None
        assert now.job is not None
        assert (now.job.kind, now.status) == ("remove", "finished")
        assert read_meta(place).counts.documents == 4
