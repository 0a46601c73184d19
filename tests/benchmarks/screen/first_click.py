"""Seconds from the click on "Try the sample" to the first walkthrough.

python -m tests.benchmarks.screen.screen.first_click [SECONDS READING] [ROUNDS]

Every round has a server and a home of its own. The second click in each round finds everything
loaded. Compare with 0 seconds of reading, at which the embedder is not loaded ahead.
"""

import re
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.serving import serve

SHOWN = "globalThis.__hopWalkthrough?.data"


def click(page: Page, url: str, reading: float) -> float:
    page.goto(url)
    button = page.get_by_role("button", name=re.compile("(Try|Open) the sample"))
    button.wait_for()
    time.sleep(reading)
    began = time.perf_counter()
    button.click()
    page.wait_for_function(SHOWN, timeout=120_000, polling=20)
    return time.perf_counter() - began


def main(reading: float = 5.0, rounds: int = 5) -> None:
    cold, warm = [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for _ in range(rounds):
            home = Path(tempfile.mkdtemp())
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            with serve(home, home / "foreign.log") as server:
                cold.append(click(page, server.url, reading))
                warm.append(click(page, server.url, 0))
            page.close()
    print(f"{rounds} rounds, {reading:g} s of reading first")
    print(f"first click  median {median(cold):.2f} s, {min(cold):.2f} to {max(cold):.2f}")
    print(f"second click median {median(warm):.2f} s, {min(warm):.2f} to {max(warm):.2f}")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:2]), *map(int, sys.argv[2:3]))
