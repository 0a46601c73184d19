"""Checks that every request passes before it reaches the application.

It is an ASGI application around another one. Streamlit holds only its websocket to a list of
hosts, takes a page of any other port of this machine for one of its own, and lets itself be put
into a frame.
"""

from collections.abc import Awaitable, Callable, Iterable, MutableMapping, Sequence
from typing import Any

from core.visitors.hosts import address_of, is_known, is_own_origin
from core.visitors.rules import Rules
from core.visitors.uploads import Upload, UploadRefused, Uploads

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
    "This server does not accept that host name. Open it as http://localhost with its port, "
    "or add the host to HOPRAG_HOSTS and restart."
)
_ORIGIN = "The request comes from another origin. Only pages of this server are allowed."
_METRICS = "Metrics are not available to visitors."


class AccessMiddleware:
    """ASGI middleware that passes a request to `app` if its host, origin and visitor are allowed.

    Parameters
    ----------
    hosts : names that the server is known by, beside those of loopback.
    uploads : which uploads are accepted, and whose each session is.
    credential : what a request carries that tells its visitor from others.
    guarded : whether visitors are told apart.
    forwarders : addresses whose X-Forwarded-For the web server has believed before.
    """

    def __init__(
        self,
        app: Application,
        *,
        rules: Rules,
        hosts: Sequence[str] = (),
        uploads: Uploads | None = None,
        credential: Callable[[Scope], str] = lambda _: "",
        guarded: bool = False,
        forwarders: Sequence[str] = ("127.0.0.1", "::1"),
    ) -> None:
        self._app = app
        self._rules = rules
        self._hosts = (*rules.hosts, *hosts)
        self._uploads = uploads
        self._credential = credential
        self._guarded = guarded
        self._forwarders = forwarders

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        problem = self._problem(scope)
        if problem:
            await _refuse(scope, send, problem)
            return
        scope = self._with_trusted_headers(scope)
        where, *rest = _endpoint(scope["path"])
        if self._uploads and where == "upload_file":
            await self._upload(self._uploads, scope, receive, send, *rest)
            return
        if self._uploads and scope["type"] == "websocket":
            scope = _without_session_of_another(scope, self._uploads, self._credential(scope))
        await self._app(scope, receive, _guarded(send))

    async def _upload(
        self, uploads: Uploads, scope: Scope, receive: Receive, send: Send, *names: str
    ) -> None:
        """Let a file pass that the session may upload; end the request where it grows too large."""
        session, file_id = names if len(names) == 2 else ("", "")
        credential = self._credential(scope)
        try:
            if scope["method"] != "PUT":
                if scope["method"] != "OPTIONS":
                    uploads.check_session(session, credential)
                await self._app(scope, receive, _guarded(send))
                return
            upload = uploads.begin(session, file_id, credential, _length(scope))
            await _receive_file(self._app, scope, receive, _guarded(send), upload)
        except UploadRefused as refused:
            await _refuse(scope, send, refused.reason, refused.status)

    def _problem(self, scope: Scope) -> str:
        """Return why the request is refused; empty if it passes."""
        hosts = _values(scope, b"host")
        if len(hosts) != 1 or not is_known(hosts[0], self._hosts):
            return _HOST
        origins = _values(scope, b"origin")
        if not all(is_own_origin(each, hosts[0], self._hosts) for each in origins):
            return _ORIGIN
        if _is_embedded_elsewhere(scope):
            return _ORIGIN
        metrics = self._guarded and _endpoint(scope["path"])[0] == "metrics"
        return _METRICS if metrics else ""

    def _with_trusted_headers(self, scope: Scope) -> Scope:
        """Return the request without its user header, with its host set to that of its origin."""
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
        """Check whether a configured proxy sent the request.

        The web server replaces the forwarder's address by the one it names, with port 0. An address
        in the request itself proves nothing.
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


def _endpoint(path: str) -> list[str]:
    """Return the parts of a path below `/_stcore/`: the endpoint and its arguments."""
    return path.partition("/_stcore/")[2].split("/")


def _length(scope: Scope) -> int | None:
    """Return the declared length of the body; UploadRefused if it is not a number."""
    declared = _values(scope, b"content-length")
    if not declared:
        return None
    if len(declared) > 1 or not (declared[0].isascii() and declared[0].isdigit()):
        raise UploadRefused(400, "The Content-Length of this request is not a number.")
    return int(declared[0])


async def _receive_file(
    app: Application, scope: Scope, receive: Receive, send: Send, upload: Upload
) -> None:
    """Pass a file to `app`, counting its bytes; the id stays valid if the upload fails."""
    stored = refused = False

    async def receive_counted() -> Message:
        """Receive a part of the body; UploadRefused if it exceeds the limits or ends early."""
        nonlocal refused
        message = await receive()
        try:
            if message["type"] == "http.disconnect":
                raise UploadRefused(400, "The connection closed before the upload finished.")
            upload.receive(len(message.get("body", b"")))
        except UploadRefused:
            refused = True
            raise
        return message

    async def send_unless_refused(message: Message) -> None:
        """Send the answer of the application, unless the upload was refused."""
        nonlocal stored
        if refused:
            return  # what the application makes of the interruption
        if message["type"] == "http.response.start":
            stored = 200 <= message["status"] < 300
        await send(message)

    try:
        await app(scope, receive_counted, send_unless_refused)
    finally:
        if not stored:
            upload.fail()


def _without_session_of_another(scope: Scope, uploads: Uploads, credential: str) -> Scope:
    """Return a websocket request without the session to resume if another visitor owns it.

    Streamlit's client sends the id of the session as the third of the subprotocols.
    """
    offered = ",".join(_values(scope, b"sec-websocket-protocol")).split(",")
    session = "".join(offered[2:3]).strip()
    if not session or not uploads.belongs_to_another(session, credential):
        return scope
    kept = [each for each in scope["headers"] if each[0] != b"sec-websocket-protocol"]
    own = (b"sec-websocket-protocol", ",".join(offered[:2]).encode("latin-1"))
    return {**scope, "headers": [*kept, own], "subprotocols": scope.get("subprotocols", [])[:2]}


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _is_embedded_elsewhere(scope: Scope) -> bool:
    """Check whether a page of another site requests it, according to the browser."""
    sites = _values(scope, b"sec-fetch-site")
    goes = (_values(scope, b"sec-fetch-mode"), _values(scope, b"sec-fetch-dest"))
    return not {*sites} <= {"same-origin", "none"} and goes != (["navigate"], ["document"])


def _guarded(send: Send) -> Send:
    """Wrap `send` to add `HEADERS` to every answer."""

    async def send_with_headers(message: Message) -> None:
        """Send a message; the headers of a response replace the application's."""
        if message["type"] == "http.response.start":
            ours = {name for name, _ in HEADERS}
            others = [each for each in message.get("headers", ()) if each[0].lower() not in ours]
            message = {**message, "headers": [*others, *HEADERS]}
        await send(message)

    return send_with_headers


async def _refuse(scope: Scope, send: Send, problem: str, status: int = 403) -> None:
    """Answer with an error, or close the websocket; `problem` is shown to the visitor."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": problem})
        return
    text = (b"content-type", b"text/plain; charset=utf-8")
    await _guarded(send)({"type": "http.response.start", "status": status, "headers": [text]})
    await send({"type": "http.response.body", "body": problem.encode()})
