"""A retriever behind a URL, with a real server."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from core.errors import RetrieverFailed
from core.retrievers import CARDS, Spec, make
from core.retrievers.custom import endpoint
from core.runs.configuration import changed_versions, configuration, versions
from core.steps import result
from tests.core.five import QUESTION

ASKED = QUESTION.text
TELLS = {
    "name": "Our search",
    "badge": "OS",
    "summary": "Asks <b>Solr</b>.",
    "settings": {"k1": 0.9, "boost": {"default": 2, "least": 1, "most": 4, "says": "title boost"}},
}


class Server(ThreadingHTTPServer):
    """Answers as `told` and `reply` say; `got` has what was posted, and from which port."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.told: object = TELLS
        self.reply: Callable[[dict[str, Any]], object] = lambda _: {
            "results": [{"id": "club", "score": 2.0}, {"text": "Not here.", "score": 1.0}]
        }
        self.got: list[dict[str, Any]] = []
        self.ports: set[int] = set()
        self.statuses: list[int] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/retrieve"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body in one packet
    server: Server

    def do_GET(self) -> None:
        self._send(200 if self.server.told else 405, self.server.told)

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.got.append(asked)
        self.server.ports.add(self.client_address[1])
        status = self.server.statuses.pop(0) if self.server.statuses else 200
        self._send(status, self.server.reply(asked))

    def _send(self, status: int, value: object) -> None:
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if status == 302:
            self.send_header("Location", "http://127.0.0.1:1/")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as found:
        threading.Thread(target=found.serve_forever, args=(0.02,), daemon=True).start()
        yield found
        found.shutdown()


def steps(key, workbench):
    return tuple(make(key, workbench).retrieve(ASKED))


def failure(workbench, key="our-search") -> str:
    with pytest.raises(RetrieverFailed) as raised:
        steps(key, workbench)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_it_is_asked_with_its_settings_over_one_connection(server, named, standing):
    named(server.url)
    assert (CARDS["our-search"].badge, CARDS["our-search"].summary) == ("OS", "Asks <b>Solr</b>.")
    assert {one.name: one.default for one in Spec("our-search").declared} == {
        **{"top_k": 20, "k1": 0.9},
        "boost": 2,
    }
    asked, ranked = steps("our-search(boost=3,top_k=5)", standing)
    assert server.got == [{"question": ASKED, "top_k": 5, "k1": 0.9, "boost": 3}]
    assert asked.settings == {"k1": 0.9, "boost": 3}
    assert "Not here." in [one.text for one in ranked.returned if not one.passages]
    assert [(hit.passage_id, hit.score) for hit in ranked.hits] == [("club", 2.0)]
    steps("our-search", standing)
    assert len(server.ports) == 1


def test_a_bare_server_needs_a_name_at_most(server, named, standing):
    server.told = None
    named(f"Mine={server.url}")
    server.reply = lambda _: {"results": [["town", 0.5]], "settings": {"k1": 1.2}}
    found = result(steps("mine", standing))
    assert [hit.passage_id for hit in found.hits] == ["town"]
    assert found.told.reason == 'The server used {"k1": 1.2}.'


def test_the_configuration_follows_what_the_server_says(server, named, standing, monkeypatch):
    named(server.url)
    before = configuration(standing, Spec("our-search"))
    server.told = {**TELLS, "version": "2"}
    monkeypatch.setattr(endpoint, "_EVERY", 0.0)
    assert configuration(standing, Spec("our-search")) != before


def test_other_answers_behind_the_same_name_are_noticed(server, named, standing, monkeypatch):
    named(server.url)
    spec = Spec("our-search")
    before, was = configuration(standing, spec), versions(standing, [spec])
    assert server.got == [{"question": endpoint.PROBE, "top_k": endpoint.PROBED}]
    assert configuration(standing, spec) == before
    assert len(server.got) == 1
    server.reply = lambda _: {"results": ["town"]}
    monkeypatch.setattr(endpoint, "_PROBING", 0.0)
    assert configuration(standing, spec) != before
    assert changed_versions(versions(standing, [spec]), was) == [
        "the code or replies of our-search have changed"
    ]


def test_a_server_that_says_its_version_is_not_probed(server, named, standing):
    server.told = {**TELLS, "version": "2"}
    named(server.url)
    configuration(standing, Spec("our-search"))
    assert server.got == []


def test_what_helps_is_tried_again(server, named, standing):
    named(server.url)
    server.statuses = [503, 429]
    assert result(steps("our-search", standing)).hits
    assert len(server.got) == 3


@pytest.mark.parametrize(
    ("status", "reply", "problem"),
    [
        (500, b"Boom\nTraceback", "answered with status 500: Boom Traceback."),
        (503, b"", "answered with status 503: no text."),
        (302, b"{}", "answered with status 302: {}."),
        (200, b"<html>", "it sent no JSON."),
        (200, b"[" * 100_000, "it sent no JSON."),
        (200, {"hits": []}, "it returned nothing; return a list of (id or text, score)."),
        (200, {"results": [{"id": "club", "score": float("nan")}]}, "result 1 has the score nan"),
        (200, {"results": [[1, 2]]}, "result 1 is [1, 2]; a result is"),
        (200, b" " * (endpoint.LARGEST_REPLY + 1), "sent more than 16 MB. Reduce the response."),
    ],
)
def test_one_sentence_says_what_is_wrong(server, named, standing, status, reply, problem):
    named(server.url)
    server.statuses, server.reply = [status] * endpoint.TRIES, lambda _: reply
    told = failure(standing)
    assert told.startswith(server.url)
    assert problem in told


def test_a_slow_server_is_left(server, named, standing):
    named(server.url, seconds=1)
    waiting = threading.Event()
    server.reply = lambda _: waiting.wait(5)
    begun = time.monotonic()
    assert failure(standing).startswith(f"{server.url} did not answer within 1 s.")
    assert time.monotonic() - begun < 3
    waiting.set()


def test_no_server_and_no_secret_in_what_is_said(named, standing):
    named("mine=http://ann:secret@127.0.0.1:1/retrieve?key=secret")
    told = failure(standing, "mine")
    assert told.startswith("http://127.0.0.1:1/retrieve cannot be reached: ")
    assert "Start it, or correct HOPRAG_RETRIEVERS." in told
    assert "secret" not in f"{told} {CARDS['mine']}"


def test_a_setting_that_cannot_be_one_is_named(server, named, standing):
    server.told = {"settings": {"k1": None}}
    named(f"mine={server.url}")
    assert "k1 must be int, float, bool, str" in failure(standing, "mine")


def test_it_adds_less_than_ten_milliseconds(server, named, standing):
    named(server.url)
    retriever = make("our-search", standing)
    list(retriever.retrieve(ASKED))
    times = []
    for _ in range(50):
        begun = time.perf_counter()
        list(retriever.retrieve(ASKED))
        times.append(time.perf_counter() - begun)
    assert sorted(times)[25] < 0.01
