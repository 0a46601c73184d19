"""A scripted model that is configured as a user would."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from core.settings import settings
from tests.llm.server import MODEL, Answer, ChatServer, Request


@contextmanager
def configured(
    answer: Callable[[Request], Answer], monkeypatch: pytest.MonkeyPatch, **more: str
) -> Iterator[ChatServer]:
    """A server that answers, and is set in the environment with whatever `more` sets there."""
    with ChatServer(answer) as running:
        for name, value in {"HOPRAG_LLM": MODEL, "HOPRAG_LLM_URL": running.url, **more}.items():
            monkeypatch.setenv(name, value)
        settings.cache_clear()
        yield running
    settings.cache_clear()
