"""A client of Streamlit's protocol that sends what it likes, as a visitor with tools may."""

import http.client
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from types import TracebackType
from urllib.parse import urlsplit
from uuid import uuid4

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect

_PIECE = b"x" * 2**16


@dataclass
class Client:
    """A session of the application at `url`, whose requests carry `headers`.

    With `resume`, it asks for the session of that id instead of a new one.
    """

    url: str
    headers: dict[str, str] = field(default_factory=dict)
    resume: str = ""
    cookies: str = ""
    session: str = ""
    widgets: dict[str, str] = field(default_factory=dict)
    """Ids of the buttons of the page, by label."""
    redirect: str = ""
    """Where the server has sent the browser to, as when signing in."""

    def __enter__(self) -> "Client":
        cookie = self._xsrf_cookie()
        offered = ["streamlit", cookie.partition("=")[2], *filter(None, [self.resume])]
        self._cookie = "; ".join(filter(None, (cookie, self.cookies)))
        self._token = offered[1]
        self._socket: ClientConnection = connect(
            f"ws{self.url.removeprefix('http')}/_stcore/stream",
            subprotocols=offered,  # type: ignore[arg-type]
            additional_headers={**self.headers, "Cookie": self._cookie},
            max_size=None,
        )
        asked = BackMsg()
        asked.rerun_script.query_string = ""
        self._socket.send(asked.SerializeToString())
        self._until("script_finished")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._socket.close()

    def press(self, label: str) -> None:
        """Press a button of the page."""
        asked = BackMsg()
        asked.rerun_script.widget_states.widgets.add(id=self.widgets[label], trigger_value=True)
        self._socket.send(asked.SerializeToString())
        self._until("script_finished")

    def upload_urls(self, count: int = 1) -> list[str]:
        """The addresses that the server issues for `count` files."""
        asked = BackMsg()
        asked.file_urls_request.request_id = "asked"
        asked.file_urls_request.file_names.extend(["a.txt"] * count)
        asked.file_urls_request.session_id = self.session
        self._socket.send(asked.SerializeToString())
        answer = self._until("file_urls_response").file_urls_response
        return [each.upload_url for each in answer.file_urls]

    def put(self, path: str, size: int = 10, *, chunked: bool = False, method: str = "PUT") -> int:
        """Upload a file of `size` bytes to `path`; the status of the response."""
        boundary = uuid4().hex
        pieces = list(_multipart(boundary, size))
        headers = {
            "Content-Type": f"multipart/form-data; boundary={boundary}",
            "Cookie": self._cookie,
            "X-Xsrftoken": self._token,
            **self.headers,
        }
        if not chunked:
            headers["Content-Length"] = str(sum(map(len, pieces)))
        with closing(self._connection()) as connection:
            # The server may answer before it has read all.
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.request(method, path, iter(pieces), headers, encode_chunked=chunked)
            with closing(connection.getresponse()) as response:
                return response.status

    def leave_off(self, path: str, size: int) -> None:
        """Begin to upload a file, and close the connection after `size` bytes."""
        connection = self._connection()
        connection.putrequest("PUT", path)
        for name, value in (
            ("Content-Type", "multipart/form-data; boundary=b"),
            ("Cookie", self._cookie),
            ("X-Xsrftoken", self._token),
            ("Content-Length", str(2 * size)),
            *self.headers.items(),
        ):
            connection.putheader(name, value)
        connection.endheaders(b"".join(_multipart("b", size))[:size])
        connection.close()

    def _connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=60)

    def _xsrf_cookie(self) -> str:
        with closing(self._connection()) as connection:
            connection.request("GET", "/_stcore/health", headers=self.headers)
            with closing(connection.getresponse()) as response:
                return str(response.getheader("Set-Cookie", "")).partition(";")[0]

    def _until(self, kind: str) -> ForwardMsg:
        """Receive messages until one of that kind."""
        while True:
            message = ForwardMsg()
            message.ParseFromString(self._socket.recv(timeout=60))
            if message.WhichOneof("type") == "new_session":
                self.session = message.new_session.initialize.session_id
                self.widgets.clear()
            button = message.delta.new_element.button
            if button.id:
                self.widgets[button.label] = button.id
            self.redirect = message.auth_redirect.url or self.redirect
            if message.WhichOneof("type") == kind:
                return message


def _multipart(boundary: str, size: int) -> Iterator[bytes]:
    disposition = 'Content-Disposition: form-data; name="f"; filename="a.txt"'
    yield f"--{boundary}\r\n{disposition}\r\nContent-Type: text/plain\r\n\r\n".encode()
    for _ in range(size // len(_PIECE)):
        yield _PIECE
    yield _PIECE[: size % len(_PIECE)] + f"\r\n--{boundary}--\r\n".encode()
