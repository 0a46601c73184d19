"""Whatever address is opened first on a fresh server, it is the whole application."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from core.colours import FILLS
from tests.browser.serving import HERE, Server, idle, serve

TITLES = {
    "": "HopRAG Explorer",
    "corpus": "Corpus",
    "build": "Build",
    "explore": "Explore",
    "trace": "Trace",
    "compare": "Compare",
    "evaluate": "Evaluate",
    "studies": "Studies",
    "errors": "Errors",
    "methods": "Methods",
    "settings": "Settings",
    "help": "Help",
}


def is_whole(window: Any, server: Server, path: str) -> None:
    page = window.new_page()
    page.goto(f"{server.url}/{path}?index=none")
    idle(page)
    assert TITLES[path] in page.locator(".hop-title").inner_text()
    assert page.get_by_test_id("stSidebarNavLink").count() == len(TITLES)
    page.close()


def test_the_first_page_of_a_server_is_whole(window: Any, tmp_path: Path) -> None:
    with serve(tmp_path, tmp_path / "foreign.log", "--server.address", "127.0.0.1") as server:
        assert server.foreign == []  # nobody is asked for the outer address
        is_whole(window, server, "trace")
        assert server.foreign == []


def test_each_page_may_be_the_first_of_a_visit(window: Any, server: Server) -> None:
    for path in TITLES:
        is_whole(window, server, path)


def test_settings_are_one_column_on_a_projector(page: Any, server: Server) -> None:
    """In two, values were broken by letter."""
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto(f"{server.url}/settings")
    idle(page)
    value = page.locator(".st-key-settings_environment td", has_text="not set").first
    line = "of => Number.parseFloat(getComputedStyle(of).lineHeight)"
    assert value.locator("..").bounding_box()["height"] < 4 * value.evaluate(line)
    boxes = [
        page.locator(f".st-key-settings_{one}").bounding_box() for one in ("main", "installed")
    ]
    assert boxes[1]["width"] > 0.9 * boxes[0]["width"]


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


def test_a_theme_is_chosen_for_all_pages_and_charts_follow(
    page: Any, server: Server, sample: Path
) -> None:
    ground = "() => getComputedStyle(document.querySelector('.stApp')).backgroundColor"

    def opened(path: str) -> str:
        page.goto(f"{server.url}/{path}?index=sample")
        idle(page)
        return page.evaluate(ground)

    def choose(theme: str) -> None:
        page.get_by_test_id("stMainMenu").locator("button").click()
        page.get_by_test_id("stMainMenuPopover").get_by_text(theme).click()
        page.keyboard.press("Escape")
        idle(page)

    light = opened("build")
    bars = page.get_by_test_id("stVegaLiteChart").locator(f"[fill='{FILLS['first'].dark}']")
    assert bars.count() == 0
    choose("Dark")
    bars.first.wait_for()
    dark = page.evaluate(ground)
    assert (opened("methods"), opened("")) == (dark, dark)
    choose("Light")
    assert opened("build") == light
