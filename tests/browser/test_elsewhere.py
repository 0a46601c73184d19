"""A page of another host or port, in a real browser, with a name that points at this machine."""

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.browser.serving import CHROMIUM, FLAGS, Server, idle, serve

NAME = "evil.example"
PATHS = ("/", "/_stcore/health", "/_stcore/host-config", "/_stcore/metrics", "/media/x")
CONNECT = """url => new Promise(done => {
    const socket = new WebSocket(url, ['streamlit']);
    socket.onopen = () => { socket.close(); done(true); };
    socket.onerror = () => done(false);
})"""


@pytest.fixture(scope="module")
def mapped(playwright: Any) -> Iterator[Any]:
    """A browser that takes `NAME` for this machine, as a rebound name is."""
    assert CHROMIUM
    rule = f"--host-resolver-rules=MAP {NAME} 127.0.0.1"
    launched = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, rule])
    yield launched
    launched.close()


@contextmanager
def page_of(html: str) -> Iterator[str]:
    """A server of one page, at another port of this machine."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_address[1]}/"
        running.shutdown()


def test_a_rebound_name_is_shown_no_index_and_opens_no_window(
    mapped: Any, server: Server, sample: Path
) -> None:
    page = mapped.new_page()
    port = server.url.rpartition(":")[2]
    for path in PATHS:
        answer = page.goto(f"http://{NAME}:{port}{path}")
        assert answer.status == 403
        assert "HOPRAG_HOSTS" in page.content()
        assert page.evaluate("fetch('/_stcore/health').then(a => a.status)") == 403
    assert page.evaluate(CONNECT, f"ws://{NAME}:{port}/_stcore/stream") is False
    put = "fetch('/_stcore/upload_file/a/b', {method: 'PUT', body: 'x'}).then(a => a.status)"
    assert page.evaluate(put) == 403
    page.close()
    assert sample.is_dir()


def test_a_page_of_another_port_opens_no_websocket_and_frames_nothing(
    mapped: Any, server: Server, sample: Path
) -> None:
    page = mapped.new_page()
    with page_of(f"<iframe src='{server.url}'></iframe>") as elsewhere:
        page.goto(elsewhere)
        socket = server.url.replace("http", "ws") + "/_stcore/stream"
        assert page.evaluate(CONNECT, socket) is False
        assert page.frames[1].locator("[data-testid=stApp]").count() == 0
        read = "url => fetch(url).then(a => a.text(), () => 'refused')"
        assert page.evaluate(read, server.url) == "refused"
        asked = "url => fetch(url, {mode: 'no-cors'}).then(() => 'sent', () => 'refused')"
        assert page.evaluate(asked, f"{server.url}/_stcore/metrics") == "refused"
    page.close()


def test_a_link_of_another_page_opens_the_application(mapped: Any, server: Server) -> None:
    page = mapped.new_page()
    with page_of(f"<a href='{server.url}/settings'>there</a>") as elsewhere:
        page.goto(elsewhere)
        page.get_by_text("there").click()
        page.wait_for_url(f"{server.url}/settings")
        idle(page)
        assert page.locator(".hop-title").inner_text() == "Settings"
        socket = server.url.replace("http", "ws") + "/_stcore/stream"
        assert page.evaluate(CONNECT, socket) is True
    page.close()


def test_a_name_of_the_settings_is_the_whole_application(mapped: Any, tmp_path: Path) -> None:
    page = mapped.new_page()
    open_to_all = {"HOPRAG_OPEN": "all visitors may build, delete and spend"}
    log = tmp_path / "foreign.log"
    with serve(tmp_path, log, HOPRAG_HOSTS=NAME, **open_to_all) as server:
        page.goto(f"http://{NAME}:{server.url.rpartition(':')[2]}/")
        idle(page)
        assert page.locator(".hop-title").inner_text() == "HopRAG Explorer"
    page.close()
