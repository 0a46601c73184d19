import json
from pathlib import Path

import pytest

from core.model_servers import OPENAI
from core.models.diagnose import diagnose_limit
from core.models.llm import Llm
from core.models.prompt import Prompt
from core.models.server.limits import FILE, ReplyLimit, reply_limit, update_reply_limit
from core.settings import Endpoint, settings
from tests.llm.client import LEAVE
from tests.llm.server import Answer, ChatServer, Request, endpoint

PROMPT = Prompt("p", "Say yes.", "Now.", {"type": "object"}, longest=30, thinks=False)
WRITTEN = 600  # tokens of a reply that nothing limits


def writing(*reads: str) -> ChatServer:
    """A server that reads the limit in these fields, and ignores all others."""

    def answer(request: Request) -> Answer:
        if "sum" in request.system:
            return Answer(json.dumps({"sum": 42}))
        most = min((request.body[name] for name in reads if name in request.body), default=WRITTEN)
        written = min(most, WRITTEN)
        finish = "length" if written < WRITTEN else "stop"
        return Answer("1 2 3", tokens=(20, written), finish=finish)

    return ChatServer(answer)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOPRAG_HOME", str(tmp_path))
    settings.cache_clear()
    return tmp_path


@pytest.mark.parametrize(
    ("reads", "field", "calls"),
    [("max_tokens", "max_tokens", 1), ("max_completion_tokens",) * 2 + (2,)],
)
def test_the_connection_test_finds_the_field_that_a_server_reads(
    reads: str, field: str, calls: int
) -> None:
    with writing(reads) as server:
        assert diagnose_limit(endpoint(server), LEAVE).works
        assert len(server.requests) == calls
        Llm(endpoint(server)).complete(PROMPT, LEAVE)  # as another process would
        assert server.requests[-1].body[field] == 30
        assert reply_limit(endpoint(server)).is_kept


def test_a_server_that_ignores_every_limit_is_named_and_what_it_writes_is_reserved() -> None:
    with writing() as server:
        found = diagnose_limit(endpoint(server), LEAVE)
        assert not found.works
        assert "ignores the limit" in found.line
        assert f"{WRITTEN} tokens so far" in found.line
        assert Llm(endpoint(server)).longest(PROMPT) == WRITTEN
        assert Llm(endpoint(server, model="another")).longest(PROMPT) == 30


def test_a_reply_that_is_too_long_teaches_without_a_test() -> None:
    with writing("max_completion_tokens") as server:
        llm = Llm(endpoint(server))
        for _ in range(2):
            llm.complete(PROMPT, LEAVE)
        fields = [sorted(name for name in r.body if "tokens" in name) for r in server.requests]
        assert fields == [["max_tokens"], ["max_completion_tokens"]]
        assert llm.longest(PROMPT) == 30


def test_openai_is_asked_by_the_name_that_all_its_models_take() -> None:
    assert reply_limit(Endpoint("m", OPENAI)).field == "max_completion_tokens"
    assert reply_limit(Endpoint("m", "https://x.openai.azure.com/v1")).field != "max_tokens"
    assert reply_limit(Endpoint("m", "http://localhost:11434/v1")).field == "max_tokens"


def test_a_server_that_refuses_one_field_and_ignores_the_other_is_not_asked_by_turns() -> None:
    known = ReplyLimit().after_refusal("max_tokens")
    assert known.field == "max_completion_tokens"
    known = known.after_reply(known.field, 30, WRITTEN, cut=False)
    assert (known.field, known.longest) == ("max_completion_tokens", WRITTEN)


def test_what_is_kept_has_no_address_and_a_damaged_file_is_none(home: Path) -> None:
    secret = Endpoint("m", "http://user:password@host/v1", "sk-1234567890")
    update_reply_limit(secret, lambda known: known.after_refusal("max_tokens"))
    text = (home / FILE).read_text()
    assert not any(word in text for word in ("password", "host", "sk-"))
    assert reply_limit(secret).field == "max_completion_tokens"
    (home / FILE).write_text("{")
    assert reply_limit(secret) == ReplyLimit()


def test_without_a_home_it_is_found_out_by_each_process(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "file").write_text("")
    monkeypatch.setenv("HOPRAG_HOME", str(home / "file" / "home"))
    settings.cache_clear()
    one = Endpoint("m", "http://host/v1")
    update_reply_limit(one, lambda known: known.after_refusal("max_tokens"))
    assert reply_limit(one).field == "max_completion_tokens"
