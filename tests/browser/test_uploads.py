"""A server behind a proxy, and uploads by clients that send what they like: an editor's, a
reader's and a stranger's.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser.client import Client
from tests.browser.serving import Server, idle, serve

ADA, RAE, EVE = "ada@example.org", "rae@example.org", "eve@example.org"
MB = 2**20
Visit = Callable[..., Client]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Files of 1 MB at most, and a second until a session that is gone has ended."""
    home = tmp_path_factory.mktemp("uploading")
    flags = ("--server.maxUploadSize", "1", "--server.disconnectedSessionTTL", "1")
    with serve(
        home,
        home / "foreign.log",
        *flags,
        HOPRAG_EDITORS=ADA,
        HOPRAG_READERS=RAE,
        HOPRAG_USER_HEADER="X-Email",
        HOPRAG_PROXIES="127.0.0.1",
    ) as running:
        yield running
    assert "Traceback" not in (home / "server.log").read_text()


def visit(server: Server, who: str, resume: str = "") -> Client:
    return Client(server.url, {"X-Email": who}, resume)


def test_a_proxy_says_who_is_there(browser: Any, server: Server) -> None:
    context = browser.new_context(extra_http_headers={"X-Email": ADA})
    page = context.new_page()
    page.goto(server.url)
    idle(page)
    assert page.get_by_test_id("stSidebarNavLink").count() > 0
    assert "did not" not in page.content()
    context.close()


def test_readers_and_strangers_upload_nothing(server: Server) -> None:
    for who in (RAE, EVE):
        with visit(server, who) as client:
            assert client.upload_urls(3) == []
            assert client.put(f"/_stcore/upload_file/{client.session}/invented") == 403


def test_an_editor_uploads_only_what_a_page_asked_for(server: Server) -> None:
    with visit(server, ADA) as ada, visit(server, ADA) as other, visit(server, RAE) as rae:
        assert ada.put(f"/_stcore/upload_file/{ada.session}/invented") == 403
        (path,) = ada.upload_urls()
        assert rae.put(path) == 403
        assert rae.put(path, method="DELETE") == 403
        assert other.put(path.replace(ada.session, other.session)) == 403
        assert ada.put(path) == 204
        assert ada.put(path) == 403
        assert ada.put(path, method="DELETE") == 204


def test_uploads_are_limited_while_they_arrive_and_freed_when_the_session_ends(
    server: Server,
) -> None:
    with visit(server, ADA) as ada:
        (path,) = ada.upload_urls()
        assert ada.put(path, 2 * MB) == 413
        assert ada.put(path, 2 * MB, chunked=True) == 413
        ada.leave_off(path, MB // 2)
        sizes = [ada.put(each, MB - 1000) for each in ada.upload_urls(4)]
        assert sizes == [204, 204, 204, 413]
        with visit(server, ADA) as second:
            sizes = [second.put(each, MB - 1000) for each in second.upload_urls(3)]
            assert sizes == [204, 204, 413]  # five of one person
    with visit(server, ADA) as back:
        for _ in range(50):
            time.sleep(0.2)
            (path,) = back.upload_urls()
            if back.put(path, MB - 1000) == 204:
                break
        else:
            pytest.fail("what sessions that ended held was not freed")


def test_a_session_is_resumed_by_its_own_visitor_only(server: Server) -> None:
    with visit(server, ADA) as ada:
        with visit(server, RAE, resume=ada.session) as rae:
            assert rae.session != ada.session
        assert ada.upload_urls()  # the session goes on
        with visit(server, ADA, resume=ada.session) as again:
            assert again.session == ada.session
