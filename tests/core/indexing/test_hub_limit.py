"""A name in too many passages raises no questions: the limit is told, and is a setting."""

import json

import pytest

from core.corpus.types import Corpus
from core.hop_graph.pseudo_queries import Rules, rules_with
from core.indexing.updates import add, build
from core.jobs.job import Job
from core.store.metadata import Meta
from core.store.notices import hub_notice
from core.types import Document
from tests.core.fakes import WordEmbedder
from tests.core.five import silent


def reports(count):
    """Documents of which each names Ada Birch, a year, and a thing of its own."""
    return tuple(
        Document(
            f"d{n}",
            f"{chr(65 + n)}lma",
            f"{chr(65 + n)}lma wrote in 1998 about Ada Birch and her work.",
            f"{n}.txt",
        )
        for n in range(count)
    )


def built(folder, count, **settings):
    corpus = Corpus(reports(count), ())
    return build(folder, corpus, WordEmbedder(), silent, **settings)


def test_below_the_limit_nothing_is_told(tmp_path):
    counts = built(tmp_path / "few", 12).counts
    assert (counts.hub_limit, counts.hubs, counts.hub_names) == (20, 0, ())
    assert counts.edges > 0
    assert hub_notice(counts) == ""


def test_beyond_it_the_name_is_counted_and_edges_are_missing(tmp_path):
    counts = built(tmp_path / "many", 25).counts
    assert (counts.hub_limit, counts.hubs, counts.hub_names) == (20, 1, ("ada birch",))
    assert counts.edges == 0
    assert "'Ada Birch' occurs in more than 20 passages, so no edges" in hub_notice(counts)


def test_a_higher_limit_brings_the_edges_back_and_is_kept_by_adding(tmp_path):
    folder = tmp_path / "many"
    meta = built(folder, 25, maker=rules_with(30))
    assert (meta.hub_limit, meta.counts.hub_limit, meta.counts.hubs) == (30, 30, 0)
    assert meta.counts.edges > 0
    more = Corpus(reports(26)[25:], ())
    added = add(folder, more, WordEmbedder(), silent, maker=rules_with(meta.hub_limit))
    assert (added.hub_limit, added.counts.hubs) == (30, 0)


@pytest.mark.parametrize(
    ("limit", "passages", "expected"), [(0, 100, 20), (0, 10_000, 100), (5, 10_000, 5), (50, 9, 50)]
)
def test_a_limit_that_is_set_is_the_limit(limit, passages, expected):
    assert rules_with(limit).limit(passages) == expected


def test_an_index_and_a_job_of_before_have_the_automatic_limit(tmp_path):
    raw = json.loads(built(tmp_path / "few", 3).to_json())
    for name in ("hub_limit", "hubs", "hub_names", "near_duplicates", "overlapping"):
        del raw["counts"][name]
    del raw["hub_limit"]
    before = Meta.from_json(json.dumps(raw))
    assert before.hub_limit == before.counts.hubs == 0
    assert before.counts.near_duplicates is None
    job = Job("build", tmp_path / "few", hub_limit=7)
    told = job.to_dict()
    assert Job.from_dict(told, job.index).hub_limit == 7
    del told["hub_limit"]
    assert Job.from_dict(told, job.index).hub_limit == 0


def test_numbers_are_no_hubs():
    counts = Rules().hubs({"1998": 30, "ada birch": 30, "x": 40}, 30)
    assert (counts.count, counts.names) == (1, ("ada birch",))
