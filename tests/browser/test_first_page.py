"""Whatever address is opened first on a fresh server, it is the whole application."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.browser.serving import HERE, idle, serve

TITLES = {
    "": "HopRAG Explorer",
    "corpus": "Corpus",
    "build": "Build",
    "explore": "Explore",
    "trace": "Trace",
    "compare": "Compare",
    "settings": "Settings",
}


@pytest.mark.parametrize("path", TITLES)
def test_each_page_may_be_opened_first(browser: Any, tmp_path: Path, path: str) -> None:
    page = browser.new_page()
    with serve(tmp_path, tmp_path / "foreign.log") as server:
        page.goto(f"{server.url}/{path}?index=none")
        idle(page)
        assert TITLES[path] in page.locator(".hop-title").inner_text()
        assert page.get_by_test_id("stSidebarNavLink").count() == len(TITLES)
        assert server.foreign == []
    page.close()


def test_the_guard_notes_who_is_called(tmp_path: Path) -> None:
    log = tmp_path / "foreign.log"
    code = (
        "import socket\n"
        "for host in ('127.0.0.1', '192.0.2.1'):\n"
        "    with socket.socket() as s:\n"
        "        s.settimeout(0.2)\n"
        "        try: s.connect((host, 9))\n"
        "        except OSError: pass\n"
    )
    environ = {**os.environ, "PYTHONPATH": str(HERE / "guard"), "HOPRAG_TEST_NETWORK_LOG": str(log)}
    subprocess.run([sys.executable, "-c", code], env=environ, check=True)
    assert log.read_text().splitlines() == ["socket.connect 192.0.2.1"]
