"""Custom retrievers as an operator names them."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import httpx
import pytest

from core.retrievers.custom import registered
from core.settings import settings

Name = Callable[..., None]


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> Iterator[Name]:
    """Sets HOPRAG_RETRIEVERS to some places."""

    def name(*places: str | Path, seconds: float = 10) -> None:
        monkeypatch.setenv("HOPRAG_RETRIEVERS", os.pathsep.join(map(str, places)))
        monkeypatch.setenv("HOPRAG_RETRIEVER_SECONDS", str(seconds))
        forget()

    def forget() -> None:
        for client in clients:
            client.close()
        settings.cache_clear()
        registered.sources.cache_clear()
        registered.installed.cache_clear()

    clients: list[httpx.Client] = []
    made = httpx.Client.__init__

    def noted(self: httpx.Client, *args: Any, **more: Any) -> None:
        clients.append(self)
        made(self, *args, **more)

    monkeypatch.setattr(httpx.Client, "__init__", noted)
    yield name
    monkeypatch.undo()
    forget()


@pytest.fixture
def write(tmp_path: Path, named: Name) -> Callable[..., Path]:
    """Writes a file of a retriever, `mine.py`, and names it."""

    def written(code: str, seconds: float = 10) -> Path:
        path = tmp_path / "mine.py"
        path.write_text(dedent(code))
        named(path, seconds=seconds)
        return path

    return written
