"""The endpoint: what it accepts of pipelines, and what it refuses in one line."""

import asyncio
import gzip
import json
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest
from google.protobuf.json_format import ParseDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from core.errors import InputError
from core.spans import received as received_module
from core.spans.received import Received
from core.spans.server import MAX_BYTES, application, serve
from tests.core.spans.recorded import lines

TOKEN = "t" * 24
HEADERS = {"authorization": f"Bearer {TOKEN}", "content-type": "application/json"}
PROTOBUF = {**HEADERS, "content-type": "application/x-protobuf"}
REQUESTS = lines("langchain-agent", "spans")
ONE = json.dumps(REQUESTS[0]).encode()


async def posted(
    received: Received, *bodies: bytes, headers: Mapping[str, str] = HEADERS
) -> list[httpx.Response]:
    transport = httpx.ASGITransport(application(received, TOKEN), raise_app_exceptions=True)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        sent = (client.post("/v1/traces", content=body, headers=headers) for body in bodies)
        return list(await asyncio.gather(*sent))


def protobuf(request: dict[str, object]) -> bytes:
    text = json.dumps(request)
    message = ParseDict(json.loads(text), ExportTraceServiceRequest())
    for resource, said in zip(
        message.resource_spans, json.loads(text)["resourceSpans"], strict=True
    ):
        for scope, told in zip(resource.scope_spans, said["scopeSpans"], strict=True):
            for span, given in zip(
                scope.spans, told["spans"], strict=True
            ):  # ids are hexadecimal in OTLP
                span.trace_id = bytes.fromhex(given["traceId"])
                span.span_id = bytes.fromhex(given["spanId"])
                span.parent_span_id = bytes.fromhex(given.get("parentSpanId", ""))
    return message.SerializeToString()


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("binary", [False, True])
def test_traces_in_several_requests_are_received(
    tmp_path: Path, binary: bool, packed: bool
) -> None:
    received = Received(tmp_path)
    assert not len(received)
    (resource,) = REQUESTS[0]["resourceSpans"]
    spans = resource["scopeSpans"][0]["spans"]
    halves = [
        {"resourceSpans": [{**resource, "scopeSpans": [{"spans": some}]}]}
        for some in (spans[:13], spans[13:])
    ]
    bodies = [protobuf(one) if binary else json.dumps(one).encode() for one in halves]
    headers = PROTOBUF if binary else HEADERS
    if packed:
        bodies, headers = (
            [gzip.compress(one) for one in bodies],
            {**headers, "content-encoding": "gzip"},
        )
    answers = asyncio.run(posted(received, *bodies, headers=headers))
    assert [one.status_code for one in answers] == [200, 200]
    logs = lines("langchain-agent", "log")[::-1]
    assert [
        (one.question, one.answer, [context.text for context in one.contexts])
        for one in received.results()
    ] == [
        (one["question"], one["answer"], [context["text"] for context in one["contexts"]])
        for one in logs
    ]


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (ONE, {"authorization": ""}, 401),
        (ONE, {"authorization": "Bearer wrong"}, 401),
        (ONE, {"authorization": TOKEN}, 401),
        (ONE, {"content-type": "text/plain"}, 415),
        (ONE, {"content-encoding": "br"}, 415),
        (b"x" * (MAX_BYTES + 1), {}, 413),
        (gzip.compress(b" " * (4 * MAX_BYTES)), {"content-encoding": "gzip"}, 413),
        (gzip.compress(ONE)[:-40], {"content-encoding": "gzip"}, 400),
        (ONE, {"content-encoding": "gzip"}, 400),
        (b"\xff\x00garbage", {"content-type": "application/x-protobuf"}, 400),
        (b"\x0a\xff\xff\xff\xff\x0f", {"content-type": "application/x-protobuf"}, 400),
        (b"{not json", {}, 400),
        (b"[" * 100_000, {}, 400),
        (b"[]", {}, 400),
        (b'{"resourceSpans": {}}', {}, 400),
        (b'{"a":' * 900 + b"1" + b"}" * 900, {}, 400),
    ],
)
def test_what_is_no_request_is_refused_in_one_line(
    tmp_path: Path, body: bytes, headers: dict[str, str], status: int
) -> None:
    received = Received(tmp_path)
    (answer,) = asyncio.run(posted(received, body, headers={**HEADERS, **headers}))
    assert answer.status_code == status
    assert 0 < len(answer.text) < 120
    assert "\n" not in answer.text
    assert not len(received)


def test_spans_of_the_wrong_types_do_no_harm(tmp_path: Path) -> None:
    wrong = [1, None, "x", [], {}, {"traceId": 1, "spanId": [], "attributes": "no", "name": {}}]
    wrong.append({"traceId": "\ud800", "spanId": "a", "parentSpanId": "a", "name": "loop"})
    body = json.dumps({"resourceSpans": [1, {"scopeSpans": [None, {"spans": wrong}]}]}).encode()
    received = Received(tmp_path)
    (answer,) = asyncio.run(posted(received, body))
    assert answer.status_code == 200
    assert received.results() == []


def test_requests_at_the_same_time_are_all_kept(tmp_path: Path) -> None:
    received = Received(tmp_path)
    answers = asyncio.run(posted(received, *[ONE] * 20))
    assert {one.status_code for one in answers} == {200}
    assert len(received) == 20
    assert len(received.results()) == 6


def test_the_oldest_requests_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    received, requests = Received(tmp_path), [{"resourceSpans": [], "n": n} for n in range(9)]
    monkeypatch.setattr(received_module, "KEPT_BYTES", 3 * len(json.dumps(requests[0])))
    for one in requests:
        received.put(one)
    assert [one["n"] for one in received.requests()] == [6, 7, 8]


def test_a_short_token_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="16 characters"):
        serve(Received(tmp_path), "short", 1)
