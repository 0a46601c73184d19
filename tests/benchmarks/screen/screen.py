"""How fast the screen answers, in a real browser.

    python tests/benchmarks/screen/screen.py [INDEX] [--question TEXT]...

Starts the application with a home of its own and prints each figure beside its limit: from a click
in the menu to a page that is usable; in walkthroughs over the sample or the index in folder INDEX,
from a key to the painted frame, measured in the page; how much a walkthrough weighs; and how soon a
story of a hundred steps shows its first frame.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[3]))

from core.store.index import Index
from core.walkthroughs.making import make_walkthrough
from core.walkthroughs.story import story
from tests.browser.serving import CHROMIUM, FLAGS, idle, serve
from tests.building import build_index
from tests.core.trace_analysis.wide import wide
from tests.estmark import CORPUS, NAME, QUESTIONS, suggested

Row = tuple[str, str, str]
QUESTIONS_PLAYED = 2
LARGE = "large"
SEEDS = 97  # of a walk of one hop: a step each
KEY_LIMIT, KEY_LIMIT_LARGE = "50 ms", "100 ms"

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
# Milliseconds from a key to the frame that shows its step, and until the browser has painted it.
PAINTED = """async key => {
    const player = globalThis.__hopWalkthrough, before = player.place.stop;
    document.activeElement?.blur();
    const begun = performance.now();
    document.body.dispatchEvent(new KeyboardEvent('keydown', {key, code: key, bubbles: true}));
    while (player.place.stop === before) await new Promise(requestAnimationFrame);
    await new Promise(done => {
        const painted = new MessageChannel();
        painted.port1.onmessage = done;
        painted.port2.postMessage(null);
    });
    return performance.now() - begun;
}"""
FIRST = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
REST = 350  # ms after which a walkthrough that stands still tells the address where


@dataclass(frozen=True)
class Walkthrough:
    """Of one question: steps, bytes, seconds until it was there, milliseconds from key to frame."""

    steps: int
    size: int
    opened: float
    painted: tuple[float, ...]


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


def walkthrough(page: Any, address: str) -> Walkthrough:
    """The walkthrough at `address`, stepped through from its first frame to its last by the key."""
    started = time.perf_counter()
    page.goto(f"{address}&step=1&every=1")
    page.locator(".walkthrough .headline").wait_for()
    opened = time.perf_counter() - started
    idle(page)
    size = page.evaluate("new Blob([JSON.stringify(__hopWalkthrough.data)]).size")
    last = page.evaluate("__hopWalkthrough.data.stops[__hopWalkthrough.data.every.at(-1)].t")
    stops = page.evaluate("__hopWalkthrough.last + 1")  # fewer than steps
    painted = []
    for _ in range(1, stops):
        painted.append(page.evaluate(PAINTED, "ArrowRight"))
        page.wait_for_timeout(REST)  # until what moves has moved, as before a person's next key
    return Walkthrough(last, size, opened, tuple(painted))


def story_of(page: Any, folder: Path, seeds: int) -> tuple[Walkthrough, float]:
    """A walk from `seeds` passages as a page, and milliseconds to its first frame."""
    walk = wide(seeds, 12, 20)
    made = make_walkthrough(walk)
    file = folder / "story.html"
    file.write_bytes(story(made))
    page.goto(file.as_uri())
    page.wait_for_function(f"{FIRST} > 0")
    size = len(json.dumps(made, separators=(",", ":")).encode())
    return Walkthrough(len(walk.steps), size, 0, ()), page.evaluate(FIRST)


def asked(index: Path, given: Sequence[str]) -> list[str]:
    """The questions to be played: those given, or the first that the index has."""
    known = [query.text for query in Index.open(index).questions[:QUESTIONS_PLAYED]]
    return list(given) or known


def played(shown: Sequence[Walkthrough], name: str) -> list[Row]:
    """The figures of walkthroughs over the index `name`."""
    keys = sorted(ms for one in shown for ms in one.painted)
    limit = KEY_LIMIT if name == NAME else KEY_LIMIT_LARGE
    key = f"{name}: key to painted frame"
    opened = max(one.opened for one in shown)
    return [
        (f"{key}, median of {len(keys)}", f"{statistics.median(keys):.0f} ms", limit),
        (f"{key}, 95%", f"{keys[int(0.95 * (len(keys) - 1))]:.0f} ms", ""),
        (f"{key}, worst", f"{keys[-1]:.0f} ms", ""),
        (f"{name}: address to walkthrough, worst of {len(shown)}", f"{opened:.2f} s", "2 s"),
        *(weight(f"{name}: walkthrough", one) for one in shown),
    ]


def weight(what: str, made: Walkthrough) -> Row:
    return f"{what} of {made.steps} steps", f"{made.size / 1000:,.0f} kB", "1,000 kB"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", nargs="?", type=Path, help="the sample's, if left out")
    parser.add_argument("--question", action="append", default=[])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        home = Path(scratch)
        build_index(home, NAME, CORPUS, QUESTIONS)
        folder, questions = home / "indexes" / NAME, suggested()[:QUESTIONS_PLAYED]
        if given.index:
            folder = home / "indexes" / LARGE
            folder.symlink_to(given.index.resolve(), target_is_directory=True)
            questions = asked(folder, given.question)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(120_000)
        table = Table("figure", "measured", "limit")
        with serve(home, home / "network.log") as server:
            page.goto(f"{server.url}/trace?index={NAME}&q={suggested()[0]}")
            idle(page)
            for name, seconds in clicks(page):
                table.add_row(f"click to {name}", f"{seconds:.2f} s", "2 s")
            where = f"{server.url}/trace?index={folder.name}&q="
            shown = [walkthrough(page, where + quote(text)) for text in questions]
            for row in played(shown, folder.name):
                table.add_row(*row)
            wide_story, first = story_of(page, home, SEEDS)
            table.add_row(*weight("story", wide_story))
            table.add_row("story: its first frame", f"{first:.0f} ms", "1,000 ms")
        browser.close()
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
