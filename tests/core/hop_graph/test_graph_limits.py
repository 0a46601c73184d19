"""Numbers of pseudo-questions and the cap of edges are settings of a build that the index keeps."""

import json
from pathlib import Path

import pytest

from core.corpus.types import Corpus
from core.errors import IndexIncompatible, InputError
from core.hop_graph import cap
from core.hop_graph.model_questions import ByModel, prompt_of
from core.hop_graph.pilot import estimate
from core.hop_graph.pseudo_queries import RULES, limits_of, rules_with
from core.indexing.updates import add, build
from core.jobs.job import Job
from core.models.kept.replies import Replies
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.store.graph_limits import AUTOMATIC, GraphLimits, graph_limits
from core.store.index import Index
from core.store.metadata import Meta
from core.types import Document, Passage
from tests.core.fakes import WordEmbedder
from tests.core.five import silent
from tests.llm.client import LEAVE
from tests.llm.replies import asked, questions
from tests.llm.server import ChatServer, endpoint

BRAMANTE = Passage(
    "bramante",
    "bramante",
    0,
    "Bramante",
    "Bramante was an architect from Urbino. He built the Tempietto in 1502. "
    "His plan for Saint Peter won over Julius II.",
)
NAMES = ("Ada Birch", "Bo Cole", "Cy Dunn", "Di East", "Ed Ford")


def rows(limits):
    return [
        (query.direction, query.text)
        for made in rules_with(0, limits)([BRAMANTE])
        for query in made
    ]


def meetings():
    """Five people, each of whom met the four others: 20 edges without a cap, 8 with n ln n."""
    return Corpus(
        tuple(
            Document(
                name, name, " ".join(f"{name} met {other}." for other in NAMES if other != name)
            )
            for name in NAMES
        ),
        (),
    )


def test_rules_generate_the_first_questions_up_to_the_limits():
    everything = rows(AUTOMATIC)
    into, out = ([row for row in everything if row[0] == way] for way in ("in", "out"))
    assert (len(into), len(out)) == (3, 4)
    for limits, expected in (
        (GraphLimits(in_questions=2), (into[:2], out)),
        (GraphLimits(out_questions=1), (into, out[:1])),
        (GraphLimits(2, 3), (into[:2], out[:3])),
        (GraphLimits(24, 24), (into, out)),
    ):
        made = rows(limits)
        assert tuple([row for row in made if row[0] == way] for way in ("in", "out")) == expected


def test_automatic_limits_leave_the_maker_and_the_prompt_as_they_are():
    assert rules_with(0, AUTOMATIC) == rules_with(0) == RULES
    capped = GraphLimits(edge_cap=3)
    assert prompt_of(BRAMANTE) == prompt_of(BRAMANTE, AUTOMATIC) == prompt_of(BRAMANTE, capped)


def test_a_model_is_asked_for_as_many_and_no_more_are_taken(tmp_path: Path):
    limits = GraphLimits(2, 1)
    with ChatServer(questions) as server:
        oracle = Oracle(Llm(endpoint(server)), Replies(tmp_path), LEAVE)
        maker = ByModel(oracle, rules_with(0, limits))
        (made,) = maker([BRAMANTE])
        found = estimate([BRAMANTE], maker)
        assert found.kept == 1  # the pilot asks what the build asks
    reply = asked({"title": BRAMANTE.title, "text": BRAMANTE.text})
    assert [query.text for query in made if query.direction == "in"] == reply["answered"][:2]
    assert sum(query.direction == "out" for query in made) <= 1
    told = prompt_of(BRAMANTE, limits)
    assert "Write exactly 2," in told.system
    assert "Write exactly 1," in told.system
    assert "at most" not in told.system  # what the file says by default is replaced
    assert bounds(told) == [2, 1]


def test_a_model_may_be_asked_for_more_than_it_is_by_default():
    default, more = prompt_of(BRAMANTE), prompt_of(BRAMANTE, GraphLimits(24, 12))
    assert bounds(default) == [8, 10]
    assert bounds(more) == [24, 12]
    assert more.longest == default.longest * 2
    assert bounds(prompt_of(BRAMANTE, GraphLimits(in_questions=3))) == [3, 10]


def bounds(prompt):
    return [prompt.schema["properties"][name]["maxItems"] for name in ("answered", "raised")]


@pytest.mark.parametrize(("edge_cap", "edges"), [(0, 8), (1, 5), (2, 10), (4, 20), (9, 20)])
def test_the_most_similar_edges_stay_under_the_cap(tmp_path: Path, edge_cap: int, edges: int):
    """n = 5 passages: n ln n = 8, and 20 edges in all."""
    assert cap.most_edges(5, edge_cap) == (5 * edge_cap or 8)
    maker = rules_with(0, GraphLimits(edge_cap=edge_cap))
    meta = build(tmp_path / "a", meetings(), WordEmbedder(), silent, maker=maker)
    assert (meta.counts.edges, meta.counts.dropped_edges) == (edges, 20 - edges)


def test_an_index_keeps_its_limits_when_documents_are_added(tmp_path: Path):
    folder, maker = tmp_path / "a", rules_with(0, GraphLimits(2, 1, 3))
    meta = build(folder, meetings(), WordEmbedder(), silent, maker=maker)
    assert meta.limits == Index.open(folder).meta.limits == limits_of(maker)
    assert (meta.counts.in_coming, meta.counts.out_coming) == (10, 5)
    assert (meta.counts.short_in_coming, meta.counts.short_out_coming) == (0, 0)
    more = Corpus((Document("f", "Flo Gray", "Flo Gray met Ada Birch. Flo Gray met Bo Cole."),), ())
    with pytest.raises(IndexIncompatible, match="at most 2 in-questions, 1 out-question and 3 edg"):
        add(folder, more, WordEmbedder(), silent)
    added = add(folder, more, WordEmbedder(), silent, maker=maker)
    assert (added.limits, added.counts.in_coming) == (meta.limits, 12)


def test_an_index_and_a_job_of_before_have_automatic_limits(tmp_path: Path):
    raw = json.loads(build(tmp_path / "a", meetings(), WordEmbedder(), silent).to_json())
    del raw["limits"]
    assert Meta.from_json(json.dumps(raw)).limits == AUTOMATIC
    job = Job("build", tmp_path / "a", limits=GraphLimits(2, 4, 1))
    told = job.to_dict()
    assert Job.from_dict(told, job.index).limits == GraphLimits(2, 4, 1)
    del told["limits"]
    assert Job.from_dict(told, job.index).limits == AUTOMATIC


def test_a_number_out_of_range_is_refused():
    assert graph_limits(2, 4, 0) == GraphLimits(2, 4, 0)
    for numbers in ((-1, 0, 0), (0, 25, 0), (0, 0, 1_001)):
        with pytest.raises(InputError, match="must be a whole number from 0 to"):
            graph_limits(*numbers)
