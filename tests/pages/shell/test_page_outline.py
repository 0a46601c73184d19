"""What is written into the page that Streamlit serves first."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import streamlit

from core.settings import ASSETS
from pages.components.shell.visitors.page_outline import First, outlined

PAGE = Path(streamlit.__file__).with_name("static").joinpath("index.html").read_bytes()
ASKS = ((b"accept", b"text/html,*/*"), (b"accept-encoding", b"gzip"), (b"if-none-match", b"x"))


def through(body: bytes, kind: bytes, asks: Any = ASKS) -> tuple[Any, dict[bytes, bytes], bytes]:
    """What the application was asked, and the headers and the body of what was sent back."""
    asked: list[Any] = []
    sent: list[Any] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        asked.append(dict(scope["headers"]))
        headers = [(b"content-type", kind), (b"content-length", b"1"), (b"etag", b"x")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body[:9], "more_body": True})
        await send({"type": "http.response.body", "body": body[9:]})

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/", "headers": asks}
    with ThreadPoolExecutor(1) as own:
        own.submit(lambda: asyncio.run(First(application)(scope, None, send))).result()  # type: ignore[arg-type]
    headers = dict(sent[0]["headers"])
    return asked[0], headers, b"".join(message["body"] for message in sent[1:])


def test_the_page_has_its_outline_and_its_name() -> None:
    asked, headers, body = through(PAGE, b"text/html; charset=utf-8")
    assert asked == {b"accept": b"text/html,*/*"}
    assert headers[b"content-length"] == str(len(body)).encode()
    assert b"etag" not in headers
    assert body == outlined(PAGE)
    assert body.index(b'id="first"') < body.index(b'<div id="root"></div>')
    assert b"<title>HopRAG Explorer</title>" in body


@pytest.mark.parametrize(
    ("kind", "asks"), [(b"text/html", ((b"accept", b"*/*"),)), (b"text/css", ASKS)]
)
def test_everything_else_passes_as_it_is(kind: bytes, asks: Any) -> None:
    _, headers, body = through(PAGE, kind, asks)
    assert (headers[b"etag"], body) == (b"x", PAGE)


def test_the_outline_has_the_colours_of_the_themes() -> None:
    head = (ASSETS / "first" / "head.html").read_text()
    config = (ASSETS.parent / ".streamlit" / "config.toml").read_text()
    for colour in ("#11161c", "#1a222b", "#f3f5f7"):
        assert colour in head
        assert colour in config
