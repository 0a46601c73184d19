"""Thought and search in turn, by a scripted model and by the substitute."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.artefacts.workbench import Workbench
from core.difference.side import make_side
from core.funnel.fates import fates
from core.indexing.updates import build
from core.models.kept.replies import Replies
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.playback import check
from core.retrievers import make
from core.retrievers.cost_forecast import forecast
from core.retrievers.ircot import Ircot, _Context
from core.steps import Asked, Began, Offered, Pooled, Said, Step
from core.text.sentences import sentences
from core.traces import record
from core.types import Document, Passage
from tests.core.artefacts.demonstration import bench_on
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION, TEXTS, corpus, silent
from tests.llm.client import LEAVE
from tests.llm.server import Answer, ChatServer, Request, endpoint

Q = QUESTION.text


@contextmanager
def saying(bench: Workbench, *thoughts: Any) -> Iterator[tuple[Workbench, ChatServer]]:
    """(a workbench whose model says `thoughts` in turn, the last one for ever; its server)."""

    def answer(request: Request) -> Answer:
        said = thoughts[min(len(request.data["thoughts"]), len(thoughts) - 1)]
        reply = {"thought": said, "answer": None} if isinstance(said, str) else said
        return Answer(json.dumps(reply))

    with ChatServer(answer) as server:
        replies = Replies(bench.index.path)
        oracle = Oracle(Llm(endpoint(server), retries=0), replies, LEAVE)
        yield Workbench(bench.index, bench.embedder, oracle, making=silent), server
        replies.close()


def walked(bench: Workbench, spec: str = "ircot(each=1)") -> tuple[Step, ...]:
    steps = tuple(make(spec, bench).retrieve(Q))
    check(steps)
    return steps


def sent(steps: Sequence[Step]) -> list[str]:
    return [step.query for step in steps if isinstance(step, Asked)][1:]


def said(steps: Sequence[Step]) -> list[Said]:
    return [step for step in steps if isinstance(step, Said)]


def kinds(steps: Sequence[Step]) -> list[str]:
    return [type(step).__name__ for step in steps]


def test_thoughts_alternate_with_searches(workbench):
    thoughts = ("Mara Quist is a brewer.", "Ilo Venn sang.", "So the answer is Port Selby.")
    with saying(workbench, *thoughts) as (bench, server):
        steps = walked(bench)
    turn = ["Began", "Asked", "Ranked", "Offered", "Pooled", "Said"]
    assert kinds(steps) == ["Asked", *turn * 3, "Ranked"]
    assert sent(steps) == [Q, *thoughts[:2]]
    assert [step.text for step in said(steps)] == list(thoughts)
    assert [step.number for step in steps if isinstance(step, Began)] == [1, 2, 3]
    parents = [step.parents for step in steps if isinstance(step, Asked)]
    assert parents == [(), ("#",), ("#1",), ("#2",)]
    assert [step.by for step in said(steps)] == ["reasoner"] * 3
    assert [r.data["thoughts"] for r in server.requests] == [[], [*thoughts[:1]], [*thoughts[:2]]]
    assert [len(r.data["paragraphs"]) for r in server.requests] == [1, 2, 3]
    assert [step.told.cost.calls for step in said(steps)] == [1, 1, 1]
    found = [hit.passage_id for hit in steps[-1].hits]
    assert found == ["club", "owner", "singer"]
    assert [hit.score for hit in steps[-1].hits] == pytest.approx([1, 1 / 2, 1 / 3])
    lists = [[h.passage_id for h in s.hits] for s in steps if isinstance(s, Pooled)]
    assert lists == [found[:1], found[:2], found]


@pytest.mark.parametrize(
    ("thought", "words"),
    [
        ("Who is Mara Quist, and where was she born?", "is Mara Quist, and was she born?"),
        ("WHICH  town\tis it", "town is it"),
        ("Somewhat whole whys", "Somewhat whole whys"),
        ("Who? What?", "? ?"),
        ("what", "what"),
    ],
)
def test_what_is_sent_is_the_thought_without_question_words(workbench, thought, words):
    first = sentences(thought)[0]
    with saying(workbench, thought) as (bench, _):
        steps = walked(bench)
    assert said(steps)[0].text == first
    assert sent(steps)[1] == (words if first == thought else "?")


def test_a_sentence_of_a_passage_is_sent_as_it_is(workbench, monkeypatch):
    monkeypatch.setattr("core.retrievers.ircot.sentences", lambda _: ["A blower who makes fruit."])
    assert sent(walked(workbench))[1] == "A blower who makes fruit."


@pytest.mark.parametrize("start", ["So", "thus,", "Therefore", "hence", "That is,"])
def test_a_conclusion_is_searched_with_and_not_gone_on_from(workbench, start):
    told = f"{start} Mara Quist is a brewer."
    with saying(workbench, told) as (bench, server):
        steps = walked(bench, "ircot(each=1,thoughts=2)")
    assert sent(steps) == [Q, told]
    assert [request.data["thoughts"] for request in server.requests] == [[], []]


ENDS = {
    "the thought gives the answer": ("So the Answer IS: Port Selby.", "ircot(each=1)", 1),
    "no new passage was found": ("Harbour Rovers.", "ircot(each=1)", 2),
    "the limit of 1 passage is reached": ("Mara Quist.", "ircot(each=1,room=1)", 1),
    "the limit on thoughts is reached": ("Mara Quist.", "ircot(each=1,thoughts=1)", 1),
}


@pytest.mark.parametrize("ends", ENDS)
def test_each_reason_to_stop(workbench, ends):
    thought, spec, searches = ENDS[ends]
    with saying(workbench, thought) as (bench, server):
        steps = walked(bench, spec)
    assert said(steps)[-1].ends == ends
    assert {step.ends for step in said(steps)[:-1]} <= {""}
    assert len(sent(steps)) == searches
    if ends == "the limit of 1 passage is reached":
        assert server.requests == []


def test_an_answer_ends_it_whatever_the_thought_says(workbench):
    with saying(workbench, {"thought": "Mara Quist.", "answer": "Port Selby"}) as (bench, _):
        steps = walked(bench)
    assert said(steps)[-1].ends == "the thought gives the answer"
    with saying(workbench, {"thought": "", "answer": "Port Selby"}) as (bench, _):
        assert said(walked(bench, "ircot(each=2)"))[-1].ends == "the thought gives the answer"
    with saying(workbench, {"thought": "Mara Quist.", "answer": ""}) as (bench, _):
        assert said(walked(bench, "ircot(each=3)"))[0].ends == ""


@pytest.mark.parametrize("thought", ["", "   ", "\n"])
@pytest.mark.parametrize("answer", [None, "", " "])
def test_a_blank_thought_without_an_answer_ends_nothing(workbench, thought, answer):
    with saying(workbench, {"thought": thought, "answer": answer}) as (bench, _):
        first, *_, last = said(walked(bench))
    assert first is not last
    assert first.by == "rules (reasoner)"
    assert "neither a thought nor an answer" in first.told.fallback


def test_what_is_almost_the_same_and_what_has_no_room_is_left_out(tmp_path):
    text = "Harbour Rovers is a football club in a town by the sea with an old harbour wall."
    documents = (
        Document("a", "Harbour Rovers", text),
        Document("b", "Harbour Rovers", text.replace("old", "old old")),
        Document("c", "Harbour Rovers", text.replace("football", "rugby").replace("sea", "river")),
        Document("d", "Harbour Rovers", "Harbour Rovers won."),
        Document("e", "Nothing", "It has no word of that."),
    )
    embedder = WordEmbedder()
    build(tmp_path / "i", corpus(*documents), embedder, silent)
    bench = bench_on(tmp_path / "i", embedder)
    steps = walked(bench, "ircot(each=5,room=2,over=dense,thoughts=1)")
    offered = next(step for step in steps if isinstance(step, Offered) and step.of == "passages")
    order = [offer.target for offer in offered.offers]
    notes = {offer.target: dict(offer.notes).get("left out:", "") for offer in offered.offers}
    first_of_pair = min(order.index("a"), order.index("b"))
    second = order[max(order.index("a"), order.index("b"))]
    taken = [offer.target for offer in offered.taken]
    assert len(taken) == 2
    assert not {"a", "b"} <= set(taken)
    if first_of_pair == 0:
        assert notes[second] in (
            "nearly the same text is already retrieved",
            "the limit of 2 passages is reached",
        )
    assert "the limit of 2 passages is reached" in notes.values()
    assert [hit.passage_id for hit in steps[-1].hits] == taken
    assert said(steps)[-1].ends == "the limit of 2 passages is reached"


def test_what_was_found_before_is_there_already(workbench):
    with saying(workbench, "Harbour Rovers, Mara Quist.") as (bench, _):
        steps = walked(bench, "ircot(each=2)")
    second = [s for s in steps if isinstance(s, Offered) and s.of == "passages"][1]
    assert dict(second.offers[0].notes) == {"left out:": "already retrieved"}


def test_the_substitute_says_the_sentence_that_is_new_and_near(workbench):
    steps = walked(workbench)
    assert {step.by for step in said(steps)} <= {"rules (reasoner)", "rules"}
    known = {s: key for key, (_, text) in TEXTS.items() for s in sentences(text)}
    thoughts = [step for step in said(steps) if step.told.reason]
    done: list[str] = []
    for number, step in enumerate(thoughts, start=1):
        assert step.text in known
        assert step.text not in done
        new = [o for s in steps if isinstance(s, Offered) and s.at == f"#{number}" for o in s.taken]
        told = [s for offer in new for s in sentences(TEXTS[offer.target][1]) if s not in done]

        def worth(sentence, done=tuple(done)):
            asked, own, *others = workbench.embedder.encode([Q, sentence, *done])
            return asked @ own - max((own @ other for other in others), default=0)

        assert worth(step.text) == pytest.approx(max(map(worth, told)), abs=1e-6)
        assert step.rests_on == (known[step.text],)
        done.append(step.text)


def test_the_substitute_keeps_away_from_the_nearest_of_its_thoughts():
    near, new = "Alpha went north with them.", "Beta came south alone."
    vectors = {
        "Who?": (1, 0, 0, 0),
        "First.": (0, 1, 0, 0),
        "Second.": (0, 0, 1, 0),
        near: (0.8, 0.6, 0, 0),  # 0.8 like the question, 0.6 like the first thought: 0.2
        new: (0.6, 0, 0, 0.8),  # 0.6 like the question, like no thought: 0.6
    }
    embedder = SimpleNamespace(encode=lambda texts: np.array([vectors[text] for text in texts]))
    context = _Context("Who?", room=5, thoughts=["First.", "Second."])
    ircot = Ircot(SimpleNamespace(embedder=embedder))
    thought = ircot._substitute(context, [Passage("p", "d", 0, "P", f"{near} {new}")])
    assert thought.thought == new


PAGE = "<html><body onload=x()>" + "<p>Mara Quist **is** | a brewer " * 2000 + "</body>"
HOSTILE = {
    "a page": PAGE,
    "html": '<script>alert("x")</script> <b>Mara Quist</b>',
    "control": "Mara\x00 Quist\x1b[2J \ud800\u202e is\r\nhere",
    "query syntax": "\"] } ' OR 1=1 -- title:(Mara AND *^9",
    "blank": " \n\t ",
    "signs": "?!",
    "surrogate": "\ud800",
    "an id": "#1",
    "long word": "x" * 100_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_thoughts_are_text(workbench, name):
    from core.traces import dump, load, record

    with saying(workbench, HOSTILE[name]) as (bench, _):
        trace = record(make("ircot(each=1)", bench), Q, bench.index)
    assert load(dump(trace)) == trace
    assert said(trace.steps)[-1].ends
    for step in said(trace.steps):
        assert "\x00" not in step.text
        assert "\ud800" not in step.text
        assert len(step.text) <= 4_000
    assert trace.steps[-1].hits


def test_a_retriever_that_finds_nothing(workbench):
    steps = tuple(make("ircot", workbench).retrieve("zzzz qqqq"))
    check(steps)
    assert steps[-1].hits == ()
    assert said(steps)[-1].ends == "no new passage was found"


@pytest.mark.parametrize("over", ["dense", "rerank(over=bm25)", "hipporag2", "ircot(over=dense)"])
def test_any_retriever_can_be_searched_with(workbench, over):
    steps = walked(workbench, f"ircot(over={over},each=2)")
    assert steps[-1].hits


def test_it_is_foreseen_that_a_thought_is_asked_for(workbench):
    with saying(workbench, "Mara Quist is a brewer.", "Ilo Venn sang.") as (bench, server):
        told = forecast(make("ircot(each=1)", bench), Q)
        assert server.requests == []
        assert 1 <= told.calls <= told.likely
        walked(bench)
        assert told.calls <= len(server.requests)


def test_what_has_no_room_says_so_and_no_line_leads_to_it_as_if_it_were_taken(workbench):
    bench = workbench.with_embedded([Q])
    spec = "ircot(each=5,room=2,thoughts=1,over=dense)"
    trace = record(make(spec, bench), Q, bench.index)
    offered = next(step for step in trace.steps if isinstance(step, Offered) and not step.entry)
    left = [offer for offer in offered.offers if not offer.taken]
    assert left
    assert all(offer.why for offer in left)
    refused = fates(trace.steps, [left[-1].target], bench.index)[0]
    assert refused.brief.startswith("not followed; the limit of 2 passages")
    lines = make_side(trace, {}).plot.cast.lines
    assert not {line.target for line in lines if line.taken} & {offer.target for offer in left}
