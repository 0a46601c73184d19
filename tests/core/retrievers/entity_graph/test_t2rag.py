"""T2RAG: the clue board, and what is found with it, by a scripted model and by the substitute."""

import json
import re
from contextlib import contextmanager

import numpy as np
import pytest

from core.artefacts.entity_graph.graph import FACTS, Fact
from core.artefacts.lexical.keywords import KEYWORDS
from core.artefacts.workbench import Workbench
from core.models.kept.replies import Replies
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.playback import check
from core.retrievers import make
from core.retrievers.cost_forecast import forecast
from core.retrievers.entity_graph.t2rag.clues import Clue, clues_of, resolved_by_facts
from core.steps import Began, Offered, Said
from tests.core.five import QUESTION, silent
from tests.llm.client import LEAVE
from tests.llm.server import Answer, ChatServer, endpoint

Q = QUESTION.text
OWNER = Clue("Harbour Rovers", "was bought by", "?owner")
BORN = Clue("?owner", "was born in", "?town")


def walked(bench, spec="t2rag(each=1)", question=Q):
    steps = tuple(make(spec, bench).retrieve(question))
    check(steps)
    return steps


def boards(steps):
    return [step for step in steps if isinstance(step, Said)]


def written(clues):
    return [{"subject": c.subject, "predicate": c.predicate, "object": c.object} for c in clues]


@contextmanager
def saying(bench, *boards):
    """A model that says `boards` in turn, the last one for ever."""

    def answer(_):
        clues = boards[min(len(server.requests), len(boards)) - 1]
        said = clues if isinstance(clues, str) else json.dumps({"clues": written(clues)})
        return Answer(said)

    with ChatServer(answer) as server:
        oracle = Oracle(Llm(endpoint(server), retries=0), Replies(bench.index.path), LEAVE)
        yield Workbench(bench.index, bench.embedder, oracle, making=silent), server
        oracle.replies.close()


@pytest.mark.parametrize(
    ("clue", "state", "known"),
    [
        (BORN, "fuzzy", "was born in"),
        (OWNER, "traceable", "Harbour Rovers was bought by"),
        (Clue("Mara Quist", "born in", "Port Selby"), "resolved", "Mara Quist born in Port Selby"),
        (Clue("?", "?", "?"), "fuzzy", ""),
    ],
)
def test_a_clue_is_as_fuzzy_as_it_has_gaps(clue, state, known):
    assert (clue.state, clue.known) == (state, known)


def test_the_same_gap_is_filled_in_everywhere():
    filled = [clue.filled({"?owner": "Mara Quist"}) for clue in (OWNER, BORN)]
    assert [clue.state for clue in filled] == ["resolved", "traceable"]
    assert filled[1].known == "Mara Quist was born in"


def test_clues_by_rules(workbench):
    keywords = workbench.get(KEYWORDS)
    assert clues_of(Q, keywords) == (
        Clue("Harbour Rovers", "town owner born", "?1"),
        Clue("?1", "town owner born", "?2"),
    )
    both = clues_of("Are Ilo Venn and Mara Quist married?", keywords)
    assert [clue.subject for clue in both] == ["Ilo Venn", "?1", "Mara Quist", "?3"]
    assert clues_of("Who was it in 1998?", keywords) == ()


def test_a_gap_has_the_other_passage_or_the_rarest_thing():
    clues = (Clue("Ilo Venn", "wife", "?1"), Clue("?1", "wife", "?2"))
    about = Fact(1, "mara quist", "", ("ilo venn", "port selby"))
    own = Fact(2, "ilo venn", "", ("low tide band", "port selby", "1998"))
    other = Fact(3, "lantern ground", "", ("port selby",))
    bearers = {"low tide band": 1, "port selby": 3, "1998": 0}
    for facts, found in (
        ([other, about, own], "mara quist"),
        ([own, about], "low tide band"),
        ([other], ""),
    ):
        one, two = resolved_by_facts(clues, facts, bearers)
        assert one.object == (found or "?1")
        assert two.subject == (found or "?1")
    beside = (*clues, Clue("Mara Quist", "husband", "?3"))
    assert resolved_by_facts(beside, [about], bearers)[0].object == "port selby"


def test_the_board_moves_from_gaps_to_what_is_known(workbench):
    found = {"?owner": "Mara Quist"}
    second = tuple(clue.filled(found) for clue in (OWNER, BORN))
    third = tuple(clue.filled({"?town": "Port Selby"}) for clue in second)
    with saying(workbench, (OWNER, BORN), second, third) as (bench, server):
        steps = walked(bench)
    known = [re.search(r"^known: ([^.]*)", step.text) for step in boards(steps)]
    assert [found[1].count("|") // 2 if found else 0 for found in known] == [0, 1, 2]
    assert [step.ends for step in boards(steps)] == ["", "", "all gaps are filled"]
    assert len([step for step in steps if isinstance(step, Began)]) == 2
    asked = [request.data for request in server.requests]
    assert asked[0] == {"question": Q}
    assert asked[1]["clues"] == written((OWNER, BORN))
    assert asked[2]["clues"] == written(second)
    facts = {fact.text for fact in workbench.get(FACTS).facts}
    assert set(asked[1]["facts"]) <= facts
    assert {step.by for step in boards(steps)} == {"clue board"}
    assert steps[-1].findings == tuple(f"Clue: {clue}" for clue in third)


def test_a_passage_scores_as_its_best_fact_of_any_round(workbench):
    second = tuple(clue.filled({"?owner": "Mara Quist"}) for clue in (OWNER, BORN))
    with saying(workbench, (OWNER, BORN), second, (second[0], BORN)) as (bench, _):
        steps = walked(bench, "t2rag(each=2,rounds=2)")
    facts = workbench.get(FACTS)
    wanted: dict[str, float] = {}
    for sought in ([Q, OWNER.known], [Q, "Mara Quist was born in"]):
        vectors = workbench.embedder.encode(sought)
        scores = (facts.vectors @ vectors.T).max(axis=1)
        new: dict[str, float] = {}
        for number in np.argsort(-scores, kind="stable"):
            name = workbench.index.passages[facts.facts[number].passage].id
            if len(new) < 2:
                new.setdefault(name, float(scores[number]))
        wanted = {name: max(wanted.get(name, 0), new.get(name, 0)) for name in {**wanted, **new}}
    assert {h.passage_id: h.score for h in steps[-1].hits} == pytest.approx(wanted, abs=1e-6)
    assert boards(steps)[-1].ends == "the round limit is reached"
    for step in steps:
        if isinstance(step, Offered):
            assert len(step.taken) == 2
            assert step.offers[-1].taken


@pytest.mark.parametrize(
    ("question", "ends"), [(Q, "no gap was filled"), ("Who was it?", "there are no clues")]
)
def test_without_a_model_it_ends_by_itself(workbench, question, ends):
    steps = walked(workbench, "t2rag(rounds=8)", question)
    assert boards(steps)[-1].ends in (ends, "all gaps are filled")
    assert {step.by for step in boards(steps)[:-1]} == {"rules (clue board)"}
    assert steps[-1].hits


@pytest.mark.parametrize(
    "reply", [(OWNER,), (OWNER, BORN, Clue("a", "b", "c")), "{}", '{"clues": [1, 2]}']
)
def test_another_number_of_clues_fills_in_nothing(workbench, reply):
    with saying(workbench, (OWNER, BORN), reply) as (bench, _):
        first, second, *_ = boards(walked(bench))
    assert first.told.fallback == ""
    assert second.told.fallback
    assert second.by == "rules (clue board)"


def test_two_clues_may_become_the_same(workbench):
    """Two gaps of one thing, filled with the same name."""
    first = (
        Clue("Harbour Rovers", "was bought by", "?owner"),
        Clue("Harbour Rovers", "was bought by", "?buyer"),
    )
    same = Clue("Harbour Rovers", "was bought by", "Mara Quist")
    with saying(workbench, first, (same, same)) as (bench, _):
        before, after = boards(walked(bench))
    assert after.by == "clue board"
    assert after.told.fallback == ""
    assert (before.text.count("|") // 2, after.text.count("|") // 2) == (2, 1)
    assert after.ends == "all gaps are filled"


def test_no_clue_is_searched_with_the_question_alone(workbench):
    with saying(workbench, ()) as (bench, server):
        steps = walked(bench, "t2rag(each=5)")
        assert len(server.requests) == 1
        told = forecast(make("t2rag", bench.with_leave(None)), Q)
        assert told.calls == 0
    assert boards(steps)[-1].ends == "there are no clues"
    scores = [hit.score for hit in steps[-1].hits]
    facts, vector = workbench.get(FACTS), workbench.embedder.encode([Q])[0]
    assert scores[0] == pytest.approx(float((facts.vectors @ vector).max()), abs=1e-6)


def test_it_is_foreseen_what_it_asks(workbench):
    with saying(workbench, (OWNER, BORN)) as (bench, server):
        bench.get(FACTS)
        told = forecast(make("t2rag", bench.with_leave(None)), Q)
        assert told.calls == 1
        assert 1 < told.likely <= 4
        assert server.requests == []
