"""The records that say what is published, and the tables of older indexes in their place."""

import json
from dataclasses import asdict
from pathlib import Path

import pyarrow as pa
import pytest

from core.artefacts.making import make_artefacts
from core.artefacts.workbench import Workbench
from core.errors import StoreError
from core.indexing.updates import add
from core.library import catalogue
from core.places import Outdated, Remote, Version
from core.retrievers.registry import artefacts_of
from core.store.artefact_tables import read_tables, shelved
from core.store.database import connect
from core.store.index import Index
from core.store.records.record import (
    GONE,
    PUBLISHED,
    SHELF,
    Read,
    Record,
    fence,
    last_token,
    read_record,
    write_record,
)
from core.store.schema import META
from core.store.tables import read_meta
from core.types import Document
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent
from tests.storage import taken_to

NEW = Document("brewery", "Selby Ales", "Selby Ales is a brewery in Port Selby.", "brewery.txt")


def make_old(index: Path) -> None:
    """Turn an index into what an earlier version of the program has written."""
    meta, shelf = read_meta(index), shelved(index)
    database = connect(index)
    content = {"finished_at": [meta.finished_at], "content": [meta.to_json()]}
    database.create_table("meta", pa.table(content, schema=META))
    rows = []
    for name, row in shelf.items():
        old = {**asdict(row), "versions": json.dumps(dict(row.versions)), "spending": ""}
        serial = old.pop("serial")
        for table in row.versions:
            stored = index / f"{row.table(table)}.lance"
            stored.rename(index / f"artefact_{name}_{row.digest}_{table}.lance")
        assert serial
        rows.append(old)
    database.create_table("shelf", pa.Table.from_pylist(rows))
    for record in ("published.json", "shelf.json"):
        (index / record).unlink()


@pytest.fixture
def old(built: Path, embedder: WordEmbedder) -> Path:
    bench = Workbench(Index.open(built, embedder.info), embedder)
    make_artefacts(bench, artefacts_of(("entities",)), silent)
    make_old(built)
    return built


def test_an_index_of_an_earlier_version_opens_and_is_changed(
    old: Path, embedder: WordEmbedder
) -> None:
    assert len(Index.open(old, embedder.info).documents) == 5
    for artefact in shelved(old).values():
        assert read_tables(old, artefact)
    names = set(shelved(old))
    assert names
    add(old, corpus(NEW), embedder, silent)
    assert len(Index.open(old, embedder.info).documents) == 6
    bench = Workbench(Index.open(old, embedder.info), embedder)
    make_artefacts(bench, artefacts_of(("entities",)), silent)
    assert set(shelved(old)) == names
    for artefact in shelved(old).values():
        assert read_tables(old, artefact)


def test_it_does_so_in_object_storage(old: Path, remote: Remote, embedder: WordEmbedder) -> None:
    there = taken_to(remote, old)
    assert set(shelved(there)) == set(shelved(old))
    renamed = catalogue.rename(there.parent, there.name, "six")
    assert len(Index.open(renamed, embedder.info).documents) == 5
    assert not there.is_dir()
    catalogue.delete(there.parent, "six")
    assert catalogue.entries(there.parent) == []


@pytest.mark.parametrize("place", range(0, 400, 7))
def test_a_changed_bit_is_damage(built: Path, place: int) -> None:
    record = built / "published.json"
    content = bytearray(record.read_bytes())
    content[place] ^= 1
    record.write_bytes(content)
    with pytest.raises(StoreError, match="damaged"):
        read_meta(built)


def test_a_record_is_replaced_as_it_was_read_or_written(remote: Remote) -> None:
    read = read_record(remote, PUBLISHED)
    assert read.record is None
    made = write_record(remote, PUBLISHED, Record(1, "a"), read)
    assert made.record == read_record(remote, PUBLISHED).record == Record(1, "a")
    write_record(remote, PUBLISHED, Record(2, "b"), made)
    with pytest.raises(Outdated):
        write_record(remote, PUBLISHED, Record(3, "c"), made)
    assert read_record(remote, PUBLISHED).record == Record(2, "b")


def test_a_fence_keeps_what_records_say_and_refuses_who_read_them_before(remote: Remote) -> None:
    before = write_record(remote, PUBLISHED, Record(3, "a"), Read())
    assert fence(remote, 2, create=False) == 4
    assert read_record(remote, PUBLISHED).record == Record(4, "a")
    assert read_record(remote, SHELF) == Read()
    with pytest.raises(Outdated):
        write_record(remote, PUBLISHED, Record(3, "late"), before)
    assert fence(remote, 7, create=True) == 7
    assert read_record(remote, SHELF).record == Record(7)
    assert [last_token(remote, name) for name in (PUBLISHED, SHELF)] == [7, 7]


@pytest.mark.parametrize("content", [GONE, b"damaged"])
def test_a_fence_leaves_a_deleted_or_damaged_record_what_it_was(
    remote: Remote, content: bytes
) -> None:
    place = remote / PUBLISHED
    version = place.replace(content, None)
    assert fence(remote, 1, create=False) == 1
    assert place.read_bytes().strip() == content
    with pytest.raises(Outdated):
        place.replace(b"late", version)


def test_a_fence_follows_a_holder_that_still_writes(
    remote: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_record(remote, PUBLISHED, Record(1, "a"), Read())
    replace = Remote.replace
    late = [Record(1, "b")]

    def meanwhile(place: Remote, content: bytes, seen: Version | None) -> Version:
        if late and place.name == PUBLISHED:
            record = late.pop()
            write_record(remote, PUBLISHED, record, read_record(remote, PUBLISHED))
        return replace(place, content, seen)

    monkeypatch.setattr(Remote, "replace", meanwhile)
    assert fence(remote, 2, create=False) == 2
    assert read_record(remote, PUBLISHED).record == Record(2, "b")


def test_records_of_a_folder_are_whole_or_not_there(tmp_path: Path) -> None:
    made = write_record(tmp_path, PUBLISHED, Record(1, "a"), Read())
    assert made.record == read_record(tmp_path, PUBLISHED).record == Record(1, "a")
    write_record(tmp_path, PUBLISHED, Record(gone=True), made)
    assert read_record(tmp_path, PUBLISHED).record == Record(gone=True)
    assert read_record(tmp_path, SHELF) == read_record(tmp_path / "none", SHELF) == Read()
    assert [each.name for each in tmp_path.iterdir()] == [PUBLISHED]
