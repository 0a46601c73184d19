"""HiGraAgent against a slow reading of its paper (Luu et al. 2026), whose code is not public.

The ranking and the number of turns are ours, as the retriever's card says: cited passages first,
then the lists of all questions in turns.
"""

import pytest

from core.artefacts.ontology.ontology import ONTOLOGY
from tests.core.retrievers.references.parts import (
    answer_script,
    answered,
    in_levels,
    one_line,
    plan_script,
    planned,
    references_in,
    with_answers,
)
from tests.core.retrievers.references.scripted_model import (
    Model,
    Outcome,
    assert_equal,
    drawn,
    outcome,
)
from tests.core.retrievers.references.worlds import (
    NAMES,
    by_place,
    in_turns,
    nearest,
    sentence,
)

SETTINGS = (
    {"each": 5},
    {"each": 3, "turns": 7, "asks": 1},
    {"each": 4, "turns": 2, "asks": 2, "read": 2},
    {"each": 5, "others": 0, "top_k": 3},
    {"each": 2, "others": 1, "turns": 1},
)
QUESTION_WORDS = "who whom whose what which when where why how is are was were do does did".split()


def reference(
    bench, question, model, *, search, turns=4, asks=4, each=20, read=10, others=3, top_k=20
):
    meant = clarified(question, model)
    plan = planned(bench, meant, model)
    waiting = [number for level in in_levels(plan) for number in level]
    level_of = {number: n for n, level in enumerate(in_levels(plan)) for number in level}
    texts, dialogue, lists, searches, ends = dict(enumerate(plan, start=1)), {}, {}, [], ""

    def due(most):
        first = [n for n in waiting if level_of[n] == level_of[waiting[0]]][:most]
        waiting[:] = [n for n in waiting if n not in first]
        return first

    def filled(number):
        if number > len(plan):
            return texts[number]
        known = {
            n: dialogue[n][0] if dialogue.get(n, ("",))[0] else filled(n).rstrip(" ?.")
            for n in references_in(texts[number])
        }
        return with_answers(texts[number], known)

    numbers = due(asks)
    for turn in range(1, turns + 1):
        asked = {number: filled(number) for number in numbers}
        found = {number: search(text, each) for number, text in asked.items()}
        searches += asked.values()
        for number in numbers:
            passages, relations = found[number]
            dialogue[number] = answered(
                bench, model, asked[number], passages[:read], others, relations
            )
            cited = dialogue[number][2]
            lists[number] = list(dict.fromkeys([*cited, *(p.id for p in passages)]))
        most = asks if turn < turns else 0
        told = [entry(filled(n), *one) for n, one in dialogue.items()]
        action = sought(model, meant, plan, told, most) if model else None
        if action is None and not waiting:
            ends = "every question of the plan has been asked"
        elif action is None and not most:
            ends = "the turn limit is reached"
        elif action is None:
            numbers = due(most)
        elif isinstance(action, str):
            ends = "the dialogue answers the query"
        else:
            new = [text for text in action if text not in map(filled, dialogue)]
            numbers = range(len(texts) + 1, len(texts) + len(new) + 1)
            texts |= dict(zip(numbers, new, strict=True))
            ends = "" if new else "there is no new question"
        if ends:
            break
    ranking = by_place(in_turns(lists))
    findings = tuple(finding(filled(n), *one) for n, one in dialogue.items() if one[0])
    kept = min(top_k, len(ranking))
    return Outcome(ranking, kept, searches, model.asked if model else [], ends, findings)


def clarified(question, model):
    """The question, rephrased by a model if it does not begin with a question word."""
    first = question.replace("In ", "", 1).split()[0].casefold()
    if model and first not in QUESTION_WORDS:
        return one_line(model("clarify", question=question)["question"]) or question
    return question


def entry(question, answer, evidence, _, more):
    told = {"question": question, "answer": answer, "evidence": evidence}
    return {**told, "others": more} if more else told


def finding(question, answer, evidence, _, more):
    texts = [question, answer, evidence, f"(or: {'; '.join(more)})" if more else ""]
    return " ".join(text for text in texts if text)


def sought(model, question, plan, dialogue, most):
    """The Seeker's answer, or its questions; None if it gives neither."""
    reply = model("seek", question=question, plan=plan, dialogue=dialogue, most=most)
    asks = [one_line(text) for text in reply["ask"] if text.strip()][:most]
    return one_line(reply["answer"] or "") or list(dict.fromkeys(asks)) or None


def script(seed):
    def say(role, data):
        rng = drawn(seed, role, data)
        if role == "answer":
            return answer_script(seed, data)
        if role == "decompose":
            return plan_script(seed, data)
        if role == "clarify":
            return {"question": rng.choice((f"Who knows \n {data['question']}", " "))}
        if role == "pick_seeds":
            return {"seeds": [rng.randrange(1, 1 + len(data["entities"]))]}
        earlier = [one["question"] for one in data["dialogue"]]
        told = rng.choice(("It is  so.", ""))
        asks = [f"Who met  {rng.choice(NAMES)}?", f"Did #1 meet {rng.choice(NAMES)}?", " "]
        asks = rng.choices([*asks, rng.choice(earlier)], k=rng.randrange(5))
        answer = rng.choice((None, None, None, None, None, "", " ", "Bo  Ash"))
        return {"thought": told, "ask": asks, "answer": answer}

    return say


def check(bench, question, settings, say, over="dense"):
    def search(text, count):
        if over == "dense":
            return nearest(bench, text, count), ()
        found = outcome(bench, f"{over}(top_k={count})", text, say)
        passages = [bench.index.passage(name) for name, _ in found.ranking[: found.kept]]
        return passages, found.findings

    given = ",".join(f"{name}={value}" for name, value in {"over": over, **settings}.items())
    found = outcome(bench, f"higra-agent({given})", question, say)
    found.asked = [one for one in found.asked if one[0] != "pick_seeds"]
    wanted = reference(bench, question, Model(say) if say else None, search=search, **settings)
    assert_equal(found, wanted)
    return wanted.ends


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_in_a_random_world(world, settings):
    ends = set()
    for seed in range(3):
        for number in range(12):
            rng = drawn(seed, number)
            start = rng.choice(("Who knows that", "In which year is it that", "Tell me if"))
            question = f"{start} {sentence(rng)}"
            ends.add(check(world(seed), question, settings, script(number)))
        by_rules = f"Who was born first, {NAMES[seed]} or {NAMES[seed + 1]}?"
        check(world(seed), by_rules, settings, None)
    assert len(ends) > 1


def test_with_the_relations_of_its_retriever(world):
    world(0).get(ONTOLOGY)
    for number in range(6):
        question = f"Who knows that {sentence(drawn(number))}"
        settings = SETTINGS[number % len(SETTINGS)]
        check(world(0), question, settings, script(number), over="higra")


def test_in_the_sample(sample):
    for number, query in enumerate(sample.index.questions[:4]):
        settings = SETTINGS[number]
        check(sample, query.text, settings, script(number))
        check(sample, query.text, settings, None)
        check(sample, query.text, settings, script(number), over="bm25")
