"""Whoever has a substitute for the model does without one, and says so."""

import json

import pytest

from core.artefacts.workbench import Workbench
from core.errors import LlmError
from core.models.kept.replies import Replies
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.playback import check
from core.retrievers import CARDS, Spec, make
from core.steps import Ranked, Step
from tests.core.five import QUESTION, silent
from tests.llm import faults
from tests.llm.client import LEAVE
from tests.llm.server import Answer, ChatServer, endpoint

SUBSTITUTED = tuple(key for key, card in CARDS.items() if card.asks_model and card.substitute)
GOOD = {
    "keep": [1],
    "thought": "Ilo Venn is a singer.",
    "answer": None,
    "names": ["Ilo Venn"],
    "evidence": "Ilo Venn is a singer.",
    "clues": [{"subject": "Ilo Venn", "predicate": "is a", "object": "?"}],
}
FAILING = {
    "500": faults.broken(),
    "too many": faults.too_many(0),
    "cut": faults.cut(GOOD),
    "a page": faults.page(),
    "refusing": faults.refusal(),
    "half": faults.half(GOOD),
    "wrong types": faults.wrong_types(GOOD),
    "garbage": Answer("\ud83d\x00}{][ not JSON"),
    "empty": Answer(""),
    "null": Answer("null"),
    "a list": Answer("[1, 2]"),
    "a huge number": Answer(json.dumps({**dict.fromkeys(GOOD, 1), "keep": [10**400]})),
    "deep": Answer('{"keep": ' + "[" * 3000 + "]" * 3000 + "}"),
}


def walked(key: str, bench: Workbench) -> tuple[Step, ...]:
    steps = tuple(make(key, bench).retrieve(QUESTION.text))
    check(steps)
    return steps


def test_there_are_such():
    assert {"ircot", "hipporag2"} <= set(SUBSTITUTED)


@pytest.mark.parametrize("key", SUBSTITUTED)
def test_without_a_model_the_trace_names_the_substitute(standing, key):
    steps = walked(key, standing)
    assert bool(steps[-1].hits) == CARDS[key].retrieves
    substitute = CARDS[key].substitute
    assert substitute in {said for step in steps for said in (step.told.reason, step.told.fallback)}
    assert {step.told.exchange for step in steps} == {None}
    assert {step.told.fallback for step in steps if not isinstance(step, Ranked)} <= {
        "",
        substitute,
    }


@pytest.mark.parametrize("fault", FAILING)
@pytest.mark.parametrize("key", SUBSTITUTED)
def test_a_model_that_fails_is_replaced_and_that_is_told(standing, tmp_path, key, fault):
    alone = walked(key, standing)  # opens what it stands on, made without a model
    with ChatServer(lambda _: FAILING[fault]) as server:
        oracle = Oracle(
            Llm(endpoint(server), retries=0), Replies(tmp_path / "r"), LEAVE, proven=True
        )
        steps = walked(key, standing.with_oracle(oracle))
        address = server.url.split("/")[2]
    assert server.requests
    assert steps[-1].hits == alone[-1].hits
    told = [step for step in steps if step.told.exchange]
    assert told
    cards = (one.card for one in Spec(key).all_of_it())  # its own, and of what it searches with
    substitutes = tuple(card.substitute for card in cards if card.substitute)
    for step in told:
        assert step.told.fallback.endswith(substitutes)
        assert step.told.exchange.trouble
        assert step.told.exchange.trouble in step.told.fallback
        assert address not in repr(step)


@pytest.mark.parametrize("key", SUBSTITUTED)
def test_an_oracle_that_raises_what_is_no_fault_of_the_model_is_not_silenced(workbench, key):
    class Broken(Oracle):
        def ask(self, *_):
            raise ZeroDivisionError

    oracle = Broken(_Named(), Replies(workbench.index.path))
    bench = Workbench(workbench.index, workbench.embedder, oracle, making=silent)
    with pytest.raises(ZeroDivisionError):
        walked(key, bench)


class _Named:
    model = "m"
    at_once = 1

    def complete(self, *_):
        raise LlmError
