"""What every request passes before the application sees it, whatever it is for.

It is an ASGI application around another one. Streamlit holds only its websocket to a list of
hosts, takes a page of any other port of this machine for one of its own, and lets itself be put
into a frame.
"""

from collections.abc import Awaitable, Callable, Iterable, MutableMapping, Sequence
from typing import Any

from core.visitors.hosts import address_of, is_known, is_own_origin
from core.visitors.rules import Rules

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
Header = tuple[bytes, bytes]

# Scripts and styles in line are how Streamlit and its components are written; what a text of a
# corpus or a model might slip in could still load nothing from elsewhere and send nothing there.
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline' blob:; img-src 'self' data: blob:; font-src 'self' data:; "
    "media-src 'self' data: blob:; worker-src 'self' blob:; connect-src 'self' data: blob:; "
    "object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS: tuple[Header, ...] = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
_HOST = (
    "This server does not answer under that name. Open it as http://localhost with its port, or "
    "name the host in HOPRAG_HOSTS and start it again."
)
_ORIGIN = "A page of another origin asks for this. Only pages of this server may."
_STRANGER = "Sign in first: this is for visitors that the server knows."


class Door:
    """Lets a request through to `app` if its host, its origin and its visitor may pass.

    Parameters
    ----------
    hosts : names that the server is known by, beside those of loopback.
    admitted : whether a session's id is of a visitor who was let in; where that is not asked,
        files are taken from every session.
    forwarders : addresses whose X-Forwarded-For the web server has believed before.
    """

    def __init__(
        self,
        app: Application,
        *,
        rules: Rules,
        hosts: Sequence[str] = (),
        admitted: Callable[[str], bool] | None = None,
        forwarders: Sequence[str] = ("127.0.0.1", "::1"),
    ) -> None:
        self._app = app
        self._rules = rules
        self._hosts = (*rules.hosts, *hosts)
        self._admitted = admitted
        self._forwarders = forwarders

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        problem = self._problem(scope)
        if problem:
            await _refuse(scope, send, problem)
        else:
            await self._app(self._believed(scope), receive, _guarded(send))

    def _problem(self, scope: Scope) -> str:
        """Why the request does not pass; empty if it does."""
        hosts = _values(scope, b"host")
        if len(hosts) != 1 or not is_known(hosts[0], self._hosts):
            return _HOST
        origins = _values(scope, b"origin")
        if not all(is_own_origin(each, hosts[0], self._hosts) for each in origins):
            return _ORIGIN
        if _is_embedded_elsewhere(scope):
            return _ORIGIN
        return "" if self._may_use(scope["path"]) else _STRANGER

    def _may_use(self, path: str) -> bool:
        if self._admitted is None:
            return True
        *_, before = path.partition("/_stcore/")
        where, _, rest = before.partition("/")
        if where == "upload_file":
            return self._admitted(rest.partition("/")[0])
        return where != "metrics"

    def _believed(self, scope: Scope) -> Scope:
        """The request without a name that it gives itself, and with the host it came for."""
        named = self._rules.user_header.encode("latin-1")
        headers: Iterable[Header] = scope["headers"]
        if named and not (self._from_proxy(scope) and len(_values(scope, named)) == 1):
            headers = [(name, value) for name, value in headers if name != named]
        # Streamlit looks up the machine's outer address when host and origin differ.
        if origins := _values(scope, b"origin"):
            host = origins[0].rpartition("//")[2].encode("latin-1")
            headers = [(name, host if name == b"host" else value) for name, value in headers]
        return {**scope, "headers": list(headers)}

    def _from_proxy(self, scope: Scope) -> bool:
        """Whether a proxy of the settings has sent the request.

        The web server puts the address that a forwarder names in the place of the forwarder's;
        port 0 tells that it did, and an address that the request names itself tells nothing.
        """
        host, port = scope.get("client") or ("", 0)
        forwarded = [
            each.strip()
            for value in _values(scope, b"x-forwarded-for")
            for each in value.split(",")
        ]
        if forwarded and not port:
            return all(map(self._is_proxy, self._forwarders))
        named = any(
            each.strip("[]") == host or host in each.rsplit(":", 1)[0] for each in forwarded
        )
        return self._is_proxy(host) and not named

    def _is_proxy(self, text: str) -> bool:
        address = address_of(text)
        return address is not None and self._rules.is_proxy(address)


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _is_embedded_elsewhere(scope: Scope) -> bool:
    """Whether a page elsewhere asks for it as a part of itself; browsers say so."""
    sites = _values(scope, b"sec-fetch-site")
    goes = (_values(scope, b"sec-fetch-mode"), _values(scope, b"sec-fetch-dest"))
    return not {*sites} <= {"same-origin", "none"} and goes != (["navigate"], ["document"])


def _guarded(send: Send) -> Send:
    """`send`, which adds `HEADERS` to every answer."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            ours = {name for name, _ in HEADERS}
            kept = [each for each in message.get("headers", ()) if each[0].lower() not in ours]
            message = {**message, "headers": [*kept, *HEADERS]}
        await send(message)

    return sent


async def _refuse(scope: Scope, send: Send, problem: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": problem})
        return
    text = (b"content-type", b"text/plain; charset=utf-8")
    await _guarded(send)({"type": "http.response.start", "status": 403, "headers": [text]})
    await send({"type": "http.response.body", "body": problem.encode()})
