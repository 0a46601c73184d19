"""A server on this machine that speaks the chat-completions protocol from a script.

A test hands it a function from request to answer; the real `openai` client does the talking.
"""

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from core.settings import Endpoint

MODEL = "scripted"


@dataclass(frozen=True, slots=True)
class Request:
    """A call as it arrived; `number` counts from 0. Names of headers are in lower case."""

    body: Mapping[str, Any]
    headers: Mapping[str, str]
    number: int
    gone: Callable[[], bool] = bool
    """Whether the client has gone away."""

    @property
    def system(self) -> str:
        return self._said_by("system")

    @property
    def user(self) -> str:
        return self._said_by("user")

    @property
    def data(self) -> Any:
        """The JSON in the user message, None if it is none."""
        try:
            return json.loads(self.user)
        except ValueError:
            return None

    def _said_by(self, role: str) -> str:
        return next((m["content"] for m in self.body["messages"] if m["role"] == role), "")


@dataclass(frozen=True, slots=True)
class Answer:
    """What to send back, after `delay` seconds.

    `text` is the reply of the model, and the message of the error where `status` is one. `cut`
    ends the connection in the middle of the body. `raw` replaces the whole body. `tokens` are
    those of the prompt and of the reply. With `drops` the body comes byte by byte, one each so
    many seconds; with `head_drops` the head does, and never ends. `finish` says why it ended.
    """

    text: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    cut: bool = False
    raw: str | bytes | None = None
    tokens: tuple[int, int] = (100, 20)
    drops: float = 0.0
    head_drops: float = 0.0
    finish: str = "stop"


class ChatServer:
    """POST /v1/chat/completions or /v1/embeddings, and GET /v1/models, on a free port, for the
    length of a `with`.

    `requests` are the calls for a completion or embeddings in order of arrival, `others` the
    headers of all other calls. `models` are those on offer, or what is answered when they are
    asked for.
    """

    def __init__(
        self, answer: Callable[[Request], Answer], *, models: Iterable[str] | Answer = (MODEL,)
    ) -> None:
        self.requests: list[Request] = []
        self.others: list[Mapping[str, str]] = []
        self.most_at_once = 0
        self.answer = answer
        self.models = models if isinstance(models, Answer) else _offer(models)
        self._lock = threading.Lock()
        self.ended = threading.Event()
        self._now = 0
        self._area = 0.0  # calls under way, summed up over time
        self._first = self._last = 0.0
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.owner = self
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> "ChatServer":
        serve = self._server.serve_forever
        threading.Thread(target=serve, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.ended.set()
        self._server.shutdown()
        self._server.server_close()

    def mean_at_once(self) -> float:
        """Calls under way on average, from the first one's arrival to the last one's answer."""
        with self._lock:
            return self._area / (self._last - self._first) if self._last > self._first else 0.0

    def replied(
        self, body: Mapping[str, Any], headers: Mapping[str, str], gone: Callable[[], bool]
    ) -> Answer:
        """The answer to a call, when it is time to send it."""
        with self._lock:
            request = Request(body, headers, len(self.requests), gone)
            self.requests.append(request)
            self._count(+1)
        try:
            answer = self.answer(request)
            self.ended.wait(answer.delay)
        finally:
            with self._lock:
                self._count(-1)
        return answer

    def _count(self, change: int) -> None:
        now = time.perf_counter()
        self._first = self._first or now
        self._area += self._now * (now - (self._last or now))
        self._last = now
        self._now += change
        self.most_at_once = max(self.most_at_once, self._now)


def endpoint(server: ChatServer, model: str = MODEL, key: str = "k") -> Endpoint:
    return Endpoint(model, server.url, key)


def completion(answer: Answer, **message: Any) -> dict[str, Any]:
    """The body of a reply; `message` adds to or replaces what the model's message holds."""
    tokens_in, tokens_out = answer.tokens
    said = {"role": "assistant", "content": answer.text, **message}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": MODEL,
        "choices": [{"index": 0, "message": said, "finish_reason": answer.finish}],
        "usage": {
            "prompt_tokens": tokens_in,
            "completion_tokens": tokens_out,
            "total_tokens": tokens_in + tokens_out,
        },
    }


def _offer(models: Iterable[str]) -> Answer:
    rows = [{"id": m, "object": "model", "created": 1, "owned_by": "test"} for m in models]
    return Answer(raw=json.dumps({"object": "list", "data": rows}))


def _body(answer: Answer) -> bytes:
    if isinstance(answer.raw, bytes):
        return answer.raw
    if answer.raw is not None:
        return answer.raw.encode()
    if answer.status >= 400:
        error = {"message": answer.text, "type": "scripted", "code": None}
        return json.dumps({"error": error}).encode()
    return json.dumps(completion(answer)).encode()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    owner: ChatServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has gone is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # head and body leave together
    server: _Server

    def do_POST(self) -> None:
        headers, body = self._read()
        if self.path in ("/v1/chat/completions", "/v1/embeddings"):
            self._send(self.server.owner.replied(json.loads(body), headers, self._gone))
        else:
            self._other(headers)

    def do_GET(self) -> None:
        self._other(self._read()[0])

    def finish(self) -> None:
        with suppress(OSError):  # what is left to be sent to a client that has gone
            super().finish()
        self.rfile.close()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""

    def _read(self) -> tuple[dict[str, str], bytes]:
        headers = {name.lower(): value for name, value in self.headers.items()}
        return headers, self.rfile.read(int(headers.get("content-length", 0)))

    def _other(self, headers: Mapping[str, str]) -> None:
        owner = self.server.owner
        owner.others.append(headers)
        unknown = Answer(f"Nothing is at {self.path}.", status=404)
        self._send(owner.models if self.path == "/v1/models" else unknown)

    def _gone(self) -> bool:
        try:
            return not self.connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False

    def _send(self, answer: Answer) -> None:
        if answer.head_drops:
            self._drop(b"HTTP/1.1 200 OK\r\n" + b"X: " * 10_000, answer.head_drops)
        body = _body(answer)
        self.send_response(answer.status)
        for name, value in {"Content-Type": "application/json", **answer.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if answer.cut:
            self._cut(body)
        elif answer.drops:
            self._drop(body, answer.drops)
        else:
            self.wfile.write(body)

    def _drop(self, body: bytes, seconds: float) -> None:
        for byte in body:
            self.wfile.write(bytes([byte]))
            self.wfile.flush()
            self.server.owner.ended.wait(seconds)

    def _cut(self, body: bytes) -> None:
        self.wfile.write(body[: len(body) // 2])
        self.wfile.flush()
        # Without lingering, the other side sees a reset and not an end.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
