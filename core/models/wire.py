"""The HTTP client behind a model: what it sends, to whom, and how much it waits for and takes in.

The `openai` client waits and asks again on 429, 5xx and lost connections, as long as Retry-After
says up to two minutes. Here it is kept to one server and to bounds.
"""

import logging
import time
from collections.abc import Callable, Iterator
from ipaddress import ip_address
from urllib.parse import urlsplit

import httpx2
import openai

from core.errors import LlmError
from core.settings import OPENAI, Endpoint

LARGEST = 8 * 2**20  # bytes of a body; a reply has some thousand, a long list of models a million
CONNECTING = 10.0  # seconds; a server that is there takes the connection at once


def client(endpoint: Endpoint, *, time_limit: float, retries: int) -> openai.OpenAI:
    """A client of `endpoint` and of nothing else; `time_limit` holds for each try by itself.

    Raises
    ------
    LlmError : URL, key or proxy cannot be used as they are.
    """
    _check(endpoint)
    # A local server needs none, and the client insists on one.
    key = endpoint.key or "none"
    found = openai.OpenAI(
        base_url=endpoint.url,
        api_key=key,
        # Stands before an Authorization in OPENAI_CUSTOM_HEADERS, which is meant for OpenAI.
        default_headers={"Authorization": f"Bearer {key}"},
        timeout=openai.Timeout(time_limit, connect=min(time_limit, CONNECTING)),
        max_retries=retries,
        http_client=_http(endpoint, time_limit),
    )
    for name in ("httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.WARNING)  # below it, their lines hold the URL
    if endpoint.url != OPENAI:
        found.organization = found.project = None  # from the environment, and OpenAI's business
    return found


def _check(endpoint: Endpoint) -> None:
    try:
        parts = urlsplit(endpoint.url)
        sound = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        sound = False
    if not sound:
        raise LlmError(
            "HOPRAG_LLM_URL is not the URL of a server. It looks like http://localhost:11434/v1."
        )
    if not (endpoint.key.isascii() and endpoint.key.isprintable()):
        raise LlmError("HOPRAG_LLM_KEY holds letters that no key has. Copy it once more.")


def _http(endpoint: Endpoint, time_limit: float) -> httpx2.Client:
    try:
        return openai.DefaultHttpxClient(
            # Questions and passages go where the user said, and nowhere that a server says.
            follow_redirects=False,
            # What runs on this machine is not behind a proxy.
            trust_env=not _on_this_machine(urlsplit(endpoint.url).hostname or ""),
            headers={"Accept-Encoding": "identity"},
            event_hooks={"response": [_bound(time_limit)]},
        )
    except (ImportError, ValueError) as error:
        raise LlmError(
            "The proxy that the environment names cannot be used. Correct or unset HTTPS_PROXY and "
            "ALL_PROXY; for a SOCKS proxy, pip install socksio."
        ) from error


def _on_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _bound(time_limit: float) -> Callable[[httpx2.Response], None]:
    def bound(response: httpx2.Response) -> None:
        if isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = _Bounded(response.stream, response.request, time_limit)

    return bound


class _Bounded(httpx2.SyncByteStream):
    """A body that ends in an error if it is too long, or comes drop by drop beyond the limit.

    The client's own limit is on the wait for the next bytes, and would go on for ever. The error
    is one that the client does not try again.
    """

    def __init__(
        self, stream: httpx2.SyncByteStream, request: httpx2.Request, time_limit: float
    ) -> None:
        self._stream = stream
        self._request = request
        self._end = time.monotonic() + time_limit

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for chunk in self._stream:
            size += len(chunk)
            if size > LARGEST:
                raise openai.APIError("The answer is too long.", self._request, body=None)
            if time.monotonic() > self._end:
                raise openai.APITimeoutError(self._request)
            yield chunk

    def close(self) -> None:
        self._stream.close()
