"""How fast the screen answers, on the sample, in a real browser.

    python tests/benchmarks/screen.py

Starts the application with a home of its own and prints each figure beside its limit: from a click
in the menu to a page that is usable, and from a key to the repainted graph.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.sample import CORPUS, NAME, QUESTIONS, suggested
from tests.browser.serving import CHROMIUM, FLAGS, build_index, idle, serve

TITLES = {
    "Corpus": "Corpus",
    "Build": "Build",
    "Explore": "Explore",
    "Trace": "Trace",
    "Compare": "Compare",
    "Settings": "Settings",
    "Start": "HopRAG Explorer",
}
QUIET = 100  # ms in which nothing more happens; taken off again
# Milliseconds until the first frame after the painter has changed the graph; null if the step
# changes nothing in it.
PAINTED = """async key => {
    const graph = [...globalThis.__hopGraph.values()][0];
    const look = () => [...graph.roles.nodes].join() + [...graph.roles.edges].join();
    const story = () => document.querySelector('.tr-step')?.textContent;
    const before = look(), told = story(), begun = performance.now();
    document.activeElement?.blur();
    document.body.dispatchEvent(new KeyboardEvent('keydown', {key, code: key, bubbles: true}));
    let toldAt = 0;
    while (look() === before) {
        await new Promise(requestAnimationFrame);
        if (!toldAt && story() !== told) toldAt = performance.now();
        if (toldAt && performance.now() - toldAt > 1000) return null;
    }
    await new Promise(requestAnimationFrame);
    return performance.now() - begun;
}"""


def clicks(page: Any) -> list[tuple[str, float]]:
    """Seconds from a click in the menu until the page is there and quiet, after a first round."""
    found = []
    for turn in range(2):
        for name, title in TITLES.items():
            started = time.perf_counter()
            page.get_by_test_id("stSidebarNav").get_by_role("link", name=name, exact=True).click()
            page.locator(".hop-title", has_text=title).wait_for()
            idle(page, QUIET)
            if turn:
                found.append((name, time.perf_counter() - started - QUIET / 1000))
    return found


def steps(page: Any, url: str) -> list[float]:
    """Milliseconds from a key to the repainted graph, for every step that changes it."""
    found = []
    for question in suggested()[:2]:
        page.goto(f"{url}/trace?index={NAME}&q={question}&t=1")
        idle(page)
        last = int(page.locator(".tr-step").inner_text().split("/")[1])
        for _ in range(2, last):
            found.append(page.evaluate(PAINTED, "ArrowRight"))
            idle(page, QUIET)
    return [milliseconds for milliseconds in found if milliseconds is not None]


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        home = Path(scratch)
        build_index(home, NAME, CORPUS, QUESTIONS)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        with serve(home, home / "network.log") as server:
            page.goto(f"{server.url}/trace?index={NAME}&q={suggested()[0]}")
            idle(page)
            table = Table("figure", "measured", "limit")
            for name, seconds in clicks(page):
                table.add_row(f"click to {name}", f"{seconds:.2f} s", "2 s")
            painted = steps(page, server.url)
            median, worst = statistics.median(painted), max(painted)
            table.add_row(f"key to graph, median of {len(painted)}", f"{median:.0f} ms", "250 ms")
            table.add_row("key to graph, worst", f"{worst:.0f} ms", "250 ms")
        browser.close()
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
