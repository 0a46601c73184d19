"""Texts of a corpus are data, whatever they are."""

import json

import pytest
from hypothesis import given, settings

from core.steps import Arrival, Asked, Began, Offer, Offered, Ranked, Said, Told
from core.traces import Trace
from core.types import Edge, Hit, Part, Passage
from core.walkthroughs.making import make_walkthrough
from tests.core.walks import traces

HOSTILE = (
    "constructor", "__proto__", "</script><b>", "<!--", "half \ud800 of a pair", "\u202eלאומי",
    "line\nline", "", "#", "0", "{{x}}", "'\"\\",
)  # fmt: skip
PART = (Part("</i>", 0.5),)


def hostile(text):
    """A walk from one passage to another, with `text` wherever a corpus or a model may say it."""
    one, two, line = text or "one", f"{text} 2", f"{text} line"
    edge = Edge(line, one, two, "o", "i", text, (text,), 0.5, 0.5, 0.5)
    offer = Offer(two, 0.5, PART, True, tie=line, label=text, notes=((text, text),))
    steps = (
        Asked("any", text, 2, (text,)),
        Offered(
            "#", text or "x", (Offer(one, 0.5, PART, True),), (Arrival(one, PART),), entry=True
        ),
        Began(text, 1, (one,)),
        Offered(one, "edges", (offer,), (Arrival(two, PART, line),), told=Told(reason=text)),
        Said(text, "#", text, closes=("#",), rests_on=(one,), ends=text),
        Ranked((Hit(two, 0.5, PART),), (Hit(one, 0.4, PART),)),
    )
    passages = {name: Passage(name, text, 0, text, text) for name in (one, two)}
    return Trace(text, text, text, text, steps, passages, {line: edge}, (text, two), "2026-01-01")


def told(trace):
    """The walkthrough of a trace, of which every text is plain JSON."""
    return json.loads(json.dumps(make_walkthrough(trace), allow_nan=False))


@pytest.mark.parametrize("text", [t for t in HOSTILE if t != "#"])
def test_any_text_survives(text):
    trace = hostile(text)
    made = told(trace)
    assert trace.passages.keys() <= made["nodes"].keys()
    assert made["query"] == text
    assert [one["text"] for one in made["statements"]] == [text]


@settings(max_examples=40, deadline=None)
@given(traces())
def test_any_trace_is_a_walkthrough_of_plain_json(trace):
    made = told(trace)
    assert made["stops"][made["every"][-2]]["t"] == len(trace.steps)
