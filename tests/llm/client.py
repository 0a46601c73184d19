"""Asking the scripted server by the real client."""

from typing import Any

import pytest

from core.errors import LlmError
from core.models.leave import Leave
from core.models.llm import Llm
from core.models.prompt import Prompt
from tests.llm.server import Answer, ChatServer, Request, endpoint

PROMPT = Prompt("test", "Answer.", '{"a": 1}', {"type": "object"})
KEY = "sk-1234567890"
LEAVE = Leave("a test")


def good(request: Request) -> Answer:
    return Answer('{"ok": true}')


def asked(server: ChatServer, key: str = KEY, **limits: Any) -> str:
    return Llm(endpoint(server, key=key), **limits).complete(PROMPT, LEAVE).text


def said(server: ChatServer, **limits: Any) -> str:
    """The error that asking ends in, which never has the key or the address."""
    with pytest.raises(LlmError) as caught:
        asked(server, **{"retries": 0, **limits})
    assert KEY not in str(caught.value)
    assert server.url not in str(caught.value)
    return str(caught.value)
