"""Texts of a corpus are data, whatever they are."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings

from core.film import make_film
from core.steps import Arrival, Asked, Began, Offer, Offered, Ranked, Said, Told
from core.traces import Trace
from core.types import Edge, Hit, Part, Passage
from tests.core.film.decoding import unpacked
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


@pytest.mark.parametrize("text", [t for t in HOSTILE if t != "#"])
def test_any_text_survives(text):
    trace = hostile(text)
    film = json.loads(json.dumps(make_film(trace)))
    assert film == json.loads(json.dumps(film))
    assert {node["id"] for node in film["nodes"]} == trace.passages.keys()
    assert film["query"] == text
    for now in unpacked(film, "event"):
        assert all(number.isdigit() for number in (*now["nodes"], *now["lines"], *now["gold"]))
    assert unpacked(film, "event")[-1]["answers"] == ({"0": text} if text else {})


@settings(max_examples=40, deadline=None)
@given(traces())
def test_any_trace_is_a_film_of_plain_json(trace):
    film = make_film(trace)
    text = json.dumps(film, allow_nan=False)
    for grain, _ in film["grains"]:
        assert unpacked(json.loads(text), grain)[-1]["t"] == len(trace.steps)


def test_long_texts_are_cropped():
    long = "x" * 100_000
    trace = hostile("one")
    passages = {n: replace(p, title=long, text=long) for n, p in trace.passages.items()}
    steps = tuple(
        replace(step, offers=tuple(replace(o, label=long) for o in step.offers))
        if isinstance(step, Offered)
        else step
        for step in trace.steps
    )
    film = make_film(replace(trace, passages=passages, steps=steps))
    assert len(json.dumps(film)) < 130_000
    assert max(len(node["text"]) for node in film["nodes"]) <= 900
    assert max(len(node["label"]) for node in film["nodes"]) <= 120
