"""What passes the door and what does not, by the scopes that a web server makes of requests."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from core.visitors.door import HEADERS, Door
from core.visitors.rules import Rules, read_rules

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
    **door: Any,
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
    door_of = Door(application, rules=rules or Rules(), **door)
    # In a thread of its own: the browser of other tests keeps a loop running in this one.
    with ThreadPoolExecutor(1) as own:
        own.submit(lambda: asyncio.run(door_of(scope, None, send))).result()
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
    client: tuple[str, int], *also: tuple[str, str], settings: dict[str, str] = BEHIND, **door: Any
) -> bool:
    """Whether the application saw the name that the request gives."""
    named = (*also, ("x-email", "ada@example.org"))
    seen, _ = through(rules=read_rules(settings), client=client, also=named, **door)
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


def test_files_are_taken_of_those_who_were_let_in() -> None:
    known = {"known"}.__contains__
    assert through("/_stcore/upload_file/known/1", admitted=known)[0]
    assert through("/base/_stcore/upload_file/known/1", admitted=known)[0]
    for path in ("/_stcore/upload_file/other/1", "/_stcore/upload_file", "/_stcore/metrics"):
        assert through(path, admitted=known)[0] is None
    assert through("/_stcore/health", admitted=known)[0]
