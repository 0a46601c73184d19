"""A large index says what the same index says when all of it is in memory."""

import os
import shutil
import time
from dataclasses import replace

import numpy as np
import pytest

from core.artefacts.stored_artefacts import content_digest
from core.corpus.types import Corpus
from core.graph_report import report
from core.hop_graph.suggested import two_hop_questions
from core.indexing.updates import build
from core.settings import settings
from core.store.index import Index
from core.store.paged_rows import RowCache
from core.store.tables import Tables
from core.store.version_cache import kept_text
from core.store.writer import publish, write_tables
from core.text.clean import text_digest
from core.types import Document
from tests.core.fakes import WordEmbedder
from tests.core.five import silent

COPIED = ("documents", "passages", "pseudo_queries", "edges", "questions", "brought")


@pytest.fixture
def small(sample_index):
    return Index.open(sample_index)


@pytest.fixture(scope="session")
def written_large(sample_index, tmp_path_factory):
    """The sample as it is written where an index of so many passages is large."""
    home = tmp_path_factory.mktemp("large")
    folder = home / "sample"
    shutil.copytree(sample_index, folder)
    index = Index.open(sample_index)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOPRAG_LARGE_FROM", "100")
        settings.cache_clear()
        tables = {name: index.tables.read(name) for name in COPIED}
        publish(folder, replace(index.meta, versions=write_tables(folder, tables)))
    settings.cache_clear()
    return folder


@pytest.fixture
def large(written_large, large_from, tmp_path, monkeypatch):
    monkeypatch.setenv("HOPRAG_HOME", str(tmp_path))
    large_from(100)
    return Index.open(written_large)


def test_passages_are_the_same_however_they_are_asked_for(small, large):
    assert large.large
    assert not small.large
    assert list(large.passages) == list(small.passages)
    some = [5, 3, 202, 3]
    assert large.passages.take(some) == small.passages.take(some)
    assert (large.ids, large.number) == (small.ids, small.number)
    assert large.names[:9] == list(small.names[:9])
    assert list(large.passage_keywords) == list(small.passage_keywords)
    assert np.array_equal(large.vectors, small.vectors)
    document = small.passages[9].document_id
    assert large.document_passages[document] == small.document_passages[document]
    assert set(large.document_passages) == set(small.document_passages)
    assert large.holds(document)
    assert not large.holds("none")
    digest = text_digest(small.passages[7].text)
    assert large.passage_of_text(digest) == small.passage_of_text(digest)
    assert large.passage_of_text("none") is None


def test_edges_are_the_same_however_they_are_asked_for(small, large):
    one, other = large.graph, small.graph
    numbers = np.array([4, 0, 77, 4])
    for name in ("edges", "edge_ids", "edge_questions", "raised_questions"):
        assert getattr(one, name)(numbers) == getattr(other, name)(numbers)
    assert list(map(list, one.edge_keywords(numbers))) == other.edge_keywords(numbers)
    one.prefetch(numbers)
    for name in ("carried", "raised"):
        assert np.array_equal(getattr(one, name)(numbers), getattr(other, name)(numbers))
    for vertex in range(len(small.ids)):
        for side in ("leaving", "arriving"):
            ends = [getattr(graph.adjacency, side)(vertex) for graph in (one, other)]
            assert np.array_equal(*ends)
    assert np.array_equal(one.adjacency.source, other.adjacency.source)
    ids = other.edge_ids(numbers)
    assert one.edges_of(ids) == other.edges_of(ids)
    assert [one.edge_number(name) for name in (ids[0], "none")] == [4, None]
    passage = small.ids[10]
    assert one.pseudo_queries(passage) == other.pseudo_queries(passage)
    made = [query.id for query in other.pseudo_queries(passage)]
    assert one.questions([*reversed(made), "none"]) == other.questions(made[::-1])
    assert one.out_edges(passage) == other.out_edges(passage)


def test_what_shares_a_keyword_is_found_with_how_many_it_shares_and_has(small, large):
    for of, keywords in (
        (large.with_keywords, list(small.passage_keywords)),
        (large.graph.with_keywords, small.graph.all_edge_keywords),
    ):
        asked = [*sorted(keywords[3])[:2], "no such name"]
        expected = [(n, len({*asked} & {*has}), len(has)) for n, has in enumerate(keywords)]
        found = list(zip(*(each.tolist() for each in of(asked)), strict=True))
        assert found == [each for each in expected if each[1]]


def test_the_nearest_passages_and_questions_are_the_first_by_cosine(small, large):
    asked = small.vectors[11]
    for index, (numbers, cosines) in (
        (small.vectors, large.nearest(asked, 20)),
        (large.graph.all_carried.vectors, large.graph.nearest_carried(asked, 20)),
    ):
        expected = np.sort(index @ asked)[::-1][:20]
        assert np.allclose(cosines, expected, atol=1e-6)
        assert np.allclose(index[numbers] @ asked, cosines, atol=1e-6)
    assert large.missed == {}  # with so few all are compared


def test_a_search_finds_titles_and_words(small, large):
    title = small.passages[20].title
    assert large.search(title)[0] == small.search(title)[0]
    word = max(small.passages[20].text.split(), key=len).strip(".,")
    assert {p.id for p in small.search(word)} <= {p.id for p in large.search(word)}
    assert large.search(" ") == []


def test_an_index_that_was_written_as_a_small_one_still_opens(small, sample_index, large_from):
    large_from(100)
    opened = Index.open(sample_index)
    assert not opened.large
    assert opened.passages == small.passages


def test_of_two_numbers_that_were_asked_for_last_none_is_read_again():
    read = []
    kept = RowCache(lambda numbers: read.append(numbers) or [n * 10 for n in numbers], most=2)
    assert kept.take([3, 1, 3]) == [30, 10, 30]
    assert kept.take([3]) == [30]
    assert kept.take([5, 3]) == [50, 30]
    assert kept.take([1]) == [10]
    assert read == [[1, 3], [5], [1]]


def test_what_is_kept_of_a_version_is_found_out_once(large):
    def again():
        raise AssertionError

    assert kept_text(large.tables, "said", lambda: "once") == "once"
    assert kept_text(large.tables, "said", again) == "once"
    assert content_digest(large) == content_digest(Index.open(large.path))


def test_an_index_is_read_where_nobody_may_write_into_the_home(large, tmp_path, monkeypatch):
    closed = tmp_path / "closed"
    closed.write_text("a file, not a folder")
    monkeypatch.setenv("HOPRAG_HOME", str(closed))
    settings.cache_clear()
    assert len(Index.open(large.path).graph.adjacency) == large.meta.counts.edges


def test_a_large_index_may_have_no_edge(tmp_path, large_from, monkeypatch):
    monkeypatch.setenv("HOPRAG_HOME", str(tmp_path))
    large_from(2)
    documents = [Document(name, name, "nothing is asked here.") for name in ("one", "two")]
    build(tmp_path / "ix", Corpus(documents, ()), WordEmbedder(), silent)
    index = Index.open(tmp_path / "ix")
    assert index.large
    assert index.graph.out_edges("one") == []
    assert report(index).orphans == ("one", "two")
    assert two_hop_questions(index) == ()


def test_where_vectors_are_searched_by_an_index_it_is_measured_what_that_misses(
    small, written_large, tmp_path, large_from, monkeypatch
):
    monkeypatch.setenv("HOPRAG_HOME", str(tmp_path))
    large_from(100)
    monkeypatch.setattr("core.store.derived_tables.EXACT_UP_TO", 100)  # as of a larger index
    folder = tmp_path / "searched"
    shutil.copytree(written_large, folder)
    index = Index.open(folder)
    tables = {name: small.tables.read(name) for name in COPIED}
    publish(folder, replace(index.meta, versions=write_tables(folder, tables)))
    index = Index.open(folder)
    assert index.missed.keys() == {"passages", "carried"}
    assert all(0 <= share < 1 for share in index.missed.values())
    assert index.tables.table("passages").index_stats("vector_idx") is not None
    first = np.sort(small.vectors @ small.vectors[11])[::-1][0]
    assert index.nearest(small.vectors[11], 1)[1][0] == pytest.approx(first, abs=1e-6)


def test_what_is_kept_of_a_version_goes_when_nobody_has_read_it_for_a_month(
    large, tmp_path, monkeypatch
):
    """And each version has its own, also of the same graph."""
    day = 24 * 3600
    kept_text(large.tables, "said", lambda: "first")
    (mine,) = (tmp_path / "cache").iterdir()
    for name, age in (("new", 29 * day), ("old", 31 * day)):
        other = tmp_path / "cache" / name
        other.mkdir()
        os.utime(other, (time.time() - age,) * 2)
    kept_text(large.tables, "another", lambda: "text")
    assert {each.name for each in (tmp_path / "cache").iterdir()} == {mine.name, "new"}
    versions = {**large.meta.versions, "edges": large.meta.versions["edges"] + 1}
    later = Tables(large.path, replace(large.meta, versions=versions))
    assert kept_text(later, "said", lambda: "second") == "second"


def test_the_degrees_are_those_of_the_edges(small, large):
    for index in (small, large):
        leave, arrive = index.graph.adjacency.degrees()
        for number, name in enumerate(index.ids[:40]):
            assert leave[number] == len(index.graph.out_edges(name))
            assert arrive[number] == len(index.graph.in_edges(name))
    for edges in large.graph.leaving(large.ids):
        assert edges == sorted(edges, key=lambda edge: (-edge.similarity, edge.id))
