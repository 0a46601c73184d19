import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import lancedb
import numpy as np
import pyarrow as pa
import pytest

from core.corpus.chunking.chunker import Chunking
from core.corpus.chunking.summary import ChunkingSummary
from core.errors import (
    Cancelled,
    IndexIncompatible,
    IndexLocked,
    IndexMissing,
    InputError,
    StoreError,
)
from core.indexing import builder
from core.indexing.updates import add, build, remove
from core.models import embedding
from core.progress import Progress
from core.store import schema, writer
from core.store.index import Index
from core.store.locking.writer_lock import is_locked, writer_lock
from core.store.source_documents import TABLE, brought_table, read_brought
from core.store.writer import publish, write_tables
from core.text.display.question_wording import spoken
from core.types import Document, Layout, Section
from tests.core.fakes import WordEmbedder
from tests.core.five import DOCUMENTS, QUESTION, TEXTS, corpus, silent

ROOT = Path(__file__).parents[3]
NEW = Document("brewery", "Ash Brewery", "Ash Brewery belongs to Mara Quist.", "brewery.txt")


def edges(folder):
    index = Index.open(folder)
    return {edge for passage in index.passages for edge in index.graph.out_edges(passage.id)}


def test_an_index_holds_what_went_in(built):
    index = Index.open(built)
    assert [p.id for p in index.passages] == [d.id for d in DOCUMENTS]
    assert [d.source for d in index.documents] == [d.source for d in DOCUMENTS]
    assert index.questions == (QUESTION,)
    counts = index.meta.counts
    assert (counts.documents, counts.vertices, counts.questions) == (5, 5, 1)
    assert counts.edges == len(edges(built))
    assert counts.text_length == pytest.approx(sum(len(d.text) for d in DOCUMENTS) / 5)
    assert counts.in_coming + counts.out_coming == len(index.graph.all_pseudo_queries)


def test_mentioned_here_told_there(built):
    ends = {(edge.source, edge.target) for edge in edges(built)}
    expected = {
        ("club", "owner"),
        ("club", "stadium"),
        ("owner", "town"),
        ("owner", "singer"),
        ("stadium", "town"),
    }
    assert expected <= ends


def test_both_questions_of_an_edge_are_kept(built):
    index = Index.open(built)
    for edge in edges(built):
        out, into = (
            index.graph.pseudo_query(edge.out_query_id),
            index.graph.pseudo_query(edge.in_query_id),
        )
        assert (out.passage_id, into.passage_id) == (edge.source, edge.target)
        assert (out.direction, into.direction) == ("out", "in")
        assert edge.question == spoken(into)
        assert into.evidence in index.passage(edge.target).text


def test_building_again_embeds_nothing(built, embedder):
    before = edges(built)
    embedder.texts.clear()
    build(built, corpus(), embedder, silent)
    assert embedder.texts == []
    assert edges(built) == before


def test_another_process_makes_the_same_graph(built, tmp_path):
    again = tmp_path / "again"
    code = (
        "from pathlib import Path\n"
        "from core.indexing.updates import build\n"
        "from tests.core.five import corpus, silent\n"
        "from tests.core.fakes import WordEmbedder\n"
        f"build(Path({str(again)!r}), corpus(), WordEmbedder(), silent)\n"
    )
    # The order of sets changes from one seed to another, and this process has one of its own.
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    environ = {**os.environ, "PYTHONHASHSEED": seed}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environ, check=True)
    assert edges(again) == edges(built)
    assert Index.open(again).meta.graph_version == Index.open(built).meta.graph_version


def test_adding_equals_a_build_from_scratch(built, tmp_path, embedder):
    embedder.texts.clear()
    add(built, corpus(NEW, queries=()), embedder, silent)
    build(tmp_path / "scratch", corpus(*DOCUMENTS, NEW), WordEmbedder(), silent)
    assert edges(built) == edges(tmp_path / "scratch")
    assert any("Ash Brewery" in text for text in embedder.texts)
    # What only speaks of the others was embedded before.
    assert not any("Lantern" in text for text in embedder.texts)


def test_removing_equals_a_build_from_scratch(built, tmp_path, embedder):
    embedder.texts.clear()
    remove(built, ["stadium"], embedder, silent)
    left = [d for d in DOCUMENTS if d.id != "stadium"]
    build(tmp_path / "scratch", corpus(*left), WordEmbedder(), silent)
    assert edges(built) == edges(tmp_path / "scratch")
    assert "stadium" not in Index.open(built).number
    assert embedder.texts == []


def test_what_was_removed_and_comes_back_is_not_embedded_again(built, embedder):
    before = edges(built)
    remove(built, ["stadium"], embedder, silent)
    embedder.texts.clear()
    stadium = next(d for d in DOCUMENTS if d.id == "stadium")
    add(built, corpus(stadium), embedder, silent)
    assert embedder.texts == []
    assert edges(built) == before


def test_a_file_that_changed_replaces_what_it_brought(built, embedder):
    changed = replace(DOCUMENTS[4], id="town2", text="Port Selby is a harbour.")
    with pytest.raises(
        InputError, match=r"town.txt is already in the index with 1 document.*--replace"
    ):
        add(built, corpus(changed, queries=()), embedder, silent)
    assert "town" in Index.open(built).number
    add(built, corpus(changed, queries=()), embedder, silent, known="replace")
    index = Index.open(built)
    assert "town" not in index.number
    assert index.passage("town2").text == "Port Selby is a harbour."
    assert len(index.documents) == 5


def test_what_a_file_no_longer_brings_is_said(built, embedder):
    told = []
    renamed = replace(DOCUMENTS[4], id="town2")
    add(
        built,
        corpus(renamed, queries=()),
        embedder,
        silent,
        known="replace",
        account=told.append,
    )
    (taken,) = told
    assert taken.notes[0] == "town.txt replaced its earlier version. Documents removed: 1."


def test_the_database_of_another_program_is_left_alone(tmp_path, embedder):
    folder = tmp_path / "theirs"
    lancedb.connect(folder).create_table("documents", pa.table({"id": [1]}))
    with pytest.raises(StoreError, match="another program"):
        build(folder, corpus(), embedder, silent, restart=True)
    assert lancedb.connect(folder).open_table("documents").count_rows() == 1


def test_a_restart_over_damage_keeps_what_was_embedded(built, embedder):
    remove(built, ["stadium"], embedder, silent)  # its texts are now in no table but their own
    for file in (built / "passages.lance").rglob("*.lance"):
        file.write_bytes(b"not what was written")
    embedder.texts.clear()
    build(built, corpus(), embedder, silent, restart=True)
    assert len(Index.open(built).passages) == 5
    assert not any(text.startswith("Lantern Ground.") for text in embedder.texts)


def test_adding_what_is_there_changes_nothing(built, embedder):
    before = Index.open(built)
    embedder.texts.clear()
    add(built, corpus(*DOCUMENTS[:2]), embedder, silent)
    after = Index.open(built)
    assert {p.id for p in after.passages} == {p.id for p in before.passages}
    assert after.documents == before.documents
    assert embedder.texts == []


def test_an_id_that_another_file_has_is_no_replacement(built, tmp_path, embedder):
    other = replace(DOCUMENTS[0], text="Harbour Rovers is a boat.", source="ships.txt")
    asked = replace(QUESTION, id="q2", gold=("club",))
    for _ in range(2):  # the second time it is there already
        add(built, corpus(other, queries=(asked,)), embedder, silent)
        index = Index.open(built)
        assert index.passage("club").text == DOCUMENTS[0].text
        (boat,) = [d for d in index.documents if d.source == "ships.txt"]
        assert boat.id.startswith("club~")
        assert index.passage(boat.id).text == other.text
        assert index.questions[-1].gold == (boat.id,)
    build(tmp_path / "scratch", corpus(*DOCUMENTS, replace(other, id=boat.id)), embedder, silent)
    assert edges(built) == edges(tmp_path / "scratch")
    assert Index.open(tmp_path / "scratch").meta.graph_version == index.meta.graph_version


def test_a_text_that_another_file_brought_is_a_duplicate(built, embedder):
    before = edges(built)
    copy = replace(DOCUMENTS[0], id="copy", source="copy.txt", metadata={"date": "2024"})
    asked = replace(QUESTION, id="q2", gold=("copy", "town"))
    told = []
    add(built, corpus(copy, NEW, queries=(asked,)), embedder, silent, account=told.append)
    index = Index.open(built)
    assert "copy" not in index.number
    assert index.questions[-1].gold == ("club", "town")
    assert [(each.id, each.of) for each in told[0].duplicates] == [("copy", "club")]
    remove(built, ["brewery"], embedder, silent)
    assert edges(built) == before


def test_the_order_of_documents_makes_no_other_graph(built, tmp_path, embedder):
    build(tmp_path / "back", corpus(*reversed(DOCUMENTS)), embedder, silent)
    assert edges(tmp_path / "back") == edges(built)
    assert Index.open(tmp_path / "back").meta.graph_version == Index.open(built).meta.graph_version


def test_what_a_version_holds_is_on_the_disk_once(built):
    def size(name):
        return sum(f.stat().st_size for f in built.glob(f"{name}/data/*"))

    assert size("embeddings_*.lance") == 0 < size("pseudo_queries.lance")


def test_removing_the_unknown_or_everything_is_refused(built, embedder):
    with pytest.raises(InputError, match="no document 'nobody'"):
        remove(built, ["club", "nobody"], embedder, silent)
    with pytest.raises(InputError, match="no passage"):
        remove(built, [d.id for d in DOCUMENTS], embedder, silent)
    assert len(Index.open(built).passages) == 5


def test_a_cancelled_build_keeps_what_it_embedded(tmp_path, embedder, monkeypatch):
    monkeypatch.setattr(embedding, "BATCH", 4)

    def cancel_after_two(progress: Progress) -> None:
        if progress.stage == "embed" and progress.done > 8:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        build(tmp_path / "ix", corpus(), embedder, cancel_after_two)
    done = set(embedder.texts[:8])
    with pytest.raises(IndexMissing):
        Index.open(tmp_path / "ix")
    embedder.texts.clear()
    build(tmp_path / "ix", corpus(), embedder, silent)
    assert not done & set(embedder.texts)


def test_readers_see_the_last_finished_version(built, embedder, monkeypatch):
    before = edges(built)

    def crash(*_):
        raise RuntimeError("power cut")

    monkeypatch.setattr(builder, "publish", crash)
    with pytest.raises(RuntimeError):
        add(built, corpus(NEW), embedder, silent)
    assert edges(built) == before
    assert "brewery" not in Index.open(built).number
    monkeypatch.undo()
    embedder.texts.clear()
    add(built, corpus(NEW), embedder, silent)
    assert embedder.texts == []
    assert "brewery" in Index.open(built).number


def test_a_version_that_a_later_build_took_away_is_not_called_damaged(built, embedder, monkeypatch):
    monkeypatch.setattr(writer, "_KEEP_VERSIONS", timedelta(milliseconds=1))
    before = Index.open(built)
    build(built, corpus(*DOCUMENTS, NEW), embedder, silent)
    with pytest.raises(StoreError, match="was rebuilt, renamed or deleted after"):
        _ = before.documents
    assert len(Index.open(built).documents) == 6


def test_one_writer_at_a_time_and_it_has_a_name(built, embedder):
    with ThreadPoolExecutor() as others, writer_lock(built, "a test"):
        assert is_locked(built)
        second = others.submit(build, built, corpus(), embedder, silent)
        with pytest.raises(IndexLocked, match="a test"):
            second.result()
    assert not is_locked(built)
    build(built, corpus(), embedder, silent)


def test_another_embedder_is_refused_and_taken_on_restart(built):
    other = WordEmbedder(8, "other")
    with pytest.raises(IndexIncompatible, match=r"words.*16.*other.*8.*--restart"):
        build(built, corpus(), other, silent)
    with pytest.raises(IndexIncompatible):
        Index.open(built, other.info)
    meta = build(built, corpus(), other, silent, restart=True)
    assert meta.embedder == other.info
    assert Index.open(built, other.info).vectors.shape == (5, 8)


def test_the_same_weights_by_another_name_embed_nothing(built):
    renamed = WordEmbedder()
    renamed.info = replace(renamed.info, name="./words")
    build(built, corpus(), renamed, silent)
    assert renamed.texts == []
    assert Index.open(built).meta.embedder.name == "./words"


def test_another_precision_opens(built, embedder):
    rounded = replace(embedder.info, precision="bfloat16")
    assert len(Index.open(built, rounded).passages) == 5


def test_another_schema_is_refused(built, embedder, monkeypatch):
    monkeypatch.setattr("core.store.schema.SCHEMA_VERSION", 4)
    with pytest.raises(IndexIncompatible, match=r"schema version 3.*reads version 4"):
        Index.open(built)


@pytest.mark.parametrize("path", ["ftp://host/index", "nowhere"])
def test_what_is_no_index_folder(path, tmp_path):
    with pytest.raises(IndexMissing):
        Index.open(path if "://" in path else tmp_path / path)


def test_chunks_are_passages(tmp_path, embedder):
    build(tmp_path / "ix", corpus(), embedder, silent, chunking=Chunking.parse("sentence"))
    index = Index.open(tmp_path / "ix")
    assert index.meta.chunking == "sentence"
    assert index.document_passages["club"] == ("club#0", "club#1", "club#2")
    add(tmp_path / "ix", corpus(NEW), embedder, silent)
    assert "brewery#0" in Index.open(tmp_path / "ix").number


def test_an_empty_corpus_is_refused(tmp_path, embedder):
    with pytest.raises(InputError, match="no passage"):
        build(tmp_path / "ix", corpus(Document("a", "", "")), embedder, silent)


HOSTILE = ("' OR 1=1 --", 'a"b\\', "<script>alert(1)</script>", "日本/語", "x" * 500)


def test_ids_and_titles_are_only_text(tmp_path, embedder):
    documents = [Document(text, text, f"{text} met Mara Quist.") for text in HOSTILE]
    build(tmp_path / "ix", corpus(*documents), embedder, silent)
    index = Index.open(tmp_path / "ix")
    for text in HOSTILE:
        assert index.passage(text).title == text
        assert index.graph.pseudo_queries(text)
        assert text in {p.id for p in index.search(text)}
    remove(tmp_path / "ix", [HOSTILE[0]], embedder, silent)
    assert len(Index.open(tmp_path / "ix").passages) == 4


def test_titles_are_searched_first(built):
    index = Index.open(built)
    assert [p.id for p in index.search("port selby")] == ["town", "owner", "stadium"]
    assert index.search("  ") == []
    assert len(index.search("a", limit=2)) == 2


def test_whole_words_are_found_before_beginnings_and_what_is_inside(
    tmp_path: Path, embedder: WordEmbedder
):
    texts = {"in": "Two competitions.", "begins": "A petitionary act.", "whole": "One petition?"}
    made = corpus(*(Document(name, name, text) for name, text in texts.items()), queries=())
    build(tmp_path / "ix", made, embedder, silent)
    found = Index.open(tmp_path / "ix").search("petition")
    assert [one.document_id for one in found] == ["whole", "begins", "in"]


def test_parts_of_one_title_are_told_apart_by_their_place(
    tmp_path: Path, embedder: WordEmbedder
) -> None:
    long = Document("ash", "Ash", "Selby is a port. York is older than Selby.")
    made = corpus(long, Document("bee", "Bee", "One."), queries=())
    build(tmp_path / "ix", made, embedder, silent, chunking=Chunking("sentence"))
    index = Index.open(tmp_path / "ix")
    assert [index.titled(name).title for name in index.ids] == ["Ash · 1", "Ash · 2", "Bee"]
    assert index.passage(index.ids[0]).title == "Ash"


def test_vectors_are_those_of_title_and_text(built, embedder):
    index = Index.open(built)
    texts = [schema.passage_text(p.title, p.text) for p in index.passages]
    assert np.array_equal(index.vectors, embedder.encode(texts))


def test_a_document_that_joins_is_cut_as_its_index_was(
    tmp_path: Path, embedder: WordEmbedder
) -> None:
    headed = Layout((Section(0, ()), Section(8, ("Quay",))))
    old, new = (Document(name, name, "One two.\n\nThree.", layout=headed) for name in ("a", "b"))
    told: list[ChunkingSummary] = []
    build(tmp_path / "ix", corpus(old, queries=()), embedder, silent, cut=told.append)
    add(tmp_path / "ix", corpus(new, queries=()), embedder, silent, cut=told.append)
    index = Index.open(tmp_path / "ix")
    assert [(each.id, each.title) for each in index.passages] == [
        ("a#0", "a"),
        ("a#1", "a: Quay"),
        ("b#0", "b"),
        ("b#1", "b: Quay"),
    ]
    assert [(each.documents, each.headed) for each in told] == [(1, 1), (2, 2)]
    assert index.meta.chunking == "fit"


def test_documents_that_were_kept_without_a_layout_are_read(
    tmp_path: Path, embedder: WordEmbedder
) -> None:
    build(tmp_path / "ix", corpus(), embedder, silent)
    index = Index.open(tmp_path / "ix")
    old = brought_table(read_brought(index)).drop_columns(["layout"])
    written = write_tables(index.path, {TABLE: old})
    publish(
        index.path,
        replace(
            index.meta,
            finished_at="2999-01-01T00:00:00+00:00",
            versions=index.meta.versions | written,
        ),
    )
    add(tmp_path / "ix", corpus(Document("x", "X", "Ash is a river.")), embedder, silent)
    assert len(Index.open(tmp_path / "ix").documents) == len(TEXTS) + 1
