"""A question taken apart, searched with part by part, and merged."""

import pytest

from core.retrievers import make
from core.retrievers.cost_forecast import forecast
from core.retrievers.list_merging import by_reciprocal_ranks, by_turns
from core.steps import Asked, Began, Pooled
from tests.core.retrievers.scripted import Q, found, said, saying, sent, walked
from tests.llm.server import Answer

PLAN = ["Who bought Harbour Rovers?", "In which town was #1 born?"]
SPEC = "decomposition(over=bm25,each=3)"


def script(data, plan=PLAN, answer="Mara Quist"):
    if "most" in data:
        return {"questions": plan}
    cited = [data["passages"][0]["id"], "nowhere"]
    return {"reasoning": "", "citations": cited, "found": bool(answer), "answer": answer}


def lists(bench, *queries):
    """What each query finds, by the names that the merged lists have."""
    names = ("whole question", "#1", "#2", "#3")
    inner = make("bm25", bench, top_k=3)
    ranked = [tuple(inner.retrieve(query))[-1].hits for query in queries]
    return {n: [hit.passage_id for hit in hits] for n, hits in zip(names, ranked, strict=False)}


def test_an_answer_is_put_into_its_place(workbench):
    with saying(workbench, script) as (bench, server):
        steps = walked(bench, SPEC)
    filled = ["Who bought Harbour Rovers?", "In which town was Mara Quist born?"]
    assert sent(steps) == [*filled, Q]
    assert steps[-1].hits == by_turns(lists(workbench, Q, *filled))
    planner, reader = said(steps)
    assert (planner.by, reader.by) == ("planner", "reader")
    assert [tie.id for tie in planner.ties] == ["needs:2>1"]
    assert (reader.text, reader.closes, reader.about) == ("Mara Quist", ("#1",), "#1")
    assert reader.rests_on == ("club",)
    assert [step.parents for step in steps if isinstance(step, Asked)] == [
        (),
        ("part:1",),
        ("part:2", "#1"),
        ("#",),
    ]
    assert len(server.requests) == 2  # nobody waits for the last part's answer
    assert server.requests[1].data["question"] == filled[0]


def test_the_model_writes_the_number_of_sub_questions_that_is_set(workbench):
    plans = {2: PLAN, 3: [*PLAN, "Who else was born there?"]}

    def writes(data):
        return script(data, plans.get(data.get("exactly"), PLAN[:1]))

    with saying(workbench, writes) as (bench, server):
        for count, plan in plans.items():
            steps = walked(bench, SPEC.replace(")", f",count={count},whole=false)"))
            assert len(sent(steps)) == len(plan) == count
        assert "exactly" in server.requests[0].system
        walked(bench, SPEC)
        assert "exactly" not in server.requests[-1].data


def test_a_plan_of_another_length_is_not_used(workbench):
    with saying(workbench, script) as (bench, _):
        steps = walked(bench, SPEC.replace(")", ",count=4)"))
    planner = said(steps)[0]
    assert planner.by == "rules (planner)"
    assert "2 questions, not 4" in planner.told.fallback


def test_every_sub_question_is_answered_and_the_reader_gets_the_answers(workbench):
    with saying(workbench, script) as (bench, _):
        steps = walked(bench, SPEC.replace(")", ",answered=true)"))
    assert [step.closes for step in said(steps, "reader")] == [("#1",), ("#2",)]
    filled = ["Who bought Harbour Rovers?", "In which town was Mara Quist born?"]
    assert steps[-1].findings == tuple(f"{asked} Mara Quist" for asked in filled)
    unknown = ["Who sold Harbour Rovers?", "Where did #1 go?"]
    with saying(workbench, lambda data: script(data, unknown, answer="")) as (bench, _):
        steps = walked(bench, SPEC.replace(")", ",answered=true)"), "Where did its seller go?")
    assert steps[-1].findings == ()


@pytest.mark.parametrize("k0", [0, 60])
def test_lists_are_merged_by_reciprocal_ranks(workbench, k0):
    with saying(workbench, script) as (bench, _):
        steps = walked(bench, SPEC.replace(")", f",merge=rrf,k0={k0})"))
    asked = (Q, "Who bought Harbour Rovers?", "In which town was Mara Quist born?")
    assert steps[-1].hits == by_reciprocal_ranks(lists(workbench, *asked), k0)


def test_without_the_whole_question_there_are_the_parts_alone(workbench):
    with saying(workbench, script) as (bench, _):
        steps = walked(bench, SPEC.replace(")", ",whole=false)"))
    assert [step.of for step in steps if isinstance(step, Pooled)] == [("#1", "#2")]
    assert Q not in sent(steps)


def test_a_part_without_an_answer_stands_in_its_place_itself(workbench):
    with saying(workbench, lambda data: script(data, answer="")) as (bench, _):
        steps = walked(bench, SPEC)
    assert sent(steps)[1] == "In which town was Who bought Harbour Rovers born?"
    assert said(steps, "reader")[0].closes == ()


def test_parts_are_asked_in_the_order_of_what_they_need(workbench):
    plan = ["Where was #2 born?", "Who bought Harbour Rovers?", "Is #1 old?"]
    with saying(workbench, lambda data: script(data, plan)) as (bench, _):
        steps = walked(bench, SPEC)
    ids = [step.id for step in steps if isinstance(step, Asked)]
    assert ids == ["#", "#2", "#1", "#3", "#4"]


UNUSABLE = {
    "a circle": ["Who is #2?", "Who is #1?"],
    "itself": ["Who is #1?"],
    "no such part": ["Who is #3?", "b"],
    "none": [],
    "blank": [" ", ""],
    "too many": ["a?"] * 7,
    "no texts": [1, 2],
}


@pytest.mark.parametrize("plan", UNUSABLE.values(), ids=UNUSABLE)
def test_a_plan_without_an_order_is_replaced_and_that_is_told(workbench, plan):
    with saying(workbench, lambda data: script(data, plan)) as (bench, server):
        steps = walked(bench, SPEC)
    planner = said(steps)[0]
    assert planner.by == "rules (planner)"
    assert planner.told.fallback
    assert sent(steps)[0] == "Who is the owner of Harbour Rovers?"
    assert len([r for r in server.requests if "most" in r.data]) == 2  # asked once more


def test_a_question_of_one_part_is_searched_once(workbench):
    with saying(workbench, lambda data: script(data, [Q])) as (bench, server):
        steps = walked(bench, SPEC)
    assert sent(steps) == [Q]
    assert len(server.requests) == 1
    assert found(steps) == lists(workbench, Q)["whole question"]


def test_without_a_model_rules_take_it_apart_and_answer(workbench):
    steps = walked(workbench, SPEC)
    assert sent(steps) == [
        "Who is the owner of Harbour Rovers?",
        "In which town was Mara Quist born?",
        Q,
    ]
    assert {step.by for step in said(steps)} == {
        "rules (planner)",
        "rules (reader)",
    }
    assert found(steps)[:2] in (["club", "owner"], ["owner", "club"])


@pytest.mark.parametrize("key", ["decomposition", "logicrag"])
def test_a_number_sign_in_the_question_is_no_place(workbench, key):
    steps = walked(workbench, f"{key}(over=bm25)", "Who was #1 of Harbour Rovers, and #3?")
    assert sent(steps) == ["Who was no. 1 of Harbour Rovers, and no. 3?"]


def test_a_refusing_model_is_replaced(workbench):
    with saying(workbench, lambda _: Answer("I cannot.")) as (bench, _):
        steps = walked(bench, SPEC)
    assert found(steps) == found(walked(workbench, SPEC))


def test_what_it_will_ask_is_foreseen(workbench):
    with saying(workbench, script) as (bench, server):
        told = forecast(make(SPEC, bench), Q)
        assert server.requests == []
        assert (told.calls, told.likely) == (1, 2)
        walked(bench, SPEC)
        assert len(server.requests) == 2


@pytest.mark.parametrize("over", ["dense", "hybrid-rrf", "rerank(over=bm25)", "decomposition"])
def test_any_retriever_can_be_searched_with(workbench, over):
    assert found(walked(workbench, f"decomposition(over={over},each=2)"))


def test_the_lists_are_merged_after_the_parts_and_the_whole_question(workbench):
    steps = walked(workbench, SPEC)
    pooled = next(step for step in steps if isinstance(step, Pooled))
    assert sorted(pooled.of) == ["#1", "#2", "the whole question"]
    began = [str(step) for step in steps if isinstance(step, Began)]
    assert began[-2:] == ["whole question", "merging"]


def test_lists_can_be_joined_one_after_the_other(workbench):
    with saying(workbench, script) as (bench, _):
        steps = walked(bench, SPEC.replace(")", ",merge=joined,whole=false,top_k=3)"))
    first, second = list(lists(workbench, Q, *sent(steps)).values())[1:]
    share = 3 // 2 + 1
    expected = list(dict.fromkeys([*first[:share], *second[:share]]))
    assert [hit.passage_id for hit in steps[-1].hits] == expected[:3]
