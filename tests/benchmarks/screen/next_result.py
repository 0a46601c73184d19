"""How soon the Errors page shows the next result, in a real browser.

    python tests/benchmarks/screen/next_result.py HOME INDEX [--retriever TEXT] [--keys N]

Starts the application with the folder HOME, in which `indexes/INDEX` has a run, and presses `j`:
from the key until the question, its walkthrough and its verdict are painted, measured in the page.
"""

import argparse
import os
import statistics
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.browser.serving import CHROMIUM, FLAGS, idle, serve

LIMIT = 300  # ms
PACE = 1500  # ms for which a person looks at a result, at least
# Milliseconds from the key to the frame with the next question, its walkthrough and its verdict.
PAINTED = """async () => {
    const asked = () => document.querySelector('.hop-case-asked b')?.innerText;
    const shown = () => globalThis.__hopWalkthrough?.data.query;
    const note = () => document.querySelector("[class*='st-key-errors_note']")?.className;
    const before = asked(), about = note();
    const begun = performance.now();
    document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'j', bubbles: true}));
    while (asked() === before || shown() !== asked() || note() === about) {
        if (performance.now() - begun > 20000) throw new Error(`${asked()} / ${shown()}`);
        await new Promise(requestAnimationFrame);
    }
    await new Promise(done => {
        const painted = new MessageChannel();
        painted.port1.onmessage = done;
        painted.port2.postMessage(null);
    });
    return performance.now() - begun;
}"""


def worked(watched: Any) -> float:
    """Milliseconds of a processor that the page's own thread took so far, whatever the load."""
    told = watched.send("Performance.getMetrics")["metrics"]
    seconds: float = next(one["value"] for one in told if one["name"] == "TaskDuration")
    return 1000 * seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("home", type=Path)
    parser.add_argument("index")
    parser.add_argument("--retriever", default="", help="a column of the newest run")
    parser.add_argument("--keys", type=int, default=12)
    told = parser.parse_args()
    with sync_playwright() as playwright, serve(told.home, told.home / "network.log") as server:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(120_000)
        asked = f"&retriever={quote(told.retriever)}" if told.retriever else ""
        page.goto(f"{server.url}/errors?index={told.index}&which=all{asked}")
        page.locator(".walkthrough .headline").wait_for()
        idle(page)
        if (name := page.get_by_role("textbox", name="Your name")).count():
            name.fill("ann")
            page.keyboard.press("Enter")
        page.locator(".st-key-errors_fail").wait_for()
        idle(page)
        watched = page.context.new_cdp_session(page)
        watched.send("Performance.enable", {"timeDomain": "threadTicks"})
        found, busy = [], []
        for _ in range(told.keys):
            page.evaluate("document.activeElement?.blur()")
            before = worked(watched)
            found.append(page.evaluate(PAINTED))
            busy.append(worked(watched) - before)
            page.wait_for_timeout(PACE)
        browser.close()
    first, *later = found
    print(f"{told.index}: next result, limit {LIMIT} ms")
    print(f"the first {first:.0f} ms, then a median of {statistics.median(later):.0f} ms, ", end="")
    print(f"at worst {max(later):.0f} ms, of {len(later)}")
    print(f"of that the page itself works {statistics.median(busy):.0f} ms, ", end="")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
