"""Artefacts that a model is asked for say how much of them it wrote, everywhere they are shown."""

import json
import re
import shutil
from dataclasses import asdict, replace

import pytest

from core.artefacts.authorship import authorship_sentence, authorship_told
from core.artefacts.base import in_order
from core.artefacts.cost_forecast import forecast
from core.artefacts.graph_summaries.communities import COMMUNITIES
from core.artefacts.graph_summaries.node_graph import NODE_GRAPH
from core.artefacts.making import make_artefacts
from core.artefacts.ontology.ontology import ONTOLOGY
from core.artefacts.stored_artefacts import missing, on_shelf, partly_by_rules
from core.artefacts.tree.related import RELATED
from core.artefacts.tree.similar import TREE
from core.artefacts.workbench import Workbench
from core.errors import LlmError
from core.indexing.updates import build
from core.models.kept.replies import Replies
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.progress import Authorship
from core.retrievers import CARDS, make
from core.retrievers.registry import artefacts_by_name
from core.store import schema
from core.store.artefact_tables import Shelved, put, shelved
from core.store.database import connect
from core.store.records.record import SHELF
from core.types import Document
from tests.core.artefacts.demonstration import bench_on
from tests.core.artefacts.test_ontology import LONG, OTHER
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION, corpus, silent
from tests.llm import faults
from tests.llm.client import LEAVE
from tests.llm.server import Answer, ChatServer, endpoint

ASKING = (TREE, RELATED, COMMUNITIES, NODE_GRAPH, ONTOLOGY)


def bench_with(server, index, folder):
    """A workbench whose model is asked 32 at once, as it is by default: many more than fail in a
    row before nothing more is asked of it."""
    oracle = Oracle(Llm(endpoint(server), retries=0), Replies(folder), LEAVE)
    bench = bench_on(index, WordEmbedder())
    bench.oracle = oracle
    return bench


@pytest.fixture(scope="module")
def names_built(tmp_path_factory):
    """An index whose names include two that are near, so that each artefact has a part to write."""
    folder = tmp_path_factory.mktemp("names") / "i"
    texts = {
        "Ada Birch": "Ada Birch met Bo Reed in Port Selby. Ada Birch met Cy Low.",
        "Bo Reed": "Bo Reed met Cy Low in Port Selby. Bo Reed wrote to Dee Marsh.",
        "Cy Low": "Cy Low met Dee Marsh in Port Selby.",
        LONG: f"{LONG} is a lifeboat. It met {OTHER}.",
        OTHER: f"{OTHER} is a house.",
    }
    documents = (Document(name, name, text) for name, text in texts.items())
    build(folder, corpus(*documents), WordEmbedder(), silent)
    return folder


def replied(request):
    """A correct reply to any prompt about an artefact."""
    if "names" in request.data:
        return Answer(json.dumps({"same": [], "related": []}))
    return Answer(json.dumps({"summary": "They met."}))


def test_all_artefacts_that_ask_a_model_are_looked_at_here():
    assert {each.name for each in ASKING} == {
        each.name for each in artefacts_by_name().values() if each.asks_model
    }


@pytest.mark.parametrize("artefact", ASKING, ids=lambda each: each.name)
@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (faults.refusal(), "The model declined"),
        (Answer("no such form"), "JSON"),
        (faults.broken(), "overloaded"),
    ],
    ids=["refusing", "text", "500"],
)
def test_what_a_model_wrote_no_part_of_is_not_published(
    names_built, tmp_path, artefact, fault, reason, monkeypatch
):
    index = shutil.copytree(names_built, tmp_path / "i")
    monkeypatch.setattr(
        "core.artefacts.graph_summaries.node_graph.important_entities", lambda related: [0, 1]
    )
    with ChatServer(replied) as server:
        bench = bench_with(server, index, tmp_path / "made")
        needs = [each for each in in_order([artefact]) if each.stored and each is not artefact]
        make_artefacts(bench, needs, silent)
    with ChatServer(lambda _: fault) as server:
        bench = bench_with(server, index, tmp_path / "r")
        with pytest.raises(LlmError) as caught:
            make_artefacts(bench, [artefact], silent)
        assert server.requests
    assert artefact.name not in shelved(index)
    assert missing([artefact], bench) == (artefact,)
    told = str(caught.value)
    assert f"{artefact.name} was not built: scripted gave no usable reply (0 of " in told
    assert f" {artefact.parts}). Most common reason: " in told
    assert "--ask-again" in told
    assert reason in told


@pytest.mark.parametrize("artefact", ASKING, ids=lambda each: each.name)
def test_what_it_wrote_is_counted(names_built, tmp_path, artefact, monkeypatch):
    index = shutil.copytree(names_built, tmp_path / "i")
    monkeypatch.setattr(
        "core.artefacts.graph_summaries.node_graph.important_entities", lambda related: [0, 1]
    )
    with ChatServer(replied) as server:
        bench = bench_with(server, index, tmp_path / "r")
        make_artefacts(bench, [artefact], silent)
    authorship = shelved(index)[artefact.name].authorship
    assert authorship.by_model == authorship.total > 0
    (row,) = (
        each for each in on_shelf(bench, artefacts_by_name()) if each.row.name == artefact.name
    )
    assert (
        row.authorship == f"{authorship.total} of {authorship.total} {artefact.parts} by scripted"
    )
    assert partly_by_rules([artefact], bench) == ()


@pytest.mark.parametrize("artefact", ASKING, ids=lambda each: each.name)
def test_the_calls_that_are_foreseen_are_those_that_are_made(
    names_built, tmp_path, artefact, monkeypatch
):
    """Once what it needs has been made; with every reply unusable once, second tries too."""
    index = shutil.copytree(names_built, tmp_path / "i")
    monkeypatch.setattr(
        "core.artefacts.graph_summaries.node_graph.important_entities", lambda related: [0, 1]
    )
    with ChatServer(replied) as server:
        bench = bench_with(server, index, tmp_path / "made")
        make_artefacts(bench, [e for e in in_order(artefact.needs) if e.stored], silent)
        told = forecast(bench, [artefact])
        asked = {prompt.user for prompt in artefact.expected_prompts(bench).prompts}
        before = len(server.requests)
        make_artefacts(bench, [artefact], silent)
        made = server.requests[before:]
        assert told.startswith(f"scripted: about {len(made)} call")
        assert {request.user for request in made} == asked
        assert len(made) == len(asked)
        if made:
            assert forecast(bench, [artefact]) == "scripted: no calls: all replies are cached."


@pytest.mark.parametrize("artefact", ASKING, ids=lambda each: each.name)
def test_a_forecast_made_before_what_an_artefact_needs_bounds_its_calls(
    names_built, tmp_path, artefact, monkeypatch
):
    """With a server whose first reply to every prompt cannot be used."""
    index = shutil.copytree(names_built, tmp_path / "i")
    monkeypatch.setattr(
        "core.artefacts.graph_summaries.node_graph.important_entities", lambda related: [0, 1]
    )
    monkeypatch.setattr("core.artefacts.graph_summaries.node_graph._NAMED", 2)
    seen = set()

    def second(request):
        known = request.user in seen
        seen.add(request.user)
        return replied(request) if known else Answer("prose")

    with ChatServer(second) as server:
        bench = bench_with(server, index, tmp_path / "made")
        told = re.search(r"about (\d+) calls? \(at most (\d+)\)", forecast(bench, [artefact]))
        needs = [each for each in in_order(artefact.needs) if each.stored]
        make_artefacts(bench, needs, silent)
        before = len(server.requests)
        make_artefacts(bench, [artefact], silent)
        made = len(server.requests) - before
        expected, most = map(int, told.groups())
        assert expected <= 2 * made
        assert made <= most


NEEDING = [key for key, card in CARDS.items() if any(n.asks_model for n in card.needs)]


@pytest.mark.parametrize("key", NEEDING)
def test_every_trace_says_who_wrote_what_it_stands_on(standing, key):
    """Here with a shelf on which rules wrote 2 of 7 parts of everything."""
    bench = Workbench(standing.index, standing.embedder, making=silent)
    needs = [each for each in CARDS[key].needs if each.asks_model]
    for artefact in needs:
        bench.get(artefact)
        counted = Authorship("scripted", 5, 2, "It was silent.")
        bench._rows[artefact] = replace(bench._rows[artefact], maker="scripted", authorship=counted)
    steps = tuple(make(key, bench).retrieve(QUESTION.text))
    told = " ".join(step.told.reason for step in steps)
    for artefact in needs:
        assert (
            f"5 of 7 {artefact.parts} by scripted, 2 {artefact.otherwise}: It was silent." in told
        )


def row_of(maker="m", authorship=None):
    return Shelved(
        "tree", "d", maker, "v", {}, "2026-01-01T00:00:00+00:00", 1.0, 1, None, authorship
    )


def test_what_an_earlier_version_made_is_unknown_and_opens(built, embedder):
    bench = bench_on(built, embedder)
    bench.get(TREE)
    row = shelved(built)["tree"]
    put(built, replace(row, maker="m"))
    row = asdict(shelved(built)["tree"])
    del row["authorship"], row["serial"]
    row |= {"versions": json.dumps(row["versions"]), "spending": ""}
    connect(built).create_table(schema.SHELF, [row])
    (built / SHELF).unlink()  # the record that has taken the place of this table
    (found,) = (each for each in on_shelf(bench, artefacts_by_name()) if each.row.name == "tree")
    assert found.row.authorship is None
    assert found.authorship == "m was asked; how much of it the model wrote was not recorded"
    put(built, shelved(built)["tree"])  # as a record
    assert shelved(built)["tree"].authorship is None


def test_phrases():
    counted = Authorship("m", 3, 1, "Cut off.")
    assert authorship_told(TREE, row_of("")) == "by rules, without a model"
    assert authorship_told(TREE, row_of(authorship=counted)) == (
        "3 of 4 summaries by m, 1 by rules: Cut off."
    )
    assert authorship_told(NODE_GRAPH, row_of(authorship=counted)) == (
        "3 of 4 attributes by m, 1 left out: Cut off."
    )
    assert "was not called" in authorship_told(TREE, row_of(authorship=Authorship("m")))
    assert authorship_told(None, row_of(authorship=counted)).startswith("3 of 4 parts by m")
    earlier = authorship_sentence(TREE, row_of(), ["m", "", ""])
    assert earlier.startswith("1 of 3 summaries by m, 2 by rules. Without a model")
    assert "did not record" in authorship_sentence(ONTOLOGY, row_of())
