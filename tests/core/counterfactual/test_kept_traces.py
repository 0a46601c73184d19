"""Traces of amended walks, as files: they say so, and hostile ones are refused."""

import json

import pytest

from core.counterfactual import parse
from core.errors import InputError
from core.retrievers import make
from core.traces import dump, load, record
from tests.core.five import QUESTION

AMENDED = parse("start(town),take(e@nowhere)")


@pytest.fixture
def lines(workbench):
    retriever = make("rerank(over=hoprag-similarity,depth=2)", workbench.amended(AMENDED))
    trace = record(retriever, QUESTION.text, workbench.index)
    assert load(dump(trace)) == trace
    assert trace.amendments == AMENDED
    return [json.loads(line) for line in dump(trace).splitlines()]


def refused(lines):
    with pytest.raises(InputError) as caught:
        load("\n".join(map(json.dumps, lines)))
    return str(caught.value)


def test_its_first_line_says_what_was_chosen_by_hand(lines, workbench):
    assert lines[0]["amendments"] == ["start(town)", "take(e@nowhere)"]
    plain = record(make("hoprag-similarity", workbench), QUESTION.text, workbench.index)
    assert plain.amendments == ()
    assert json.loads(dump(plain).splitlines()[0])["amendments"] == []


def test_a_file_cannot_pass_for_a_plain_one(lines):
    for value in ([], ["start(town)"], ["take(e@nowhere)", "start(town)"]):
        assert "disagree about manual choices" in refused(
            [{**lines[0], "amendments": value}, *lines[1:]]
        )
    without = {name: value for name, value in lines[0].items() if name != "amendments"}
    assert "disagree about manual choices" in refused([without, *lines[1:]])


def test_a_step_is_not_changed_by_what_nobody_asked_for(lines):
    changed = [one["offered"]["told"] for one in lines if "offered" in one]
    (told,) = [told for told in changed if told["by_hand"]]
    told["by_hand"] = ["start(owner)"]
    assert "it has a manual choice that Asked.amendments lacks" in refused(lines)


def test_what_is_no_amendment_is_refused(lines):
    for line in lines:
        if "asked" in line:
            line["asked"]["amendments"] = ["<img src=x>"]
        if "offered" in line:
            line["offered"]["told"]["by_hand"] = []
    assert "is not a change to a walk" in refused(lines)
