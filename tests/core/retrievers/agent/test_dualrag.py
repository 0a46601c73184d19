"""A reasoner that names what is missing, and a note for each name."""

import pytest

from core.retrievers import make
from core.retrievers.cost_forecast import forecast
from core.retrievers.list_merging import by_reciprocal_ranks
from core.steps import Asked, Offered
from core.text.sentences import sentences
from tests.core.five import TEXTS
from tests.core.retrievers.scripted import Q, found, said, saying, sent, walked
from tests.llm.server import Answer

SPEC = "dualrag(over=bm25,each=2)"
ROUNDS = (
    [{"name": "Harbour Rovers", "queries": ["Harbour Rovers bought", "Harbour Rovers owner"]}],
    [{"name": "Mara Quist", "queries": ["Mara Quist born"]}],
    [],
)


class Model:
    """Names what `rounds` say, and notes the titles that it reads."""

    def __init__(self, rounds=ROUNDS, **changes):
        self.rounds, self.changes = list(rounds), changes
        self.demands, self.notes = [], []

    def __call__(self, data):
        if "most" in data:
            names = self.rounds[min(len(self.demands), len(self.rounds) - 1)]
            self.demands.append(data)
            thought = f"Thought {len(self.demands)}."
            return {"thought": thought, "enough": not names, "names": names, **self.changes}
        self.notes.append(data)
        told = ", ".join(one["title"] for one in data["paragraphs"])
        return {"note": f"{data['note']} {told}.".strip(), "rests_on": [1]}


def notes(steps):
    """The texts of the notes, without the names before them."""
    return [step.text.split(": ", 1)[1] for step in said(steps, "note-taker")]


def test_reasoning_and_notes_take_turns(workbench):
    model = Model()
    with saying(workbench, model) as (bench, server):
        steps = walked(bench, SPEC)
    assert sent(steps) == ["Harbour Rovers bought", "Harbour Rovers owner", "Mara Quist born"]
    assert [step.by for step in said(steps)] == [
        "reasoner",
        "note-taker",
        "reasoner",
        "note-taker",
        "reasoner",
    ]
    assert said(steps)[-1].ends == "the notes answer the query"
    assert len(server.requests) == 3 + 2
    assert model.demands[1]["notes"] == [{"name": "Harbour Rovers", "note": notes(steps)[0]}]
    thoughts = ["Thought 1.", "Thought 2."]
    assert [one["thoughts"] for one in model.demands] == [[], thoughts[:1], thoughts]
    assert [one["searched"] for one in model.demands] == [
        [],
        ["Harbour Rovers"],
        ["Harbour Rovers", "Mara Quist"],
    ]


def test_a_name_comes_from_the_note_that_tells_of_it(workbench):
    with saying(workbench, Model()) as (bench, _):
        steps = walked(bench, SPEC)
    ties = [(tie.source, tie.target) for step in said(steps) for tie in step.ties]
    told_of = "name:harbour rovers" if "Mara Quist" in said(steps)[1].text else "#"
    assert ties == [("#", "name:harbour rovers"), (told_of, "name:mara quist")]
    parents = [step.parents for step in steps if isinstance(step, Asked)][1:]
    assert parents == [("name:harbour rovers",)] * 2 + [("name:mara quist",)]


def test_the_searches_of_a_name_are_merged_by_reciprocal_ranks(workbench):
    with saying(workbench, Model()) as (bench, _):
        steps = walked(bench, SPEC)
    inner = make("bm25", workbench, top_k=8)
    lists = {
        name: [hit.passage_id for hit in tuple(inner.retrieve(query))[-1].hits]
        for name, query in zip(("#1", "#2"), sent(steps), strict=False)
    }
    offered = next(s for s in steps if isinstance(s, Offered) and s.at == "name:harbour rovers")
    hits = by_reciprocal_ranks(lists, 60)[:2]
    assert [(o.target, o.score) for o in offered.offers] == [(h.passage_id, h.score) for h in hits]


def test_a_name_again_has_its_note_made_anew(workbench):
    again = [{"name": "the Harbour Rovers", "queries": []}]
    model = Model([ROUNDS[0], again, []])
    with saying(workbench, model) as (bench, _):
        steps = walked(bench, SPEC)
    assert model.notes[1]["note"] == notes(steps)[0]
    assert model.notes[1]["about"] == "Harbour Rovers"
    assert len([thing for step in said(steps) for thing in step.things]) == 1


def test_a_note_that_says_none_is_kept(workbench):
    model = Model()
    script = {"note": "None of them is older than Nonesuch.", "rests_on": []}
    with saying(workbench, lambda d: model(d) if "most" in d else script) as (bench, _):
        steps = walked(bench, SPEC)
    assert notes(steps)[0] == script["note"]


@pytest.mark.parametrize(
    "changes",
    [{"names": [], "enough": False}, {"names": [{"name": " ", "queries": []}]}, {"names": "Ada"}],
    ids=str,
)
def test_a_demand_for_nothing_is_replaced(workbench, changes):
    model = Model(**{"enough": False, **changes})
    with saying(workbench, model) as (bench, _):
        steps = walked(bench, SPEC)
    first = said(steps)[0]
    assert first.by == "rules (reasoner)"
    assert first.told.fallback
    assert sent(steps)[0] == Q


def test_a_note_on_what_is_not_there_is_replaced(workbench):
    model = Model()
    script = {"note": "It is so.", "rests_on": [9]}
    with saying(workbench, lambda d: model(d) if "most" in d else script) as (bench, _):
        steps = walked(bench, SPEC)
    assert said(steps)[1].by == "rules (note-taker)"
    assert "outside the 1 given" in said(steps)[1].told.fallback


@pytest.mark.parametrize(("rounds", "names"), [(1, 1), (2, 2)])
def test_it_keeps_to_its_limits(workbench, rounds, names):
    many = [{"name": TEXTS[key][0], "queries": ["a", "b", "c"]} for key in TEXTS]
    with saying(workbench, Model([many])) as (bench, _):
        steps = walked(bench, f"dualrag(over=bm25,rounds={rounds},names={names})")
    assert len(said(steps, "reasoner")) == rounds
    assert len(sent(steps)) == rounds * names * 2
    assert said(steps)[-1].ends == "the round limit is reached"


def test_without_a_model_names_lead_to_names(workbench):
    steps = walked(workbench, SPEC)
    assert sent(steps)[:2] == [Q, "Harbour Rovers town owner born"]
    assert any(query.startswith("Mara Quist") for query in sent(steps)[2:])
    assert {step.by for step in said(steps)} == {
        "rules (reasoner)",
        "rules (note-taker)",
    }
    known = {line for _, text in TEXTS.values() for line in sentences(text)}
    assert {line for note in notes(steps) for line in note.split("\n")} <= known
    assert {"club", "owner"} <= set(found(steps))


def test_nothing_found_is_nothing_noted(workbench):
    steps = walked(workbench, SPEC, "zzzz qqqq")
    assert found(steps) == []
    assert said(steps)[-1].ends == "no names are left to search for"


def test_a_refusing_model_is_replaced(workbench):
    with saying(workbench, lambda _: Answer("I cannot.")) as (bench, _):
        steps = walked(bench, SPEC)
    assert found(steps) == found(walked(workbench, SPEC))


def test_what_it_will_ask_is_foreseen(workbench):
    with saying(workbench, Model()) as (bench, server):
        told = forecast(make(SPEC, bench), Q)
        assert server.requests == []
        assert told.calls == 1
        assert told.likely > 3


def test_a_reader_is_handed_the_notes_and_the_thoughts(workbench):
    with saying(workbench, Model()) as (bench, _):
        steps = walked(bench, SPEC)
    first, second = notes(steps)
    assert steps[-1].findings == (
        f"Note on Harbour Rovers: {first}",
        f"Note on Mara Quist: {second}",
        *("Thought: Thought 1.", "Thought: Thought 2.", "Thought: Thought 3."),
    )
