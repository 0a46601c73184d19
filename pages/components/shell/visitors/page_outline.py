"""The outline that a page shows until Streamlit's scripts have loaded."""

from functools import cache

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.settings import ASSETS

_HEAD, _ROOT = b"</head>", b'<div id="root"></div>'
_TITLE, _NAME = b"<title>Streamlit</title>", b"<title>HopRAG Explorer</title>"
# The page has to come whole and as it is: not packed, and not as what a browser kept of it.
_ASKED = (b"accept-encoding", b"if-none-match", b"if-modified-since", b"range")
_OF_THE_FILE = (b"content-length", b"etag", b"last-modified")


class First:
    """Writes the outline of `assets/first` into the one HTML page that Streamlit serves."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _asks_for_page(scope):
            await self._app(scope, receive, send)
            return
        page: list[Message] = []
        text: list[bytes] = []

        async def sent(message: Message) -> None:
            """Hold back the page's messages until it is complete, then send it with the outline."""
            if message["type"] == "http.response.start" and _is_page(message):
                page.append(message)
            elif not page:
                await send(message)
            else:
                text.append(message.get("body", b""))
                if not message.get("more_body"):
                    body = outlined(b"".join(text))
                    await send(_start(page[0], len(body)))
                    await send({"type": "http.response.body", "body": body})

        headers = [each for each in scope["headers"] if each[0] not in _ASKED]
        await self._app({**scope, "headers": headers}, receive, sent)


def outlined(page: bytes) -> bytes:
    """Return `page` with the outline, or unchanged if it lacks the expected tags."""
    if _HEAD not in page or _ROOT not in page:
        return page
    head, body = _parts()
    page = page.replace(_TITLE, _NAME, 1).replace(_HEAD, head + _HEAD, 1)
    return page.replace(_ROOT, body + _ROOT, 1)


@cache
def _parts() -> tuple[bytes, bytes]:
    folder = ASSETS / "first"
    return (folder / "head.html").read_bytes(), (folder / "body.html").read_bytes()


def _asks_for_page(scope: Scope) -> bool:
    if scope["type"] != "http" or scope["method"] != "GET":
        return False
    return any(name == b"accept" and b"text/html" in value for name, value in scope["headers"])


def _is_page(message: Message) -> bool:
    headers = dict(message.get("headers", ()))
    html = headers.get(b"content-type", b"").startswith(b"text/html")
    return html and message["status"] == 200 and b"content-encoding" not in headers


def _start(message: Message, length: int) -> Message:
    kept = [each for each in message["headers"] if each[0].lower() not in _OF_THE_FILE]
    return {**message, "headers": [*kept, (b"content-length", str(length).encode())]}
