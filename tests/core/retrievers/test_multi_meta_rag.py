"""Multi-Meta-RAG: filters by rules and by a model, against a plain loop over the documents."""

import json
from contextlib import contextmanager

import pytest

from core.artefacts.workbench import Workbench
from core.indexing.updates import build
from core.models.kept.replies import Replies
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.playback import check
from core.retrievers import make
from core.retrievers.cost_forecast import forecast
from core.steps import Asked, Offered, Said
from core.store.index import Index
from core.types import Document
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent
from tests.core.retrievers.news import DOCUMENTS, REPORTS
from tests.llm.client import LEAVE
from tests.llm.server import Answer, ChatServer, endpoint

ALL = set(REPORTS)
COLUMNS = ("source", "date", "author", "section")


@pytest.fixture(scope="module")
def workbench(tmp_path_factory):
    """One for all tests here: they only ask."""
    folder = tmp_path_factory.mktemp("news") / "i"
    build(folder, corpus(*DOCUMENTS, queries=()), WordEmbedder(), silent)
    return Workbench(Index.open(folder), WordEmbedder())


def walked(bench, question, **settings):
    steps = tuple(make("multi-meta-rag", bench, **settings).retrieve(question))
    check(steps)
    return steps


def named(steps):
    return {o.target for s in steps if isinstance(s, Offered) for o in s.taken}


def sizes(steps):
    return [step.narrowed for step in steps if isinstance(step, Asked) and step.narrowed]


def having(**wanted):
    """The reports with one of the values of every field."""
    rows = {id_: dict(zip(COLUMNS, row, strict=False)) for id_, row in REPORTS.items()}
    return {id_ for id_, row in rows.items() if all(row[f] in v for f, v in wanted.items())}


@contextmanager
def saying(bench, reply, folder):
    with ChatServer(lambda _: Answer(json.dumps(reply))) as server:
        oracle = Oracle(Llm(endpoint(server), retries=0), Replies(folder), LEAVE)
        yield Workbench(bench.index, bench.embedder, oracle), server
        oracle.replies.close()


@pytest.mark.parametrize(
    ("question", "values", "left"),
    [
        (
            "What did The Harbour Post write on the flood?",
            {"source=The Harbour Post"},
            having(source=["The Harbour Post"]),
        ),
        (
            "Do the Harbour Post's report and that of the Selby Echo agree on the flood?",
            {"source=The Harbour Post", "source=Selby Echo"},
            having(source=["The Harbour Post", "Selby Echo"]),
        ),
        ("What flood did Selby Echo Sports see?", {"source=Selby Echo Sports"}, {"match"}),
        (
            "What did Ada Birch write of the flood in May 2021?",
            {"author=Ada Birch", "date=May 2021"},
            {"wall"},
        ),
        (
            "Which flood came after May 20, 2021?",
            {"date=after May 20, 2021"},
            {"storm", "vote", "match"},
        ),
        ("What flood is told of in section sports?", {"section=sports"}, {"match"}),
        ("Was the 2021 flood good for sports and for the town?", set(), ALL),
    ],
    ids=["source", "two sources", "the longer name", "author and date", "after", "small", "none"],
)
def test_rules_leave_what_has_the_values(workbench, question, values, left):
    steps = walked(workbench, question)
    assert named(steps) == {f"field:{value}" for value in values}
    assert {hit.passage_id for hit in steps[-1].hits} == left
    assert sizes(steps) == ([(len(ALL), len(left))] if values else [])


def test_what_is_left_is_ranked_by_cosine(workbench):
    question = "Which flood wall did the Harbour Post tell of?"
    asked, index = workbench.embedder.encode([question])[0], workbench.index
    wanted = {
        id_: float(index.vectors[index.number[id_]] @ asked)
        for id_ in having(source=["The Harbour Post"])
    }
    hits = walked(workbench, question)[-1].hits
    assert {hit.passage_id: hit.score for hit in hits} == pytest.approx(wanted)
    assert [hit.passage_id for hit in hits] == sorted(wanted, key=wanted.get, reverse=True)


def test_where_nothing_is_named_it_is_dense(workbench):
    question = "Who won in the flood?"
    steps = walked(workbench, question)
    dense = [*make("dense", workbench).retrieve(question)][-1]
    assert steps[-1].hits == dense.hits
    assert [step.by for step in steps if isinstance(step, Said)] == ["rules (filter)"]
    assert not steps[-1].told.fallback


def test_an_empty_filter_searches_everything_and_says_so(workbench):
    steps = walked(workbench, "What did Mara Quist write on January 11, 2022?")
    assert sizes(steps) == [(len(ALL), 0)]
    assert steps[-2].hits == ()
    assert {hit.passage_id for hit in steps[-1].hits} == ALL
    assert "leaves only 0 passages, so all" in steps[-1].told.fallback


def test_settings(workbench):
    question = "What did Ada Birch tell the Harbour Post?"
    found = named(walked(workbench, question, fields="source, date"))
    assert found == {"field:source=The Harbour Post"}
    assert named(walked(workbench, question, fields="colour")) == set()
    end = walked(workbench, question, least=3)[-1]
    assert end.told.fallback
    assert len(end.hits) == len(ALL)


def test_a_model_says_what_is_meant(workbench, tmp_path):
    conditions = [
        {"field": "source", "values": ["selby  echo"]},
        {"field": "date", "values": ["2021-05/2021-06"]},
    ]
    with saying(workbench, {"conditions": conditions}, tmp_path) as (bench, server):
        told = forecast(make("multi-meta-rag", bench.with_leave(None)), "What happened?")
        assert (told.calls, told.likely, len(server.requests)) == (1, 1, 0)
        steps = walked(bench, "What happened?")
    (request,) = server.requests
    fields = {field["name"]: field for field in request.data["fields"]}
    assert fields.keys() == {"source", "date", "author", "section"}  # 'long' tells nothing apart
    assert fields["source"]["values"][0] == "The Harbour Post"
    assert [name for name, field in fields.items() if field["holds"] == "dates"] == ["date"]
    assert named(steps) == {"field:source=selby echo", "field:date=2021-05/2021-06"}
    assert [hit.passage_id for hit in steps[-1].hits] == ["brewery"]
    assert steps[1].told.exchange


@pytest.mark.parametrize(
    "value", ["x' OR '1'='1", "source IS NOT NULL", "%", ".*", "", "The Harbour Post' --"]
)
@pytest.mark.parametrize("field", ["source", "date", "author' OR 1=1 --"])
def test_a_models_words_are_compared_and_no_more(workbench, tmp_path, field, value):
    reply = {"conditions": [{"field": field, "values": [value]}]}
    with saying(workbench, reply, tmp_path) as (bench, _):
        steps = walked(bench, "What happened?")
    known = field in COLUMNS
    assert sizes(steps) == ([(len(ALL), 0)] if known else [])
    assert bool(steps[-1].told.fallback) == known
    assert {hit.passage_id for hit in steps[-1].hits} == ALL


def indexed(folder, sources):
    """One passage from each source, all of one file."""
    documents = [
        Document(f"d{n}", "", f"Word {n}.", "n.json", {"source": source})
        for n, source in enumerate(sources)
    ]
    build(folder, corpus(*documents, queries=()), WordEmbedder(), silent)
    return Workbench(Index.open(folder), WordEmbedder())


def test_a_value_of_the_corpus_is_no_pattern(tmp_path):
    sources = (".* OR 1=1 --", 'Post (late\', "x")', "A+")
    bench = indexed(tmp_path / "i", sources)
    for n, source in enumerate(sources):
        steps = walked(bench, f"What says {source} of a word?")
        assert [hit.passage_id for hit in steps[-1].hits] == [f"d{n}"]


def test_without_a_field_that_tells_apart_no_model_is_asked(tmp_path):
    plain = indexed(tmp_path / "i", ["Post"])
    with saying(plain, {"conditions": []}, tmp_path) as (bench, server):
        steps = walked(bench, "What says the Post?")
        assert forecast(make("multi-meta-rag", bench.with_leave(None)), "What says?").calls == 0
    assert server.requests == []
    assert "no field" in steps[1].told.reason
    assert steps[-1].hits
