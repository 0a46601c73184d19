"""The client itself refuses to call without leave."""

from dataclasses import replace

import pytest

from core.errors import HopRagError, LeaveMissing, LlmError
from core.models.kept.replies import FILE, Replies
from core.models.leave import Leave
from core.models.llm import Llm
from core.models.money.metered import Meter, Metered
from core.models.oracle import Guess, Oracle
from core.models.rehearsal import MOST, Rehearsal
from core.progress import Spending
from tests.llm.client import LEAVE, PROMPT, good
from tests.llm.server import ChatServer, endpoint

GUESS = Guess(surely="none", likely="more")
OTHER = replace(PROMPT, user='{"a": 2}')


@pytest.mark.parametrize("leave", [None, "yes", True])
def test_no_client_calls_without_leave(leave):
    with ChatServer(good) as server:
        meter = Meter()
        for llm in (Llm(endpoint(server)), Metered(endpoint(server), meter)):
            with pytest.raises(LeaveMissing, match=r"cost was not approved"):
                llm.complete(PROMPT, leave)
            assert llm.complete(PROMPT, Leave("a test")).text
        assert len(server.requests) == 2
        assert meter.spending == Spending(1, 100, 20)


def test_a_retriever_does_not_take_it_for_a_trouble_of_the_model():
    assert issubclass(LeaveMissing, HopRagError)
    assert not issubclass(LeaveMissing, LlmError)


def test_without_leave_an_oracle_says_what_is_kept(tmp_path):
    with ChatServer(good) as server:
        unpaid = Oracle(Llm(endpoint(server)), Replies(tmp_path))
        with pytest.raises(LeaveMissing):
            unpaid.ask(PROMPT, str)
        with pytest.raises(LeaveMissing):
            list(unpaid.attempt_all([PROMPT, OTHER], str))
        assert unpaid.recall(PROMPT, str) is None
        assert server.requests == []
        assert unpaid.with_leave(LEAVE).ask(PROMPT, str)[0] == '{"ok": true}'
        assert unpaid.ask(PROMPT, str)[1].cached
        assert unpaid.leave is None
        assert len(server.requests) == 1


def test_a_rehearsal_answers_what_is_kept_and_guesses_the_rest(tmp_path):
    with ChatServer(good) as server:
        paid = Oracle(Llm(endpoint(server)), Replies(tmp_path), LEAVE)
        paid.ask(PROMPT, str)
        before = (tmp_path / FILE).read_bytes()
        for likely, guess in ((False, "none"), (True, "more")):
            rehearsal = Rehearsal(paid, likely=likely)
            asked = [PROMPT, OTHER, OTHER, PROMPT]
            # Whatever leave it is given.
            said = rehearsal.with_leave(LEAVE).attempt_all(asked, str, GUESS)
            values = [value for value, _ in said]
            assert values == ['{"ok": true}', guess, guess, '{"ok": true}']
            assert rehearsal.unasked == (OTHER,)
            assert rehearsal.kept == 1
            assert rehearsal.ask(OTHER, str)[0] is None
            assert rehearsal.ask(OTHER, str)[1].user == OTHER.user
        assert len(server.requests) == 1
        assert (tmp_path / FILE).read_bytes() == before


def test_a_rehearsal_comes_to_an_end(tmp_path):
    with ChatServer(good) as server:
        rehearsal = Rehearsal(Oracle(Llm(endpoint(server)), Replies(tmp_path)), likely=True)
        for _ in range(MOST):
            rehearsal.ask(PROMPT, str, GUESS)
        with pytest.raises(LeaveMissing, match="loop"):
            rehearsal.ask(PROMPT, str, GUESS)
        assert rehearsal.unasked == (PROMPT,)
        assert not (tmp_path / FILE).exists()
