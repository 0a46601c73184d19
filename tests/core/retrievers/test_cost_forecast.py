"""Nothing is paid without leave, and what will be is foreseen, whatever is wrapped round what."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from core.artefacts.lexical.postings import LEXICON
from core.artefacts.workbench import Workbench
from core.errors import LeaveMissing, LlmError
from core.models import rehearsal
from core.models.kept.replies import FILE, Replies
from core.models.llm import Llm
from core.models.money.forecast import Forecast
from core.models.oracle import Guess, Oracle
from core.models.prompt import Prompt, Reply
from core.retrievers import CARDS, MODEL_FREE, Spec, cost_forecast, make
from core.retrievers.base import Retriever
from core.retrievers.cost_forecast import forecast, forecast_all
from core.steps import Ranked
from tests.core.artefacts.demonstration import Demonstration, bench_on
from tests.core.five import QUESTION
from tests.core.wrappers import Doubting, Enough, Holding, Named, enough
from tests.llm.client import LEAVE
from tests.llm.replies import choose
from tests.llm.server import Answer, ChatServer, Request, endpoint

Q = QUESTION.text
WRAPPED = {
    "bare": lambda bench: make("hoprag-llm", bench, top_k=5),
    "named": lambda bench: Named(bench),
    "named twice": lambda bench: Named(bench, times=2),
    "held": lambda bench: Holding(bench, make("hoprag-llm", bench, top_k=5)),
    "held twice": lambda bench: Holding(bench, Holding(bench, make("hoprag-llm", bench, top_k=5))),
    "held by name": lambda bench: Holding(bench, Named(bench)),
}


def first(request: Request) -> Answer:
    """Follows the guess: the most similar edge, and never enough."""
    if request.data and "questions" in request.data:
        reply = {"reason": "", "verdict": "indirectly relevant", "follow": 1}
        return Answer(json.dumps(reply))
    return Answer('{"enough": false}')


@contextmanager
def unpaid(plain: Workbench, script=first, folder=None) -> Iterator[tuple[Workbench, ChatServer]]:
    """(a workbench whose model follows `script` and has no leave, its server)."""
    with ChatServer(script) as server:
        replies = Replies(folder or plain.index.path)
        oracle = Oracle(Llm(endpoint(server), retries=0), replies)
        yield plain.with_oracle(oracle), server
        replies.close()


def run(retriever: Retriever) -> Ranked:
    *_, end = retriever.retrieve(Q)
    assert isinstance(end, Ranked)
    return end


@pytest.mark.parametrize("wrap", WRAPPED)
def test_without_leave_nothing_is_called(workbench, wrap):
    with unpaid(workbench) as (bench, server):
        with pytest.raises(LeaveMissing, match="the cost was not approved"):
            run(WRAPPED[wrap](bench))
        assert server.requests == []


@pytest.mark.parametrize("script", [first, choose])
@pytest.mark.parametrize("wrap", WRAPPED)
def test_what_is_foreseen_is_what_is_then_called(workbench, wrap, script):
    with unpaid(workbench, script) as (bench, server):
        told = forecast(WRAPPED[wrap](bench), Q)
        assert server.requests == []
        assert not (workbench.index.path / FILE).exists()
        end = run(WRAPPED[wrap](bench.with_leave(LEAVE)))
        made = len(server.requests)
        assert 0 < told.calls <= made
        assert script is choose or made == told.likely
        assert (told.price, told.near) == (None, True)  # a server of this machine
        # All is kept now, and needs no leave.
        assert forecast(WRAPPED[wrap](bench), Q) == Forecast(0, kept=made)
        assert run(WRAPPED[wrap](bench)).hits == end.hits
        assert len(server.requests) == made


def test_a_retriever_that_holds_leave_of_its_own_is_rehearsed_all_the_same(workbench):
    with unpaid(workbench) as (bench, server):
        held = Holding(bench, make("hoprag-llm", bench.with_leave(LEAVE)))
        assert forecast(held, Q).calls > 0
        assert server.requests == []


@pytest.mark.parametrize("key", MODEL_FREE)
def test_who_asks_no_model_has_an_empty_forecast(standing, tmp_path, key):
    with unpaid(standing, folder=tmp_path) as (bench, server):
        for retriever in (
            make(key, bench),
            Named(bench, over=Spec(key)),
            Named(bench, 5, Spec(key), times=2),
        ):
            told = forecast(retriever, Q)
            assert (told, told.asks) == (Forecast(0), False)
        assert server.requests == []
    assert forecast(make(key, standing), Q) == Forecast(0)


@pytest.mark.parametrize("question", ["", " \n", "?!", "Где?"])
@pytest.mark.parametrize("key", CARDS)
def test_no_question_makes_it_fail(standing, tmp_path, key, question):
    with unpaid(standing, folder=tmp_path) as (bench, server):
        forecast(make(key, bench), question)
        assert server.requests == []


def test_the_guess_is_the_askers_own(workbench):
    guess = Guess(surely=Enough(enough=True), likely=Enough(enough=False))
    with unpaid(workbench) as (bench, server):
        told = forecast(Doubting(bench, guess), Q)
        assert (told.calls, told.likely) == (1, 3)
        run(Doubting(bench.with_leave(LEAVE), guess))
        assert len(server.requests) == 3
    with unpaid(workbench, folder=workbench.index.path / "other") as (bench, _):
        told = forecast(Doubting(bench), Q)  # an unknown reply is one that cannot be read
        assert (told.calls, told.likely) == (3, 3)


def test_kept_replies_show_the_way(workbench):
    guess = Guess(surely=Enough(enough=True), likely=Enough(enough=False))
    with unpaid(workbench) as (bench, _):
        run(Doubting(bench.with_leave(LEAVE), guess, rounds=2))
        told = forecast(Doubting(bench, guess, rounds=5), Q)
        assert (told.calls, told.likely, told.kept) == (1, 3, 2)


def test_what_the_model_has_replied_so_far_is_expected_and_the_guess_is_the_bound(workbench):
    """The model has always said that it is enough, where the guess is that it goes on."""
    guess = Guess(surely=Enough(enough=True), likely=Enough(enough=False))
    with unpaid(workbench) as (bench, _):
        assert forecast(Doubting(bench, guess, rounds=4), Q).likely == 4
        other = Prompt("doubt", "Is it enough?", "of another question", {})
        for number in range(5):
            reply = Reply('{"enough": true}', 100, 20)
            bench.oracle.replies.put(str(number), other, bench.oracle.llm.model, reply)
        told = forecast(Doubting(bench, guess, rounds=4), Q)
    assert (told.likely, round(told.tries.expected), told.tries.most) == (1, 1, 4 * 2)
    assert str(told).startswith("about 1 call (at most 8), ")


def test_a_guess_that_leads_in_a_circle_comes_to_an_end(workbench, monkeypatch):
    monkeypatch.setattr(rehearsal, "MOST", 60)
    with unpaid(workbench) as (bench, server):
        told = forecast(Doubting(bench, rounds=10**9), Q)
        assert told.likely == 60
        assert server.requests == []


def test_what_a_guess_breaks_has_told_what_it_asks_until_then(workbench):
    class Trusting(Doubting):
        def retrieve(self, query):
            said, _ = self.workbench.oracle.ask(Prompt("x", "x", "x", {}), enough)
            yield said.enough

    with unpaid(workbench) as (bench, _):
        assert forecast(Trusting(bench), Q).calls == 1


def test_a_call_past_the_oracle_is_refused_and_counted(workbench):
    class Past(Doubting):
        def retrieve(self, query):
            yield self.workbench.oracle.llm.complete(Prompt("x", "x", "x", {}), None)

    with unpaid(workbench) as (bench, server):
        assert forecast(Past(bench), Q).calls == 1
        with pytest.raises(LeaveMissing):
            list(Past(bench).retrieve(Q))
        assert server.requests == []


def test_leave_is_of_one_run_and_shares_what_is_computed(workbench):
    with unpaid(workbench) as (bench, server):
        allowed = bench.with_leave(LEAVE)
        run(make("hoprag-llm", allowed, n_hop=1))
        assert allowed.get(LEXICON) is bench.get(LEXICON)
        assert allowed.oracle.replies is bench.oracle.replies
        made = len(server.requests)
        with pytest.raises(LeaveMissing):
            list(make("hoprag-llm", bench).retrieve("Who married Ilo Venn?"))
        assert len(server.requests) == made
        assert allowed.with_leave(None).oracle.leave is None
    assert workbench.with_leave(LEAVE).oracle is None


def test_a_missing_leave_is_no_trouble_of_the_model():
    assert not issubclass(LeaveMissing, LlmError)


def test_a_rehearsal_makes_no_artefact(built, embedder):
    demonstration = Demonstration()

    @dataclass(frozen=True)
    class Needing(Doubting):
        def retrieve(self, query):
            self.workbench.get(demonstration.sentences)
            yield from super().retrieve(query)

    with unpaid(bench_on(built, embedder)) as (plain, _):
        bench = plain.with_leave(None)
        assert forecast(Needing(bench), Q) == Forecast(0)
    assert demonstration.made == {}
    assert bench_on(built, embedder).with_leave(LEAVE).get(demonstration.sentences).texts
    assert demonstration.made == {"sentences": 1}


def test_thoughts_go_on_as_the_substitute_does(workbench):
    with unpaid(workbench) as (bench, server):
        told = forecast(make("ircot", bench, thoughts=3, each=2), Q)
        assert (told.calls, told.likely) == (1, 3)
        assert server.requests == []


def test_of_many_questions_some_are_rehearsed_and_it_is_said(workbench, monkeypatch):
    about = ("club", "owner", "singer", "stadium", "town")
    asked = [f"Where was the {one} of the {other} born?" for one in about for other in about]
    with unpaid(workbench) as (bench, server):
        retriever = make("hoprag-llm", bench, top_k=5)
        exact = forecast_all([retriever], asked)
        assert exact.sample is None
        monkeypatch.setattr(cost_forecast, "REHEARSED", 10)
        told = forecast_all([retriever], asked)
        assert server.requests == []
    assert told == forecast_all([retriever], asked)
    assert told.sample
    assert (told.sample.rehearsed, told.sample.asked) == (10, 25)
    assert told.tries.expected == pytest.approx(exact.tries.expected, rel=0.5)
    assert exact.tries.most <= told.tries.most < 4 * exact.tries.most
    assert str(told).endswith("; estimated from 10 of 25 questions, drawn at random")
    free = forecast_all([make("bm25", workbench)], asked)
    assert (free.calls, free.sample) == (0, None)
