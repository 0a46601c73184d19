"""A Seeker that asks and a Librarian that answers, in turns, by a scripted model and by rules."""

import pytest

from core.retrievers import make
from core.retrievers.agent.dual_agent.seeking import Dialogue, rephrase_as_question
from core.retrievers.cost_forecast import forecast
from core.steps import ROOT, Asked, Began, Ranked, own_answer
from tests.core.retrievers.scripted import Q, found, said, saying, sent, walked
from tests.llm.server import Answer

SPEC = "higra-agent(over=bm25,each=3)"
OWNER, BORN = "Who owned Harbour Rovers?", "Where was Mara Quist born?"


class Model:
    """Plans `plan`; the Seeker does `actions` in turn; the Librarian says the first title."""

    def __init__(self, actions, plan=(OWNER, "Where was #1 born?"), others=()):
        self.actions, self.plan, self.others = list(actions), list(plan), list(others)
        self.seen, self.read = [], []

    def __call__(self, data):
        if "dialogue" in data:
            self.seen.append(data)
            action = self.actions[min(len(self.seen), len(self.actions)) - 1]
            return {"thought": f"Thought {len(self.seen)}.", "ask": [], "answer": None, **action}
        if "passages" in data:
            self.read.append(data)
            first = data["passages"][0]
            told = {"reasoning": f"It says {first['title']}.", "found": True}
            told["answer"] = first["title"]
            return {**told, "citations": [first["id"]], "others": self.others}
        if "most" in data:
            return {"questions": self.plan}
        return {"question": f"What is meant by {data['question']}?"}


def test_a_dialogue_goes_on_until_the_seeker_answers(workbench):
    model = Model([{"ask": [BORN, "Who is Ilo Venn?"]}, {"answer": "Port Selby"}])
    with saying(workbench, model) as (bench, server):
        steps = walked(bench, SPEC)
    assert sent(steps) == [OWNER, BORN, "Who is Ilo Venn?"]
    assert [step.by for step in said(steps)] == [
        *("planner", "librarian", "seeker"),
        *("librarian", "librarian", "seeker"),
    ]
    assert own_answer(steps) == "Port Selby"
    assert said(steps)[-1].ends == "the dialogue answers the query"
    assert len(server.requests) == 1 + 3 + 2
    assert [step.number for step in steps if isinstance(step, Began) and step.name == "turn"] == [
        1,
        2,
    ]
    first, second = (data["dialogue"] for data in model.seen)
    owner = said(steps, "librarian")[0].text
    assert first == [{"question": OWNER, "answer": owner, "evidence": f"It says {owner}."}]
    assert [one["question"] for one in second] == [OWNER, BORN, "Who is Ilo Venn?"]


def test_the_librarian_knows_nothing_but_the_question(workbench):
    model = Model([{"ask": [BORN]}, {"answer": "Port Selby"}])
    with saying(workbench, model) as (bench, _):
        walked(bench, f"{SPEC[:-1]},read=2)")
    assert [data["question"] for data in model.read] == [OWNER, BORN]
    assert all(set(data) == {"question", "passages"} for data in model.read)
    assert max(len(data["passages"]) for data in model.read) == 2


def test_what_waits_for_no_answer_is_asked_in_one_turn_and_at_the_same_time(workbench):
    plan = ("Who is Mara Quist?", "Who is Ilo Venn?", "Did #1 marry #2?")
    with saying(workbench, Model([{"answer": "yes"}], plan)) as (bench, server):
        server.answer = _slowly(server.answer)
        steps = walked(bench, SPEC)
    assert sent(steps) == list(plan[:2])
    assert server.most_at_once == 2


def _slowly(answer):
    def later(request):
        said = answer(request)
        return Answer(said.text, delay=0.1) if "passages" in request.data else said

    return later


def test_what_an_answer_rests_on_comes_first_in_its_list(workbench):
    model = Model([{"answer": "Port Selby"}])

    def cites_the_last(data):
        reply = model(data)
        if "passages" in data:
            reply["citations"] = [data["passages"][-1]["id"]]
        return reply

    with saying(workbench, cites_the_last) as (bench, _):
        steps = walked(bench, SPEC)
    *others, last = (one["id"] for one in model.read[0]["passages"])
    assert found(steps) == [last, *others]
    assert {part.name for hit in steps[-1].hits for part in hit.parts} == {"#1"}


@pytest.mark.parametrize(
    ("actions", "ends"),
    [
        ([{"ask": [OWNER]}], "there is no new question"),
        ([{"ask": [BORN]}, {"ask": ["Who?"]}], "the turn limit is reached"),
    ],
)
def test_it_ends_without_an_answer_too(workbench, actions, ends):
    with saying(workbench, Model(actions)) as (bench, _):
        steps = walked(bench, f"{SPEC[:-1]},turns=2)")
    assert said(steps)[-1].ends == ends
    assert own_answer(steps) is None
    assert found(steps)


def test_a_seeker_that_says_nothing_is_replaced_by_the_plan(workbench):
    with saying(workbench, Model([{"ask": [" "]}])) as (bench, _):
        steps = walked(bench, SPEC)
    assert sent(steps)[1].startswith("Where was ")
    assert "#1" not in sent(steps)[1]
    assert said(steps)[-1].by == "rules (seeker)"
    assert "contains neither a question nor an answer" in said(steps)[-1].told.fallback


def test_what_does_not_ask_is_made_a_question(workbench):
    with saying(workbench, Model([{"answer": "x"}])) as (bench, _):
        steps = walked(bench, SPEC, "harbour rovers owner")
    assert said(steps)[0].text == "Rephrased as a question: What is meant by harbour rovers owner?"
    assert said(steps)[0].by == "seeker"
    for text in (Q, "In what town?", "It stands where?", "«Who was it»"):
        assert rephrase_as_question(workbench, text, "") == (text, None)
    with saying(workbench, Model([{"answer": "x"}])) as (bench, _):
        rephrased, told = rephrase_as_question(bench, "It stands where?", "")
        assert rephrased == "What is meant by It stands where??"
        assert told.by == "seeker"
        assert rephrase_as_question(bench, "In what town?", "") == ("In what town?", None)
    taken, told = rephrase_as_question(workbench, "harbour rovers", "so")
    assert (taken, told.by, told.told.reason) == (
        "harbour rovers",
        "rules (seeker)",
        "so",
    )


def test_without_a_model_the_plan_is_asked_level_by_level(workbench):
    steps = walked(workbench, SPEC)
    assert sent(steps) == [
        "Who is the owner of Harbour Rovers?",
        "In which town was Mara Quist born?",
    ]
    assert {step.by.removeprefix("rules (").removesuffix(")") for step in said(steps)} == {
        *("planner", "librarian", "seeker"),
    }
    assert all(step.by.startswith("rules (") for step in said(steps))
    assert said(steps)[-1].ends == "every question of the plan has been asked"
    assert ROOT not in {name for step in said(steps) for name in step.closes}
    parents = [step.parents for step in steps if isinstance(step, Asked)][1:]
    assert parents == [("part:1",), ("part:2", "#1")]


def test_a_level_that_is_too_wide_takes_another_turn():
    dialogue = Dialogue(("A?", "B?", "C?", "#1 or #3?"))
    assert [dialogue.next(2), dialogue.next(2), dialogue.next(2)] == [(1, 2), (3,), (4,)]
    dialogue.answers = {1: "Ada"}
    assert dialogue.asked(4) == "Ada or C?"


def test_what_it_will_ask_is_foreseen(workbench):
    model = Model([{"ask": [BORN]}, {"answer": "Port Selby"}])
    with saying(workbench, model) as (bench, server):
        told = forecast(make(SPEC, bench.with_leave(None)), Q)
        assert (told.calls, told.likely) == (3, 5)
        assert server.requests == []
        walked(bench, SPEC)
        assert forecast(make(SPEC, bench.with_leave(None)), Q).calls == 0


def test_a_reader_is_handed_the_answers_with_their_evidence(workbench):
    with saying(workbench, Model([{"ask": [OWNER]}])) as (bench, _):
        steps = walked(bench, SPEC)
    owner = said(steps, "librarian")[0].text
    assert steps[-1].findings == (f"{OWNER} {owner} It says {owner}.",)


def test_the_seeker_pursues_each_candidate_answer(workbench):
    about = ["Where was Mara Quist born?", "Where was Ilo Venn born?"]
    model = Model([{"ask": about}, {"answer": "Port Selby"}], others=["Ilo Venn", "Ilo Venn", " "])
    with saying(workbench, model) as (bench, server):
        steps = walked(bench, SPEC)
    owner = said(steps, "librarian")[0]
    assert model.seen[0]["dialogue"][0]["others"] == ["Ilo Venn"]
    assert owner.told.reason == "Other answers in the passages: Ilo Venn."
    assert sent(steps) == [OWNER, *about]
    assert steps[-1].findings[0] == f"{OWNER} {owner.text} It says {owner.text}. (or: Ilo Venn)"
    asked = next(one for one in server.requests if "passages" in one.data)
    assert '"others"' in asked.system


def test_without_other_answers_the_librarian_is_asked_as_any_reader(workbench):
    model = Model([{"answer": "Port Selby"}], others=["Ilo Venn"])
    with saying(workbench, model) as (bench, server):
        walked(bench, f"{SPEC[:-1]},others=0)")
    assert "others" not in model.seen[0]["dialogue"][0]
    asked = next(one for one in server.requests if "passages" in one.data)
    schema = asked.body["response_format"]["json_schema"]["schema"]
    assert "others" not in schema["properties"]


def test_the_librarian_reads_the_relations_of_its_retriever(workbench):
    model = Model([{"answer": "Port Selby"}])

    def seeds(data):
        return {"seeds": [1]} if "entities" in data else model(data)

    with saying(workbench, seeds) as (bench, _):
        steps = walked(bench, "higra-agent(over=higra)")
    inner = next(step for step in steps if isinstance(step, Ranked))
    assert inner.findings
    assert model.read[0]["findings"] == list(inner.findings)
