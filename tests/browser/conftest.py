"""A server of our own, and a real Chromium that is watched for errors and for foreign requests."""

import os
import re
import shutil
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from core.marks import FILE
from tests.browser.oidc import ADA, RAE, Provider, provider
from tests.browser.serving import (
    ASKED,
    CHROMIUM,
    FLAGS,
    HERE,
    UNANIMATED,
    Server,
    free_port,
    serve,
)
from tests.core.lost_gold.conftest import five  # noqa: F401 (a fixture here, too)
from tests.estmark import NAME

sync_api = pytest.importorskip("playwright.sync_api")

# Streamlit asks for these beside a page's address before it asks at the root.
EXPECTED_404 = re.compile(r"/\w+/_stcore/(health|host-config)$")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without Chromium these tests are skipped, but not where CI forbids it.

    One that fails is tried once more, which the report counts: on a loaded machine a browser may
    lose its server or run out of time.
    """
    for item in items:
        if not item.path.is_relative_to(HERE):
            continue
        item.add_marker(pytest.mark.browser)
        item.add_marker(pytest.mark.flaky(reruns=1))
        if CHROMIUM is None and not os.environ.get("CI"):
            item.add_marker(pytest.mark.skip(reason="Debian's chromium is not installed"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """A failure tells what the page said."""
    report = yield
    given = getattr(item, "funcargs", {})
    tab = given.get("page") or given.get("reviewing")
    if report.failed and report.when == "call" and tab:
        report.sections.append((f"page {tab.url}", tab.locator("body").inner_text()[:3000]))
    return report


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The application with an empty home of its own."""
    log = tmp_path_factory.mktemp("network") / "foreign.log"
    with serve(tmp_path_factory.mktemp("home"), log) as running:
        yield running


@pytest.fixture(scope="session")
def idp() -> Iterator[Provider]:
    with provider() as running:
        yield running


@pytest.fixture(scope="session")
def guarded(idp: Provider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The application for Ada, who may edit, and Rae, who may look."""
    home = tmp_path_factory.mktemp("guarded")
    port = free_port()
    secrets = home / "secrets.toml"
    secrets.write_text(idp.secrets(f"http://127.0.0.1:{port}", RAE))
    flags = ("--secrets.files", str(secrets))
    with serve(home, home / "foreign.log", *flags, port=port, HOPRAG_EDITORS=ADA) as running:
        yield running
    assert running.foreign == []


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
def playwright() -> Iterator[Any]:
    """A process has one at a time, so all browsers of a run are started from it."""
    with sync_api.sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Any) -> Iterator[Any]:
    assert CHROMIUM, "CI has to install chromium"
    launched = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    yield launched
    launched.close()


@pytest.fixture(scope="session")
def window(browser: Any, server: Server) -> Iterator[Any]:
    """A window for all tabs: one of its own would load and compile all scripts for each test.

    Its first tab shows nothing and stays, and with it the process in which they are compiled.
    """
    opened = browser.new_context(viewport={"width": 1440, "height": 900})
    opened.add_init_script(ASKED)
    opened.add_init_script(UNANIMATED)
    opened.grant_permissions(["clipboard-read", "clipboard-write"])
    opened.new_page().goto(f"{server.url}/_stcore/health")
    yield opened
    opened.close()


def forget(window: Any, url: str) -> None:
    """Close all tabs of a window but its first, with what `url` has kept; its cache stays."""
    window.set_offline(False)
    first, *others = window.pages
    for tab in others:
        tab.close()
    window.clear_cookies()
    devtools = window.new_cdp_session(first)
    kept = {"origin": url, "storageTypes": "local_storage,indexeddb,cache_storage"}
    devtools.send("Storage.clearDataForOrigin", kept)
    devtools.detach()


@pytest.fixture
def page(window: Any, server: Server) -> Iterator[Any]:
    """A tab of its own. The test fails if anything in it went wrong or reached out.

    Indexes that the test adds are gone when it ends, as all tests of a worker share the server.
    """
    watch = Watch(server.url)
    indexes = server.home / "indexes"
    before = set(indexes.glob("*"))
    tab = window.new_page()
    tab.set_default_timeout(40_000)
    watch.follow(tab)
    yield tab
    forget(window, server.url)
    for added in set(indexes.glob("*")) - before:
        shutil.rmtree(added)
    assert watch.troubles == []
    assert server.foreign == []


@pytest.fixture(scope="session")
def built_sample(server: Server, sample_index: Path) -> Path:
    """The sample's index in the server's home."""
    here = server.home / "indexes" / NAME
    return here if here.exists() else Path(shutil.copytree(sample_index, here))


@pytest.fixture
def sample(built_sample: Path) -> Iterator[Path]:
    """The sample's index. What a test marks there is gone when it ends."""
    yield built_sample
    (built_sample / FILE).unlink(missing_ok=True)
