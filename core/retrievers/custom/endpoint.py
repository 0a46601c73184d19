"""A retriever behind a URL: JSON over HTTP.

POST {"question": ..., "top_k": ..., settings}  ->  {"results": [{"id" | "text", "score"}, ...]}
GET   ->  {"name", "badge", "summary", "version", "settings": {name: default}}, optional.
Without a version, the results of a fixed question show whether the server has changed.
"""

import json
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from hashlib import blake2b
from ipaddress import ip_address
from typing import TYPE_CHECKING, Annotated, Any, Literal
from urllib.parse import urlsplit

from core.errors import RetrieverFailed
from core.retrievers.custom.description import Answer, Description, broken, one_line
from core.retrievers.custom.fields import Field, field_of
from core.retrievers.custom.results import BadResults, contexts_of, items_of
from core.retrievers.settings import Setting

if TYPE_CHECKING:
    import httpx

LARGEST_REPLY = 16 * 2**20
"""Bytes."""
TRIES = 3
PROBE, PROBED = "What is the capital of France?", 5
"""The fixed question, and the number of results that it requests."""
_AGAIN = (429, 502, 503, 504)
_EVERY, _DESCRIBING = 30.0, 2.0  # seconds: interval and time limit of requests for settings
_PROBING = 600.0  # seconds between two probes


class HttpEndpoint:
    """A retriever behind a URL, called over persistent connections.

    Parameters
    ----------
    title : the display name, if the server sends none.
    seconds : the time limit for a question, including repeated tries.
    """

    def __init__(self, url: str, title: str, seconds: float) -> None:
        self._url, self._seconds = url, seconds
        parts = urlsplit(url)
        self._host = parts.hostname or ""
        # Without the user and the query, which may hold a password.
        self._where = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
        self._title = title or parts.netloc.rpartition("@")[2]
        self._looked = self._probed = float("-inf")
        self._answer = ""
        self._told: object = None
        self._described = Description(self._where, self._title, self._ask)

    def described(self) -> Description:
        """Return the description of the retriever, requested again from time to time."""
        if time.monotonic() - self._looked > _EVERY:
            details = self._request_description()
            if details is not None and details != self._told:
                self._told, self._described = details, self._description(details)
            self._looked = time.monotonic()
        return self._described

    def _probe(self) -> str:
        """Return a digest of the results for a fixed question, requested from time to time.

        If the server does not reply, the last digest is returned; it is empty if the server states
        a version.
        """
        if isinstance(self._told, dict) and self._told.get("version"):
            return ""
        if time.monotonic() - self._probed > _PROBING:
            sent = json.dumps({"question": PROBE, "top_k": PROBED}).encode()
            with suppress(RetrieverFailed, ValueError, RecursionError):
                status, body = self._send("POST", sent, time.monotonic() + _DESCRIBING)
                if status == 200:
                    keys = [one.key for one in contexts_of(items_of(json.loads(body)))]
                    self._answer = _digest(keys)
            self._probed = time.monotonic()
        return self._answer

    def _request_description(self) -> Mapping[str, Any] | None:
        """Return the server's description of itself, or None."""
        try:
            status, body = self._send("GET", None, time.monotonic() + _DESCRIBING)
            answer = json.loads(body) if status == 200 else None
        except (RetrieverFailed, ValueError, RecursionError):  # `_ask` reports the error
            return None
        return answer if isinstance(answer, dict) else None

    def _description(self, told: Mapping[str, Any]) -> Description:
        """Convert the server's JSON description; name the problem if it is invalid."""

        def text(name: str) -> str:
            return one_line(told[name]) if isinstance(told.get(name), str) else ""

        try:
            settings = _settings(told.get("settings") or {})
        except ValueError as error:
            return broken(self._where, self._title, f"{self._where}: {error}.")
        return Description(
            *(self._where, text("name") or self._title, self._ask),
            badge=text("badge"),
            summary=text("summary"),
            settings=settings,
            version=_digest(told),
            probe=self._probe,
        )

    def _ask(self, question: str, top_k: int, settings: Mapping[str, Any]) -> Answer:
        """Send one question; raise RetrieverFailed, with the reason, unless it returns results."""
        sent = json.dumps({**settings, "question": question, "top_k": top_k}).encode()
        until = time.monotonic() + self._seconds
        status, body = self._send("POST", sent, until)
        if status != 200:
            message = one_line(body[:1000].decode(errors="replace")) or "no text"
            raise RetrieverFailed(f"{self._where} answered with status {status}: {message}.")
        try:
            answer = json.loads(body)
            used = answer.get("settings") if isinstance(answer, dict) else None
            items = items_of(answer)
        except (ValueError, RecursionError) as error:
            problem = error if isinstance(error, BadResults) else "it sent no JSON"
            raise RetrieverFailed(f"{self._where}: {problem}.") from error
        note = f"The server used {one_line(json.dumps(used))}." if used else ""
        return Answer(items, note)

    def _send(self, method: str, body: bytes | None, until: float) -> tuple[int, bytes]:
        """Send a request, repeatedly if the server is overloaded; return the status and body."""
        import httpx  # takes a tenth of a second to load

        problem, tries = "", TRIES if body else 1
        for number in range(tries):
            try:
                status, reply = self._request(method, body, until)
                if status not in _AGAIN or number == tries - 1:
                    return status, reply
            except httpx.TimeoutException as error:
                raise self._time_limit_error() from error
            except (httpx.TransportError, httpx.InvalidURL) as error:
                problem = one_line(error) or type(error).__name__
            time.sleep(min(0.2 * 2**number, max(0.0, until - time.monotonic())))
        raise RetrieverFailed(
            f"{self._where} cannot be reached: {problem}. Start it, or correct HOPRAG_RETRIEVERS."
        )

    def _request(self, method: str, body: bytes | None, until: float) -> tuple[int, bytes]:
        """Send one request and read its reply, within limits of time (`until`) and size."""
        left = until - time.monotonic()
        if left <= 0:
            raise self._time_limit_error()
        received = bytearray()
        headers = {"Content-Type": "application/json"} if body else {}
        with self._client.stream(
            method, self._url, content=body, headers=headers, timeout=left
        ) as reply:
            for part in reply.iter_bytes():
                received += part
                if len(received) > LARGEST_REPLY:
                    limit = LARGEST_REPLY // 2**20
                    raise RetrieverFailed(
                        f"{self._where} sent more than {limit} MB. Reduce the response."
                    )
                if time.monotonic() > until:
                    raise self._time_limit_error()
            return reply.status_code, bytes(received)

    def _time_limit_error(self) -> RetrieverFailed:
        """Return the error for a server that exceeds the time limit."""
        return RetrieverFailed(
            f"{self._where} did not answer within {self._seconds:g} s. Make it faster, or set "
            "HOPRAG_RETRIEVER_SECONDS."
        )

    @cached_property
    def _client(self) -> "httpx.Client":
        """The HTTP client, made at the first request and then reused."""
        import httpx

        return httpx.Client(
            follow_redirects=False,  # questions go where the operator said
            trust_env=not _is_loopback(self._host),  # no proxy on this machine
            headers={"Accept-Encoding": "identity"},
        )


def _digest(value: object) -> str:
    return blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=8).hexdigest()


def _is_loopback(host: str) -> bool:
    """Return whether a host name or address is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _settings(declared: object) -> dict[str, Field]:
    """Parse the settings that a server declares: a default value, or an object with details."""
    if not isinstance(declared, dict):
        raise ValueError("its settings are not an object of names and defaults")
    fields: dict[str, Field] = {}
    for name, given in declared.items():
        details = given if isinstance(given, dict) else {"default": given}
        least, most, choices = (details.get(key) for key in ("least", "most", "choices"))
        if not all(isinstance(each, int | float | None) for each in (least, most)):
            raise ValueError(f"the bounds of {one_line(name)} are not numbers")
        setting = Setting(one_line(details.get("says") or f"handed on as {name}"), least, most)
        default = type(details.get("default"))
        kind: Any = Literal[tuple(map(str, choices))] if isinstance(choices, list) else default
        fields[name] = field_of(name, Annotated[kind, setting], details.get("default"))
    return fields
