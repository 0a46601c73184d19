"""A server of our own, and a real Chromium that is watched for errors and for foreign requests."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

sync_api = pytest.importorskip("playwright.sync_api")

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
SHOTS = HERE / "screenshots"
CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
# Streamlit asks for these beside a page's address before it asks at the root.
EXPECTED_404 = re.compile(r"/\w+/_stcore/(health|host-config)$")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without Chromium these tests are skipped, but not where CI forbids it."""
    for item in items:
        if not item.path.is_relative_to(HERE):
            continue
        item.add_marker(pytest.mark.browser)
        if CHROMIUM is None and not os.environ.get("CI"):
            item.add_marker(pytest.mark.skip(reason="Debian's chromium is not installed"))


@dataclass(frozen=True)
class Server:
    """The application, running. `foreign` lists whom it tried to reach beyond loopback."""

    url: str
    home: Path
    log: Path

    @property
    def foreign(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """`streamlit run app.py` with an empty home of its own."""
    home = tmp_path_factory.mktemp("home")
    log = tmp_path_factory.mktemp("network") / "foreign.log"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environ = {
        **os.environ,
        "HOPRAG_HOME": str(home),
        "HOPRAG_TEST_NETWORK_LOG": str(log),
        "PYTHONPATH": str(HERE / "guard"),
    }
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    with (home / "server.log").open("wb") as output:
        process = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=output, stderr=output)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{url}/_stcore/health", process)
        yield Server(url, home, log)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()


def _wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        assert process.poll() is None, "the server ended; see server.log in its home"
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server did not answer within 30 s")


@dataclass
class Watch:
    """What a page did that it should not have done."""

    base: str
    troubles: list[str] = field(default_factory=list)

    def follow(self, page: Any) -> None:
        page.on("request", self._request)
        page.on("response", self._response)
        page.on("pageerror", lambda error: self.troubles.append(f"error: {error}"))
        page.on("dialog", lambda dialog: self.troubles.append(f"dialog: {dialog.message}"))
        page.on("console", self._console)

    def _request(self, request: Any) -> None:
        inside = (self.base, self.base.replace("http", "ws"), "data:", "blob:", "about:")
        if not request.url.startswith(inside):
            self.troubles.append(f"foreign request: {request.url}")

    def _response(self, response: Any) -> None:
        if response.status >= 400 and not EXPECTED_404.search(response.url):
            self.troubles.append(f"{response.status}: {response.url}")

    def _console(self, message: Any) -> None:
        where = message.location.get("url", "")
        if message.type == "error" and not EXPECTED_404.search(where):
            self.troubles.append(f"console: {message.text} {where}")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    assert CHROMIUM, "CI has to install chromium"
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def page(browser: Any, server: Server) -> Iterator[Any]:
    """A tab of its own. The test fails if anything in it went wrong or reached out."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    watch = Watch(server.url)
    tab = context.new_page()
    tab.set_default_timeout(20_000)
    watch.follow(tab)
    yield tab
    context.close()
    assert watch.troubles == []
    assert server.foreign == []


def idle(page: Any, quiet_ms: int = 300) -> None:
    """Wait until Streamlit has run the page and stays quiet; fail on a traceback."""
    page.wait_for_function(
        """quiet => {
            const app = document.querySelector('[data-testid="stApp"]');
            const ready = app && app.dataset.testScriptState === 'notRunning'
                && app.dataset.testConnectionState === 'CONNECTED'
                && !document.querySelector('[data-testid$="Skeleton"]');
            if (!ready) { window.__quiet = null; return false; }
            window.__quiet = window.__quiet || performance.now();
            return performance.now() - window.__quiet > quiet;
        }""",
        arg=quiet_ms,
        polling=50,
    )
    assert page.locator('[data-testid="stException"]').count() == 0


def shoot(page: Any, name: str) -> None:
    """Screenshots of the page as it is: two sizes, light and dark."""
    SHOTS.mkdir(exist_ok=True)
    for width, height in ((1440, 900), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_timeout(400)
            page.screenshot(path=SHOTS / f"{name}-{width}-{scheme}.png")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1440, "height": 900})


@pytest.fixture(scope="session")
def sample(server: Server) -> Path:
    """The sample's index in the server's home, built once by the command line."""
    folder = server.home / "indexes" / "sample"
    if not folder.exists():
        sources = [str(path) for path in (ROOT / "assets" / "sample").glob("*.jsonl")]
        command = [sys.executable, "-m", "core", "build", *sources, "--index", str(folder)]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder
