"""The endpoint to which pipelines send spans: OTLP over HTTP, on loopback, with a token.

Source: OpenTelemetry protocol 1.9, OTLP/HTTP.
"""

import asyncio
import hmac
import json
import zlib
from base64 import b64decode
from typing import Any

import uvicorn
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import DecodeError
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from core.errors import InputError, StoreError
from core.spans.reading import spans_of
from core.spans.received import Received

HOST = "127.0.0.1"
PATH = "/v1/traces"
MAX_BYTES = 16 * 2**20
"""Bytes of a request, as it is sent and unpacked."""
SHORTEST_TOKEN = 16  # characters
_SECONDS = 30.0  # in which a request has to arrive
_AT_ONCE = 32
_JSON, _PROTOBUF = "application/json", "application/x-protobuf"


class _Refused(Exception):
    """A request that is not accepted, with its HTTP status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def application(received: Received, token: str) -> Starlette:
    """Return the endpoint as an ASGI application."""

    async def traces(request: Request) -> Response:
        """Receive an OTLP request; the status of an error says why it was refused."""
        try:
            if not _is_allowed(request, token):
                raise _Refused(401, "Send the header Authorization: Bearer TOKEN.")
            content_type = _content_type(request)
            encoding = request.headers.get("content-encoding", "identity")
            async with asyncio.timeout(_SECONDS):
                body = await _read_body(request)
            await run_in_threadpool(_store, received, body, content_type, encoding.strip().lower())
        except TimeoutError:
            return PlainTextResponse("The request took too long.", 408)
        except _Refused as error:
            return PlainTextResponse(str(error), error.status)
        except StoreError as error:
            return PlainTextResponse(str(error), 503)
        return Response(b"{}" if content_type == _JSON else b"", media_type=content_type)

    return Starlette(routes=[Route(PATH, traces, methods=["POST"])])


def serve(received: Received, token: str, port: int) -> None:
    """Accept spans until the process is stopped.

    Raises
    ------
    InputError : the token is too short.
    """
    if len(token) < SHORTEST_TOKEN:
        raise InputError(
            f"The token needs at least {SHORTEST_TOKEN} characters. Omit it to generate one."
        )
    uvicorn.run(
        application(received, token),
        host=HOST,
        port=port,
        log_level="warning",
        limit_concurrency=_AT_ONCE,
    )


def _is_allowed(request: Request, token: str) -> bool:
    given = request.headers.get("authorization", "")
    return hmac.compare_digest(given.encode(), f"Bearer {token}".encode())


def _content_type(request: Request) -> str:
    """Return the media type of a request; refuse all but JSON and Protobuf."""
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type not in (_JSON, _PROTOBUF):
        raise _Refused(415, f"Send {_PROTOBUF} or {_JSON}.")
    return content_type


async def _read_body(request: Request) -> bytes:
    """Read the whole body; refuse it as soon as it is too large."""
    received = bytearray()
    try:
        async for chunk in request.stream():
            received += chunk
            _check_size(len(received))
    except ClientDisconnect:
        raise _Refused(400, "The request is incomplete.") from None
    return bytes(received)


def _check_size(size: int) -> None:
    if size > MAX_BYTES:
        raise _Refused(413, f"Send at most {MAX_BYTES // 2**20} MB in a request.")


def _store(received: Received, body: bytes, content_type: str, encoding: str) -> None:
    """Decode a request, check that its spans can be read, and store it."""
    body = _decompressed(body, encoding)
    request = _from_json(body) if content_type == _JSON else _from_protobuf(body)
    try:
        spans_of([request], "The request")
    except InputError as error:
        raise _Refused(400, str(error)) from error
    received.put(request)


def _decompressed(body: bytes, packing: str) -> bytes:
    """Decompress a request body, up to the size limit."""
    if packing == "identity":
        return body
    if packing != "gzip":
        raise _Refused(415, "Send gzip, or no content encoding.")
    unpacking = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        unpacked = unpacking.decompress(body, MAX_BYTES + 1)
    except zlib.error as error:
        raise _Refused(400, "The request is not valid gzip.") from error
    _check_size(len(unpacked))
    if not unpacking.eof:
        raise _Refused(400, "The request is incomplete.")
    return unpacked


def _from_json(body: bytes) -> dict[str, Any]:
    """Decode an OTLP request in JSON; refuse a body that is not one."""
    try:
        payload = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise _Refused(400, "The request is not valid JSON.") from error
    if not isinstance(payload, dict) or not isinstance(payload.get("resourceSpans"), list):
        raise _Refused(400, "The request has no resourceSpans.")
    return payload


def _from_protobuf(body: bytes) -> dict[str, Any]:
    """Return a request in OTLP's JSON form, in which ids are hexadecimal."""
    message = ExportTraceServiceRequest()
    try:
        message.ParseFromString(body)
        payload: dict[str, Any] = {"resourceSpans": [], **MessageToDict(message)}
    except (DecodeError, ValueError) as error:
        raise _Refused(400, "The request is not an ExportTraceServiceRequest.") from error
    for resource in payload["resourceSpans"]:
        for scope in resource.get("scopeSpans", ()):
            for span in scope.get("spans", ()):
                for name in ("traceId", "spanId", "parentSpanId"):
                    if name in span:
                        span[name] = b64decode(span[name]).hex()
    return payload
