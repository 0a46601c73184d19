"""A question's graph of parts, searched level by level with one memory."""

import pytest

from core.answers.scoring import abstains
from core.evaluation.role_costs import costs_of
from core.retrievers import make
from core.retrievers.cost_forecast import forecast
from core.steps import Asked, Offered, own_answer
from core.text.sentences import sentences
from tests.core.five import TEXTS
from tests.core.retrievers.scripted import Q, found, said, saying, sent, walked
from tests.llm.server import Answer

PLAN = ["Who bought Harbour Rovers?", "Where does it play?", "Was #1 born near #2?"]
SPEC = "logicrag(over=bm25,each=1)"
KNOWN = {
    PLAN[0]: "Mara Quist",
    PLAN[1]: "the Lantern Ground",
}


class Model:
    """Plans, and remembers as `changes` say; `seen` is what it was given to read."""

    def __init__(self, plan=PLAN, **changes):
        self.plan, self.changes, self.seen = plan, changes, []

    def __call__(self, data):
        if "most" in data:
            return {"questions": self.plan}
        self.seen.append(data)
        answers = [KNOWN.get(one, "") for one in data["asked"]]
        memory = f"{data['memory']} {' '.join(answers)} {len(self.seen)}".strip()
        reply = {"memory": memory, "answers": answers, "enough": False, "next": None}
        return {**reply, **self.changes}


def test_parts_of_a_level_are_one_search_and_answers_go_to_the_next(workbench):
    model = Model()
    with saying(workbench, model) as (bench, server):
        steps = walked(bench, SPEC)
    assert sent(steps) == [
        f"{PLAN[0]} {PLAN[1]}",
        "Was Mara Quist born near the Lantern Ground?",
    ]
    parents = [step.parents for step in steps if isinstance(step, Asked)]
    assert parents == [(), ("part:1", "part:2"), ("part:3",)]
    assert {tie.id for tie in said(steps)[0].ties} == {"needs:3>1", "needs:3>2"}
    assert len(server.requests) == 1 + 2
    assert model.seen[1]["memory"] == "Mara Quist the Lantern Ground 1"
    assert said(steps)[-1].ends == "every sub-question has been searched"


def test_nothing_is_found_twice_without_repeats(workbench):
    model = Model()
    with saying(workbench, model) as (bench, _):
        steps = walked(bench, SPEC.replace(")", ",repeats=false)"))
    taken = [o.target for s in steps if isinstance(s, Offered) for o in s.taken]
    assert taken == ["club", found(steps)[1]] == found(steps)
    read = [[one["title"] for one in data["paragraphs"]] for data in model.seen]
    assert read == [[TEXTS[one][0]] for one in taken]
    second = [s for s in steps if isinstance(s, Offered)][1]
    notes = {offer.target: dict(offer.notes) for offer in second.offers}
    assert all(notes[one] == {"left out:": "already retrieved"} for one in notes if one == "club")


def test_without_context_pruning_the_model_reads_all_passages_again(workbench):
    model = Model()
    with saying(workbench, model) as (bench, _):
        steps = walked(bench, SPEC.replace(")", ",unpruned=true)"))
    assert [data["memory"] for data in model.seen] == ["", ""]
    read = [[one["title"] for one in data["paragraphs"]] for data in model.seen]
    assert read[0] == [TEXTS["club"][0]]
    assert read[1] == [TEXTS[one][0] for one in found(steps)]
    assert len(read[1]) == 2
    assert steps[-1].findings == ()


def test_the_reader_answers_from_the_memory_alone(workbench):
    """Its prompt has the memory and no passage; the answer is the retriever's own."""

    def script(data):
        if "passages" not in data:
            return Model(enough=True)(data)
        assert data["passages"] == []
        told = data["findings"] == ["Memory: Mara Quist the Lantern Ground 1"]
        answer = {"found": True, "answer": "Mara"} if told else {"found": False, "answer": ""}
        return {"reasoning": "So.", "citations": [], **answer}

    with saying(workbench, script) as (bench, server):
        steps = walked(bench, SPEC.replace(")", ",memory_only=true)"))
    answer = said(steps)[-1]
    assert (answer.by, answer.text, answer.told.reason) == ("reader", "Mara", "So.")
    assert own_answer(steps) == "Mara"
    assert len(server.requests) == 3
    costs = costs_of(steps, None, None, lambda *_: None)
    assert [(one.role, one.calls) for one in costs] == [("retriever", 2), ("reader", 1)]


def test_a_memory_without_the_answer_abstains(workbench):
    def script(data):
        nothing = {"reasoning": "", "citations": [], "found": False, "answer": ""}
        return nothing if "passages" in data else Model(enough=True)(data)

    with saying(workbench, script) as (bench, _):
        steps = walked(bench, SPEC.replace(")", ",memory_only=true)"))
    assert abstains(own_answer(steps))


def test_without_a_model_nothing_is_answered_from_the_memory(workbench):
    steps = walked(workbench, SPEC.replace(")", ",memory_only=true)"))
    assert own_answer(steps) is None
    assert steps[-1].findings


def test_enough_ends_it_before_the_next_level(workbench):
    with saying(workbench, Model(enough=True)) as (bench, server):
        steps = walked(bench, SPEC)
    assert said(steps)[-1].ends == "the memory answers the query"
    assert len(sent(steps)) == 1
    assert len(server.requests) == 2


def test_a_part_is_added_when_the_last_level_is_not_enough(workbench):
    model = Model([PLAN[0]], next="Where was #1 born?")
    with saying(workbench, model) as (bench, _):
        steps = walked(bench, "logicrag(over=bm25,each=1,rounds=3)")
    assert sent(steps) == [PLAN[0], "Where was Mara Quist born?", "Where was Mara Quist born?"]
    added = [thing.id for step in said(steps, "judge") for thing in step.things]
    assert added == ["part:2", "part:3"]
    assert said(steps)[-1].ends == "the search limit is reached"


@pytest.mark.parametrize(
    "changes",
    [{"answers": []}, {"answers": ["a"] * 9}, {"memory": " "}, {"enough": "perhaps"}],
    ids=str,
)
def test_a_reply_that_cannot_be_used_is_not_taken_for_enough(workbench, changes):
    with saying(workbench, Model(**changes)) as (bench, _):
        steps = walked(bench, SPEC)
    memories = said(steps, "memory")
    assert [step.by for step in memories] == ["rules (memory)"] * len(memories)
    assert len(sent(steps)) == 2
    assert all(step.told.fallback for step in memories)


def test_without_a_model_the_memory_is_sentences_with_answers(workbench):
    steps = walked(workbench, SPEC)
    assert sent(steps) == [
        "Who is the owner of Harbour Rovers?",
        "In which town was Mara Quist born?",
    ]
    last = said(steps, "memory")[-1]
    known = {line for _, text in TEXTS.values() for line in sentences(text)}
    lines = last.text.removeprefix("After level 2: ").split("\n")
    assert set(lines) <= known
    assert "It was bought by Mara Quist in 1998." in lines
    assert "She was born in Port Selby." in lines
    assert (
        said(steps)[-1].text
        == "After level 2: Sub-question 1: Mara Quist. Sub-question 2: Port Selby."
    )
    assert said(steps)[-1].ends == "every sub-question is answered"
    assert found(steps) == ["club", "owner"]


def test_nothing_found_is_nothing_known(workbench):
    steps = walked(workbench, SPEC, "zzzz qqqq")
    assert found(steps) == []
    assert said(steps)[-1].ends == "every sub-question has been searched"


def test_a_refusing_model_is_replaced(workbench):
    with saying(workbench, lambda _: Answer("I cannot.")) as (bench, _):
        steps = walked(bench, SPEC)
    assert found(steps) == found(walked(workbench, SPEC))


def test_each_search_is_that_of_its_retriever_alone(workbench):
    """Slow reference: levels of the plan in order, each searched anew, lists taken in turns."""
    with saying(workbench, Model()) as (bench, _):
        steps = walked(bench, SPEC.replace("each=1", "each=3"))
    searches = [f"{PLAN[0]} {PLAN[1]}", "Was Mara Quist born near the Lantern Ground?"]
    lists = [
        [hit.passage_id for hit in tuple(make("bm25", workbench, top_k=3).retrieve(one))[-1].hits]
        for one in searches
    ]
    assert set(lists[0]) & set(lists[1])  # what withholding passages would lose
    turns = [name for place in range(3) for some in lists for name in some[place : place + 1]]
    assert found(steps) == list(dict.fromkeys(turns))


def test_what_it_will_ask_is_foreseen(workbench):
    with saying(workbench, Model()) as (bench, server):
        told = forecast(make(SPEC, bench), Q)
        assert server.requests == []
        assert (told.calls, told.likely) == (2, 3)
        walked(bench, SPEC)
        assert len(server.requests) == 3


def test_each_part_may_have_a_search_of_its_own(workbench):
    with saying(workbench, Model()) as (bench, _):
        steps = walked(bench, SPEC.replace(")", ",separate=true)"))
    assert sent(steps) == [
        *(PLAN[0], PLAN[1]),
        "Was Mara Quist born near the Lantern Ground?",
    ]


def test_searches_may_find_the_same_passages_again(workbench):
    plan = [PLAN[0], PLAN[0] + " #1"]
    with saying(workbench, Model(plan)) as (bench, _):
        once = walked(bench, SPEC.replace(")", ",repeats=false)"))
        again = walked(bench, SPEC)
    taken = [
        [o.target for s in steps if isinstance(s, Offered) for o in s.taken]
        for steps in (once, again)
    ]
    assert len(set(taken[0])) == 2
    assert taken[1] == ["club", "club"]


def test_a_reader_is_handed_the_memory(workbench):
    model = Model(memory="The answer is church clocks.", enough=True)
    with saying(workbench, model) as (bench, _):
        steps = walked(bench, SPEC)
        wrapped = [walked(bench, f"{name}(over={SPEC})")[-1] for name in ("rerank", "distinct")]
        fused = walked(bench, f"fusion(of=bm25,other={SPEC})")[-1]
    memory = ("Memory: The answer is church clocks.",)
    assert steps[-1].findings == memory
    assert [end.findings for end in (*wrapped, fused)] == [memory] * 3
