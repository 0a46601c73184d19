"""The HTTP client behind a model, with limits on addresses, time and size of responses.

By default, the `openai` client follows redirects, waits without limit for a response, and accepts
any decompressed size. Here it is restricted to one server, with limits.
"""

import asyncio
import logging
import socket
import ssl
from collections.abc import Coroutine
from functools import cache, partial
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx2
import openai

from core.errors import LlmError
from core.model_servers import OPENAI
from core.models.server.trouble import RequestBlocked
from core.settings import Endpoint

LARGEST = 4 * 2**20  # bytes unpacked; a reply has some thousand, a long list of models a million
CONNECTING = 10.0  # seconds; a server that is there takes the connection at once

T = TypeVar("T")


def client(endpoint: Endpoint, *, time_limit: float) -> openai.AsyncOpenAI:
    """Return a client of `endpoint` that makes one try per call.

    Raises
    ------
    LlmError : URL, key or proxy cannot be used as they are.
    """
    check_endpoint(endpoint)
    # A local server needs none, and the client insists on one.
    key = endpoint.key or "none"
    openai_client = openai.AsyncOpenAI(
        base_url=endpoint.url,
        api_key=key,
        # Stands before an Authorization in OPENAI_CUSTOM_HEADERS, which is meant for OpenAI.
        default_headers={"Authorization": f"Bearer {key}"},
        # Of connecting alone, which ends before all of it, so that the two can be told apart.
        timeout=openai.Timeout(None, connect=min(0.9 * time_limit, CONNECTING)),
        max_retries=0,
        http_client=_http(endpoint),
    )
    for name in ("httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.WARNING)  # below it, their lines hold the URL
    if endpoint.url != OPENAI:
        openai_client.organization = openai_client.project = (
            None  # from the environment, and OpenAI's business
        )
    return openai_client


async def in_time(call: Coroutine[Any, Any, T], seconds: float, url: str) -> T:
    """Await `call` with a time limit that includes name resolution and the whole body.

    Raises
    ------
    openai.APITimeoutError : it takes longer.
    """
    try:
        async with asyncio.timeout(seconds):
            return await call
    except TimeoutError as error:
        raise openai.APITimeoutError(httpx2.Request("POST", url)) from error


def check_endpoint(endpoint: Endpoint) -> None:
    """Raise LlmError unless the URL and the key are well formed."""
    try:
        parts = urlsplit(endpoint.url)
        sound = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        sound = sound and endpoint.url.isprintable() and " " not in endpoint.url
    except ValueError:
        sound = False
    if not sound:
        raise LlmError(
            f"{endpoint.variable}_URL is not a server URL. Example: http://localhost:11434/v1."
        )
    if not (endpoint.key.isascii() and endpoint.key.isprintable()):
        raise LlmError(f"{endpoint.variable}_KEY contains invalid characters. Copy the key again.")


def _http(endpoint: Endpoint) -> httpx2.AsyncClient:
    """Create the HTTP client: no redirects, no proxy for this machine, checked addresses."""
    # What runs on this machine is not behind a proxy.
    trust_env = not _on_this_machine(urlsplit(endpoint.url).hostname or "")
    try:
        return openai.DefaultAsyncHttpxClient(
            # Questions and passages go where the user said, and nowhere that a server says.
            follow_redirects=False,
            trust_env=trust_env,
            verify=_trusted(trust_env),
            headers={"Accept-Encoding": "identity"},
            event_hooks={
                "request": [partial(_check_addresses, guarded=endpoint.guarded)],
                "response": [_read_body],
            },
        )
    except (ImportError, ValueError) as error:
        raise LlmError(
            "The proxy set in the environment cannot be used. Correct or unset HTTPS_PROXY "
            "and ALL_PROXY. For a SOCKS proxy, run pip install socksio."
        ) from error


@cache
def _trusted(trust_env: bool) -> ssl.SSLContext:
    """Return the trusted certificate authorities, loaded once because that takes 30 ms."""
    return httpx2.create_ssl_context(trust_env=trust_env)


def _on_this_machine(host: str) -> bool:
    """Check whether a host name is a loopback address or localhost."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


async def _check_addresses(request: httpx2.Request, *, guarded: bool) -> None:
    """Raise RequestBlocked if the host is a cloud metadata service, or not public if `guarded`.

    Parameters
    ----------
    guarded : whether the host must be a public one.
    """
    host, loop = request.url.host, asyncio.get_running_loop()
    try:
        resolved = await loop.getaddrinfo(host, request.url.port or 443, type=socket.SOCK_STREAM)
    except OSError:  # said when connecting fails, or known to the proxy alone
        return
    addresses = [_embedded_ipv4(ip_address(str(each[4][0]).partition("%")[0])) for each in resolved]
    if any(each.is_link_local or each in _METADATA for each in addresses):
        raise RequestBlocked(
            "This URL names a link-local address, where machines keep their own credentials. Give "
            "the URL of a model server."
        )
    if guarded and not all(each.is_global for each in addresses):
        raise RequestBlocked(
            "This URL points to an address on the server's private network. Give the URL of a "
            "public model server, or ask the administrator to set this one in the environment."
        )


def _embedded_ipv4(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Return the IPv4 address embedded in an IPv6 address, or else the address itself."""
    if isinstance(address, IPv4Address):
        return address
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour or address


_NAT64 = ip_network("64:ff9b::/96")
_METADATA = tuple(map(ip_address, ("fd00:ec2::254", "100.100.100.200")))  # AWS, Alibaba Cloud


async def _read_body(response: httpx2.Response) -> None:
    """Replace the response's stream by its decompressed body; APIError if it is too long.

    A server may compress without being asked, many GB into a few MB. The client would decompress
    all of it, and decode the text of an error with any codec that a header names.
    """
    packed = httpx2.Response(response.status_code, headers=response.headers, stream=response.stream)
    body = bytearray()
    try:
        async for part in packed.aiter_bytes():
            body += part
            if len(body) > LARGEST:
                await packed.aclose()
                raise openai.APIError("The response is too long.", response.request, body=None)
    except httpx2.DecodingError as error:
        raise openai.APIError(
            "It could not be decompressed.", response.request, body=None
        ) from error
    response.stream = httpx2.ByteStream(bytes(body))
    response.headers.pop("content-encoding", None)
    response.headers["content-type"] = "application/json; charset=utf-8"
