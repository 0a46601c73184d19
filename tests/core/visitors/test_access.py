"""What the access middleware lets through, by the scopes that a web server makes of requests."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from core.visitors.access import HEADERS, AccessMiddleware
from core.visitors.rules import Rules, read_rules
from core.visitors.uploads import UploadLimits, Uploads

HOST = "127.0.0.1:8501"
PATHS = (
    "/",
    "/_stcore/health",
    "/_stcore/host-config",
    "/_stcore/metrics",
    "/_stcore/stream",
    "/_stcore/upload_file/session/file",
    "/media/x.csv",
    "/component/x/index.html",
    "/static/js/index.js",
)
BEHIND = {"HOPRAG_USER_HEADER": "X-Email", "HOPRAG_PROXIES": "10.0.0.5"}


def through(
    path: str = "/",
    kind: str = "http",
    rules: Rules | None = None,
    client: tuple[str, int] = ("127.0.0.1", 50_000),
    also: tuple[tuple[str, str], ...] = (),
    **options: Any,
) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
    """The scope as the application saw it, None if it did not; and what was sent back."""
    seen: list[dict[str, Any]] = []
    sent: list[dict[str, Any]] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope)
        start = {"type": "http.response.start", "status": 200}
        await send({**start, "headers": [(b"x-frame-options", b"ALLOWALL"), (b"x", b"y")]})

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(name.encode(), value.encode()) for name, value in also]
    if not any(name == "host" for name, _ in also):
        headers.append((b"host", HOST.encode()))
    scope = {"type": kind, "path": path, "headers": headers, "client": client}
    middleware = AccessMiddleware(application, rules=rules or Rules(), **options)
    # In a thread of its own: the browser of other tests keeps a loop running in this one.
    with ThreadPoolExecutor(1) as own:
        own.submit(lambda: asyncio.run(middleware(scope, None, send))).result()
    return (seen[0] if seen else None), sent


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "also",
    [
        (("host", "evil.example:8501"),),
        (("host", HOST), ("host", "evil.example")),
        (("host", ""),),
        (("origin", "http://evil.example"),),
        (("origin", "http://127.0.0.1:3000"),),
        (("origin", "null"),),
        (("sec-fetch-site", "same-site"), ("sec-fetch-mode", "no-cors")),
        (
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "navigate"),
            ("sec-fetch-dest", "iframe"),
        ),
    ],
)
def test_nothing_is_answered_to_another_host_or_origin(
    path: str, also: tuple[tuple[str, str], ...]
) -> None:
    seen, sent = through(path, also=also)
    assert seen is None
    assert sent[0]["status"] == 403
    assert set(HEADERS) <= set(sent[0]["headers"])
    assert b"evil" not in sent[1]["body"]


def test_a_websocket_from_elsewhere_is_closed_before_it_is_opened() -> None:
    for also in ((("host", "evil.example"),), (("origin", "http://127.0.0.1:3000"),)):
        seen, sent = through("/_stcore/stream", "websocket", also=also)
        assert seen is None
        assert [each["type"] for each in sent] == ["websocket.close"]


@pytest.mark.parametrize("path", PATHS)
def test_its_own_pages_pass(path: str) -> None:
    own = (("origin", f"http://{HOST}"), ("sec-fetch-site", "same-origin"))
    assert through(path, also=own)[0]
    assert through(path)[0]


def test_a_link_elsewhere_may_lead_here() -> None:
    link = (
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-mode", "navigate"),
        ("sec-fetch-dest", "document"),
    )
    assert through(also=link)[0]


def test_no_answer_may_be_framed_or_load_from_elsewhere() -> None:
    headers = through()[1][0]["headers"]
    assert (b"x", b"y") in headers
    assert [value for name, value in headers if name == b"x-frame-options"] == [b"DENY"]
    policy = dict(HEADERS)[b"content-security-policy"].decode()
    assert "frame-ancestors 'none'" in policy
    assert "http:" not in policy
    assert "*" not in policy


def test_the_host_is_that_of_the_origin_when_a_proxy_asks_under_its_own() -> None:
    rules = read_rules({"HOPRAG_HOSTS": "hoprag.example.org"})
    seen, _ = through(rules=rules, also=(("origin", "https://hoprag.example.org"),))
    assert seen
    assert dict(seen["headers"])[b"host"] == b"hoprag.example.org"


def believed(
    client: tuple[str, int],
    *also: tuple[str, str],
    settings: dict[str, str] = BEHIND,
    **options: Any,
) -> bool:
    """Whether the application saw the name that the request gives."""
    named = (*also, ("x-email", "ada@example.org"))
    seen, _ = through(rules=read_rules(settings), client=client, also=named, **options)
    assert seen
    return b"x-email" in dict(seen["headers"])


def test_a_name_is_believed_of_a_named_proxy_only() -> None:
    assert believed(("10.0.0.5", 41_000))
    assert believed(("::ffff:10.0.0.5", 41_000))
    assert believed(("10.0.0.5", 41_000), ("x-forwarded-for", "203.0.113.9"))
    assert not believed(("203.0.113.9", 41_000))
    assert not believed(("127.0.0.1", 41_000))
    assert not believed(("10.0.0.5", 41_000), ("x-email", "twice@example.org"))


def test_a_forwarded_address_makes_nobody_a_proxy() -> None:
    # The web server has put what the request says in the place of who sent it.
    assert not believed(("10.0.0.5", 0), ("x-forwarded-for", "10.0.0.5"))
    assert not believed(("10.0.0.5", 99), ("x-forwarded-for", "10.0.0.5:99"))
    assert not believed(("203.0.113.9", 0), ("x-forwarded-for", "203.0.113.9"))


def test_a_proxy_on_this_machine_forwards_the_address_of_the_visitor() -> None:
    here = {**BEHIND, "HOPRAG_PROXIES": "127.0.0.1"}
    forwarded = ("x-forwarded-for", "203.0.113.9")
    assert believed(("203.0.113.9", 0), forwarded, settings=here)
    assert believed(("127.0.0.1", 41_000), settings=here)
    # A stranger who comes past the proxy and names an address, or the server believes everybody.
    assert not believed(("203.0.113.9", 41_000), forwarded, settings=here)
    assert not believed(("203.0.113.9", 0), forwarded, settings=here, forwarders=("*",))


UPLOAD = "/_stcore/upload_file"
JUST_ENOUGH = UploadLimits(file=100, session=100, person=100)


def put(
    uploads: Uploads,
    path: str,
    *pieces: bytes,
    who: str = "ada",
    method: str = "PUT",
    length: str = "",
) -> tuple[int, int]:
    """The status of an upload, and how many bytes of it the application read."""
    read, sent = 0, []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        nonlocal read
        while True:
            message = await receive()
            read += len(message.get("body", b""))
            if not message.get("more_body"):
                break
        session, file_id = scope["path"].rpartition("upload_file/")[2].split("/")
        uploads.keep(session, file_id, read)
        await send({"type": "http.response.start", "status": 204, "headers": []})

    body = list(pieces)

    async def receive() -> dict[str, Any]:
        piece = body.pop(0) if body else b""
        return {"type": "http.request", "body": piece, "more_body": bool(body)}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", HOST.encode()), (b"x-who", who.encode())]
    headers += [(b"content-length", length.encode())] if length else []
    scope = {"type": "http", "path": path, "method": method, "headers": headers}
    scope["client"] = ("127.0.0.1", 50_000)
    middleware = AccessMiddleware(
        application,
        rules=Rules(),
        uploads=uploads,
        credential=lambda scope: dict(scope["headers"])[b"x-who"].decode(),
    )
    with ThreadPoolExecutor(1) as own:
        own.submit(lambda: asyncio.run(middleware(scope, receive, send))).result()
    return sent[0]["status"], read


@pytest.fixture
def uploads() -> Uploads:
    made = Uploads(JUST_ENOUGH)
    made.admit("s", "ada", may_upload=True, credential="ada")
    made.admit("r", "rae", may_upload=False, credential="rae")
    return made


def test_a_file_is_received_under_an_id_of_the_session(uploads: Uploads) -> None:
    for base in ("", "/base"):
        (file_id,) = uploads.issue("s", 1)
        assert put(uploads, f"{base}{UPLOAD}/s/{file_id}", b"x" * 20, b"x" * 20) == (204, 40)
    assert uploads.held("s") == 80


def test_nobody_uploads_under_another_id_or_for_another_visitor(uploads: Uploads) -> None:
    (file_id,) = uploads.issue("s", 1)
    for path, who in (
        (f"{UPLOAD}/s/invented", "ada"),
        (f"{UPLOAD}/s/{file_id}", "eve"),
        (f"{UPLOAD}/s/{file_id}", "rae"),
        (f"{UPLOAD}/r/{file_id}", "ada"),
        (f"{UPLOAD}/r/{file_id}", "rae"),
        (f"{UPLOAD}/unknown/{file_id}", "ada"),
        (f"{UPLOAD}/s/{file_id}/x", "ada"),
        (UPLOAD, "ada"),
    ):
        assert put(uploads, path, b"x", who=who) == (403, 0)
    assert put(uploads, f"{UPLOAD}/s/{file_id}", who="eve", method="DELETE") == (403, 0)
    assert put(uploads, f"{UPLOAD}/s/{file_id}", who="eve", method="POST") == (403, 0)


def test_a_file_that_is_too_large_is_not_read_or_cut(uploads: Uploads) -> None:
    (file_id,) = uploads.issue("s", 1)
    path = f"{UPLOAD}/s/{file_id}"
    assert put(uploads, path, b"x", length="101") == (413, 0)
    assert put(uploads, path, b"x", length="1e9") == (400, 0)
    assert put(uploads, path, *([b"x" * 60] * 9), length="60") == (413, 60)
    assert put(uploads, path, *([b"x" * 60] * 9)) == (413, 60)
    assert uploads.held("s") == 0
    assert put(uploads, path, b"x" * 100)[0] == 204


def test_a_visitor_resumes_a_session_of_their_own_only(uploads: Uploads) -> None:
    def resumed(session: str, who: str) -> str:
        offered = (("sec-websocket-protocol", f"streamlit, token, {session}"), ("x-who", who))
        seen, _ = through(
            "/_stcore/stream",
            "websocket",
            also=offered,
            uploads=uploads,
            credential=lambda scope: dict(scope["headers"])[b"x-who"].decode(),
        )
        assert seen
        return dict(seen["headers"])[b"sec-websocket-protocol"].decode()

    assert resumed("s", "ada") == "streamlit, token, s"
    assert resumed("s", "eve") == "streamlit, token"
    assert resumed("unknown", "eve") == "streamlit, token, unknown"


def test_metrics_are_for_nobody_where_visitors_are_told_apart() -> None:
    assert through("/_stcore/metrics", guarded=True)[0] is None
    assert through("/base/_stcore/metrics", guarded=True)[0] is None
    assert through("/_stcore/health", guarded=True)[0]
    assert through("/_stcore/metrics")[0]
