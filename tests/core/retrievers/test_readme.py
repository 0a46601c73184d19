"""The page for who adds a retriever: its example works, and what breaks a promise is refused."""

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

import core.retrievers
from core.playback import check, columns, drawn_lines, frame, labels
from core.retrievers import registry
from core.steps import (
    ROOT,
    Arrival,
    Asked,
    Began,
    Offer,
    Offered,
    Pooled,
    Ranked,
    Said,
    Spread,
    Step,
    Thing,
    Tie,
)
from core.store.artefact_tables import shelved
from core.text.sentences import sentences
from core.traces import dump, load, record
from core.types import Hit, Part
from core.walkthroughs.making import make_walkthrough
from tests.core.five import QUESTION

PAGE = (Path(core.retrievers.__file__).parent / "README.md").read_text(encoding="utf-8")
CODE = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[0]
MODULE = "core.retrievers.sentences"


@pytest.fixture
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The example lies where retrievers are found, and nowhere in the repository."""
    folder = tmp_path / "more"
    folder.mkdir()
    (folder / "sentences.py").write_text(CODE, encoding="utf-8")
    monkeypatch.setattr(core.retrievers, "__path__", [*core.retrievers.__path__, str(folder)])
    registry.built_in.cache_clear()
    yield
    sys.modules.pop(MODULE, None)
    vars(core.retrievers).pop("sentences", None)
    monkeypatch.undo()
    registry.built_in.cache_clear()


def test_the_example_keeps_the_contract_and_is_shown(added, workbench):
    assert core.retrievers.CARDS["by-sentences"].title == "Sentences"
    retriever = core.retrievers.make("by-sentences(read=4)", workbench)
    trace = record(retriever, QUESTION.text, workbench.index)
    assert load(dump(trace)) == trace
    assert (trace.retriever, trace.steps[0].settings) == ("by-sentences(read=4)", {"read": 4})
    steps = trace.steps
    assert all(stop["headline"] for stop in make_walkthrough(trace)["stops"])
    assert len(labels(steps)) >= 2
    last = frame(steps, len(steps))
    assert last.hits == steps[-1].hits
    assert {line.source for line in drawn_lines(steps)} == {o.target for o in steps[1].offers}
    assert last.roles.keys() <= columns(steps).of.keys()
    assert {"sentences"} <= set(shelved(workbench.index.path))


def test_the_example_ranks_by_the_best_sentence(added, workbench):
    end = list(core.retrievers.make("by-sentences", workbench).retrieve(QUESTION.text))[-1]
    asked = workbench.embedder.encode([QUESTION.text])[0]
    for hit in end.hits:
        text = workbench.index.passage(hit.passage_id).text
        best = max(workbench.embedder.encode(sentences(text)) @ asked)
        assert hit.score == pytest.approx(float(best), abs=1e-6)


@pytest.mark.parametrize("question", ["?!", "a", "word " * 2000, "' OR 1=1 --"])
def test_the_example_answers_any_question(added, workbench, question):
    check(tuple(core.retrievers.make("by-sentences", workbench).retrieve(question)))


def test_the_example_is_found_no_more(workbench):
    assert "by-sentences" not in core.retrievers.CARDS


def test_the_example_is_short():
    behind_imports = CODE.partition("\n\n\n")[2].splitlines()
    assert len(behind_imports) < 60
    assert max(map(len, CODE.splitlines())) <= 100


def test_the_table_of_steps_is_whole():
    rows = re.findall(r"^\| `(\w+)\(", PAGE, re.MULTILINE)
    assert rows == [step.__name__ for step in get_args(Step)]


ASKED, END = Asked("x", "q", 2), Ranked((Hit("a", 1.0),))
SEEN = Offered(ROOT, "passages", (Offer("a", 1.0, taken=True),))
START = Offered(ROOT, "passages", (Offer("a", 1.0, taken=True),), (Arrival("a", ()),), entry=True)
AT_A = Offered("a", "edges", (Offer("b", 1.0, taken=True, tie="e"),), (Arrival("b", (), "e"),))
INNER = replace(ASKED, id="#1")
BOTH = (Offer("b", 1.0, taken=True, tie="e"), Offer("c", 0.5, taken=True, tie="f"))
CAME = (Arrival("b", (), "e"), Arrival("c", (), "f"))

KEPT = {
    "an inner retrieval": (ASKED, INNER, END, END),
    "a walk": (ASKED, START, Began("hop", 1, ("a",)), AT_A, END),
    "what was asked": (ASKED, Said("s", ROOT, "hm"), END),
    "what was brought": (ASKED, Said("s", "t", "hm", things=(Thing("t", "fact", "t"),)), END),
    "what was on offer": (ASKED, SEEN, Said("s", "a", "hm"), END),
    "what was ranked": (ASKED, INNER, END, Said("s", "a", "hm"), END),
    "a stage among rounds": (ASKED, Began("hop", 1), Began("merge", 0), Began("hop", 2), END),
    "rounds of two names": (ASKED, Began("hop", 1), Began("turn", 1), Began("hop", 2), END),
}
BROKEN: dict[str, dict[str, tuple[Step, ...]]] = {
    "brackets nest": {
        "left open": (ASKED, INNER, END),
        "nothing": (),
        "behind its end": (ASKED, END, SEEN),
        "no beginning": (SEEN, ASKED, END),
        "no end": (ASKED, SEEN),
        "asked twice": (ASKED, ASKED, END, END),
        "asked twice later": (ASKED, INNER, END, INNER, END, END),
    },
    "a node is known": {
        "said about nothing": (ASKED, Said("s", "a", "hm"), END),
        "rests on nothing": (ASKED, Said("s", ROOT, "hm", rests_on=("a",)), END),
        "closes nothing": (ASKED, Said("s", ROOT, "hm", closes=("#1",)), END),
        "a place": (ASKED, replace(SEEN, at="a"), END),
        "a parent": (ASKED, replace(INNER, parents=("a",)), END, END),
        "in the queue": (ASKED, Began("hop", 1, ("a",)), END),
        "a line": (ASKED, Said("s", ROOT, "hm", ties=(Tie("t", ROOT, "a"),)), END),
    },
    "rounds count": {
        "a stage twice": (ASKED, Began("merge", 0), Began("merge", 0), END),
        "a stage with a queue": (ASKED, START, Began("merge", 0, ("a",)), AT_A, END),
        "from 2": (ASKED, Began("hop", 2), END),
        "twice 1": (ASKED, Began("hop", 1), Began("hop", 1), END),
        "taken twice": (ASKED, START, Began("hop", 1, ("a",)), AT_A, replace(AT_A, offers=()), END),
        "waits twice": (ASKED, START, Began("hop", 1, ("a", "a")), END),
        "not in the queue": (
            ASKED,
            START,
            AT_A,
            Began("hop", 1, ("a",)),
            replace(AT_A, at="b"),
            END,
        ),
    },
    "what a walk takes": {
        "none arrives": (ASKED, START, Began("hop", 1, ("a",)), replace(AT_A, arrivals=()), END),
        "in another order": (
            ASKED,
            START,
            Began("hop", 1, ("a",)),
            replace(AT_A, offers=BOTH, arrivals=CAME[::-1]),
            END,
        ),
        "an entry without": (ASKED, replace(START, arrivals=()), END),
        "on offer twice": (ASKED, replace(SEEN, offers=SEEN.offers * 2), END),
    },
    "scores are finite": {
        "nan": (ASKED, Ranked((Hit("a", float("nan")),))),
        "infinite": (ASKED, replace(SEEN, offers=(Offer("a", float("inf")),)), END),
        "no sum": (ASKED, Ranked((Hit("a", 1.0, (Part("x", 0.5),)),))),
        "no sum on offer": (
            ASKED,
            replace(SEEN, offers=(Offer("a", 1.0, (Part("x", 0.5),)),)),
            END,
        ),
        "pooled": (ASKED, Pooled(("x",), (Hit("a", 1.0, (Part("x", 0.5),)),)), END),
        "spread worst first": (ASKED, Spread("x", (Hit("a", 0.1), Hit("b", 0.2))), END),
        "moved": (ASKED, Spread("x", (Hit("a", 0.1),), float("nan")), END),
    },
    "a bracket keeps": {
        "three of two": (ASKED, Ranked(tuple(Hit(name, 1.0) for name in "abc"))),
        "three of two inside": (
            replace(ASKED, top_k=9),
            INNER,
            Ranked(tuple(Hit(name, 1.0) for name in "abc")),
            END,
        ),
        "twice": (ASKED, Ranked((Hit("a", 1.0), Hit("a", 1.0)))),
        "kept and cut": (ASKED, Ranked((Hit("a", 1.0),), (Hit("a", 1.0),))),
    },
}


def promises() -> list[str]:
    section = PAGE.partition("## What the contract promises")[2].partition("\n## ")[0]
    return re.findall(r"^- (.*)", section, re.MULTILINE)


def test_each_promise_has_broken_examples():
    told = promises()
    assert len(told) == len(BROKEN)
    assert all(line.startswith(begins) for line, begins in zip(told, BROKEN, strict=True))


@pytest.mark.parametrize("kept", KEPT)
def test_what_keeps_the_promises_is_taken(kept):
    check(KEPT[kept])


@pytest.mark.parametrize(
    ("promise", "example"), [(p, example) for p, each in BROKEN.items() for example in each]
)
def test_what_breaks_a_promise_is_refused(promise, example):
    with pytest.raises(ValueError, match=r"^step [0-9]+: "):
        check(BROKEN[promise][example])
