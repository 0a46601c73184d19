"""Memory of processes: this one's peak, and the application's with an index open."""

import os
import resource
import tempfile
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import sync_playwright

from tests.browser.serving import CHROMIUM, FLAGS, idle, serve

_NAME = "measured"


def own_peak() -> float:
    """GB that this process has held at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9


def of_app(folder: Path, questions: Sequence[str]) -> tuple[float, float]:
    """GB that the application's process holds, and has held at most, with the index `folder` open.

    A browser traces every question of `questions`, compares retrievers on the last, and explores
    the graph; then the process' resident set (VmRSS) and its peak (VmHWM) are read. Linux only.
    """
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        home = Path(scratch)
        (home / "indexes").mkdir()
        (home / "indexes" / _NAME).symlink_to(folder.resolve(), target_is_directory=True)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(120_000)
        with serve(home, home / "network.log") as server:
            for text in questions:
                asked = urlencode({"index": _NAME, "q": text})
                page.goto(f"{server.url}/trace?{asked}")
                page.locator(".walkthrough .headline").wait_for()
                idle(page)
            for visited in (f"compare?{asked}", f"explore?index={_NAME}"):
                page.goto(f"{server.url}/{visited}")
                idle(page)
            status = _status_of_server()
        browser.close()
    return status["VmRSS"], status["VmHWM"]


def _status_of_server() -> dict[str, float]:
    """The sizes in the kernel's account of the server that this process has started, in GB."""
    own = os.getpid()
    children = Path(f"/proc/{own}/task/{own}/children").read_text().split()
    folders = [Path(f"/proc/{child}") for child in children]
    (server,) = (f for f in folders if b"streamlit" in (f / "cmdline").read_bytes().split(b"\0"))
    lines = (line.split() for line in (server / "status").read_text().splitlines())
    return {line[0][:-1]: int(line[1]) * 1024 / 1e9 for line in lines if line[-1] == "kB"}
