"""How long a map takes to compute, how much memory, and how fast it is in a real browser.

    python tests/benchmarks/scale/corpus_map.py [INDEX] [--passages N]...

Computes the map of synthetic indexes of N passages, each in a process of its own, and prints the
seconds and the peak memory. With the index in folder INDEX it starts the application with a copy of
it and prints, beside their limits, how long the first picture takes from the click on Explore once
the map is on the shelf, and how long a region takes to open, animations off.
"""

import argparse
import multiprocessing
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[3]))

from core.maps.map_data import map_data
from core.maps.pyvis_network import MOST_NODES
from core.maps.stored import make_map
from core.progress import Progress
from core.store.index import Index
from tests.benchmarks.scale.synthetic import World, write
from tests.browser.serving import CHROMIUM, FLAGS, idle, serve

Row = tuple[str, str, str]
_TIMES = 5
_OPENED = 12  # regions
PAINTED = """() => new Promise(done => {
    const frame = () => requestAnimationFrame(() => setTimeout(done, 0));
    requestAnimationFrame(frame);
})"""
OPEN = """async region => {
    const map = globalThis.__hopMap, begun = performance.now();
    map.fly(-region - 1);
    map.redraw();
    await new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));
    return [performance.now() - begun, map.nodes.length];
}"""


def computed(folder: Path, answer: Any) -> None:
    """Put the seconds, megabytes and numbers of a map into the queue `answer`."""
    index = Index.open(folder)
    begun, worked = time.perf_counter(), time.process_time()
    made = make_map(index, unheard)
    seconds, worked = time.perf_counter() - begun, time.process_time() - worked
    begun = time.perf_counter()
    data = map_data(index, made)
    packed = time.perf_counter() - begun
    answer.put((seconds, worked, packed, peak(), len(made.regions), len(data["units"]["x"])))


def peak() -> int:
    """Most memory that this process has had, in MB."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024


def unheard(_: Progress) -> None:
    """A report that nobody reads."""


def computing(passages: int) -> list[Row]:
    """The rows of a synthetic index of so many passages."""
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        write(World(passages), Path(folder) / "index")
        answer = context.Queue()
        worker = context.Process(target=computed, args=(Path(folder) / "index", answer))
        worker.start()
        seconds, worked, packed, most, regions, units = answer.get()
        worker.join()
    told = f"{passages:,} passages"
    return [
        (
            f"{told}: map computed ({regions:,} regions)",
            f"{seconds:.1f} s, {worked:.1f} s of CPU",
            "",
        ),
        (f"{told}: data for the browser ({units:,} units)", f"{packed:.1f} s", ""),
        (f"{told}: peak memory of the process", f"{most:,} MB", ""),
    ]


def shown(folder: Path) -> list[Row]:
    """The rows of an index in a browser."""
    with tempfile.TemporaryDirectory() as home, sync_playwright() as running:
        shutil.copytree(folder, Path(home) / "indexes" / folder.name)
        log = Path(home) / "foreign.log"
        with serve(Path(home), log) as server:
            browser = running.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            tab = browser.new_context(
                viewport={"width": 1440, "height": 900}, reduced_motion="reduce"
            ).new_page()
            tab.goto(f"{server.url}/explore?index={folder.name}")
            tab.wait_for_function("globalThis.__hopMap?.nodes.length", timeout=600_000)
            idle(tab)
            first = [first_picture(tab, server.url, folder.name) for _ in range(_TIMES)]
            opened, drawn = opening(tab)
            browser.close()
    return [
        (f"First picture, median of {_TIMES}", f"{statistics.median(first):.2f} s", "2 s"),
        (f"First picture, slowest of {_TIMES}", f"{max(first):.2f} s", ""),
        (f"Opening a region, median of {_OPENED}", f"{statistics.median(opened):.0f} ms", "300 ms"),
        (f"Opening a region, slowest of {_OPENED}", f"{max(opened):.0f} ms", ""),
        ("Most nodes drawn", str(drawn), str(MOST_NODES)),
    ]


def first_picture(tab: Any, url: str, name: str) -> float:
    """Seconds from a click on Explore to the first painted picture."""
    tab.goto(f"{url}/settings?index={name}")
    idle(tab)
    tab.evaluate("globalThis.__hopMap = null")
    begun = time.perf_counter()
    tab.get_by_role("link", name="Explore").click()
    tab.wait_for_function("globalThis.__hopMap?.nodes.length", polling=20, timeout=60_000)
    tab.evaluate(PAINTED)
    return time.perf_counter() - begun


def opening(tab: Any) -> tuple[list[float], int]:
    """Milliseconds of opening regions, the largest of each level, and the most nodes drawn."""
    idle(tab)
    regions = tab.evaluate(
        "count => globalThis.__hopMap.tree.regions.filter(one => one.depth)"
        ".sort((a, b) => a.depth - b.depth || b.size - a.size).slice(0, count)"
        ".map(one => one.number)",
        _OPENED,
    )
    found = [tab.evaluate(OPEN, region) for region in regions]
    return [took for took, _ in found], max(drawn for _, drawn in found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", nargs="?", type=Path)
    parser.add_argument("--passages", action="append", type=int, default=[])
    asked = parser.parse_args()
    table = Table("What", "Measured", "Limit")
    for passages in asked.passages:
        for row in computing(passages):
            table.add_row(*row)
    for row in shown(asked.index) if asked.index else ():
        table.add_row(*row)
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
