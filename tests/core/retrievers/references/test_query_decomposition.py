"""Query decomposition against a slow reading of its papers and of HopRAG's baseline.

Sub-questions are searched with in the order in which answers become known (MuSiQue), and lists are
merged in turns, by reciprocal ranks, or joined with top k divided by their number (HopRAG, A.4).
"""

from itertools import chain

import pytest

from tests.core.retrievers.references.parts import (
    answer_script,
    answered,
    in_levels,
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
    reciprocal,
    sentence,
)

SETTINGS = (
    {"each": 4},
    {"each": 6, "merge": "rrf", "top_k": 5},
    {"each": 6, "merge": "rrf", "k0": 60, "whole": False},
    {"merge": "joined", "whole": False, "top_k": 4},
    {"merge": "joined", "top_k": 9, "each": 3},
    {"each": 3, "answered": True, "read": 2},
    {"each": 3, "answered": True, "count": 3},
    {"each": 1, "count": 2, "whole": False},
)


def reference(
    bench,
    question,
    model,
    *,
    search,
    merge="turns",
    whole=True,
    each=20,
    read=5,
    count=0,
    answered_all=False,
    k0=1,
    top_k=20,
):
    parts = planned(bench, question, model, exactly=count)
    needed = {number for text in parts for number in references_in(text)}
    if answered_all and len(parts) > 1:
        needed = set(range(1, 1 + len(parts)))
    lists, answers, findings, searches = {}, {}, [], []
    for number in chain.from_iterable(in_levels(parts)):
        asked = with_answers(parts[number - 1], answers)
        searches.append(asked)
        found = search(asked, each)
        lists[f"#{number}"] = [passage.id for passage in found]
        if number in needed:
            answer, *_ = answered(bench, model, asked, found[:read])
            answers[number] = answer or asked.rstrip(" ?.")
            if answer and answered_all:
                findings.append(f"{asked} {answer}")
    if whole and len(parts) > 1:
        searches.append(question)
        lists = {"whole": [passage.id for passage in search(question, each)], **lists}
    if merge == "rrf":
        ranking = reciprocal(lists, k0)
    elif merge == "turns":
        ranking = by_place(in_turns(lists))
    else:
        share = top_k // len(lists) + 1
        joined = [one for ids in lists.values() for one in ids[:share]]
        ranking = by_place(list(dict.fromkeys(joined)))
    asked = model.asked if model else []
    kept = min(top_k, len(ranking))
    return Outcome(ranking, kept, searches, asked, "", tuple(dict.fromkeys(findings)))


def script(seed):
    def say(name, data):
        return plan_script(seed, data) if name == "decompose" else answer_script(seed, data)

    return say


def check(bench, question, settings, say, over="dense"):
    def search(text, count):
        if over == "dense":
            return nearest(bench, text, count)
        found = outcome(bench, f"{over}(top_k={count})", text, None).ranking[:count]
        return [bench.index.passage(name) for name, _ in found]

    words = {True: "true", False: "false"}
    given = ",".join(
        f"{name}={words.get(value, value) if isinstance(value, bool) else value}"
        for name, value in {"over": over, **settings}.items()
    )
    found = outcome(bench, f"decomposition({given})", question, say)
    model = Model(say) if say else None
    ours = {"answered_all" if name == "answered" else name: v for name, v in settings.items()}
    wanted = reference(bench, question, model, search=search, **ours)
    assert_equal(found, wanted)
    return len(wanted.searches)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_in_a_random_world(world, settings):
    searches = set()
    for seed in range(3):
        for number in range(8):
            question = f"Who met no. #{number}? {sentence(drawn(seed, number))}"
            searches.add(check(world(seed), question, settings, script(number)))
        by_rules = f"Who was born first, {NAMES[seed]} or {NAMES[seed + 1]}?"
        check(world(seed), by_rules, settings, None)
    assert len(searches) > 1


def test_in_the_sample(sample):
    for number, query in enumerate(sample.index.questions[:4]):
        settings = SETTINGS[number]
        check(sample, query.text, settings, script(number))
        check(sample, query.text, settings, None)
        check(sample, query.text, settings, script(number), over="hybrid")
