"""What is wrong on a stage: films in presenter mode, stop by stop, in a real browser.

    python tests/benchmarks/stage.py [--address URL] [--retriever KEY]... [--question TEXT]...
                                     [--first N] [--size WIDTHxHEIGHT]

Walks the films of the sample's questions, those given or the first N, by the retrievers given or
all. Prints for each retriever at how many stops names touch, nodes have no name, what is looked at
or named is not drawn, words are cut, parts are outside, and what jumps between stops, and
then where. Without an address it starts the application with a home and an index of its own.
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.evaluate.questions import read_questions
from core.retrievers.registry import classes
from tests.browser import stage_probes
from tests.browser.films import drawn
from tests.browser.serving import CHROMIUM, FLAGS, idle, serve
from tests.building import build_index
from tests.estmark import CORPUS, NAME, QUESTIONS

FIRST = 5
PROBES = {
    "touching": (stage_probes.TOUCHED, stage_probes.RINGED, stage_probes.COUNTS),
    "nameless": (stage_probes.NAMELESS,),
    "not drawn": (stage_probes.NAMED_AWAY,),
    "cut": (stage_probes.CUT_NAMES, stage_probes.CUT_WORDS),
    "outside": (stage_probes.BEYOND,),
}
JUMPS = "jumps"
MOST_TOLD = 6
"""Places of a fault that are listed."""
GO = "(i) => globalThis.__hopFilm.go(globalThis.__hopFilm.stops[i].t)"


@dataclass
class Found:
    """Of one retriever: films and stops that were walked, and by fault where it was found."""

    films: int = 0
    stops: int = 0
    faults: dict[str, list[str]] = field(default_factory=dict)

    def add(self, fault: str, where: str, what: list[str]) -> None:
        if what:
            self.faults.setdefault(fault, []).append(f"{where}: {'; '.join(dict.fromkeys(what))}")


def walk(page: Any, found: Found, name: str) -> None:
    """All stops of the film that is shown."""
    stops = page.evaluate("globalThis.__hopFilm.stops.length")
    before: dict[str, Any] = {}
    found.films += 1
    found.stops += stops
    for i in range(stops):
        page.evaluate(GO, i)
        drawn(page)
        where = f"'{name}' stop {i + 1}"
        for fault, probes in PROBES.items():
            found.add(fault, where, [one for probe in probes for one in page.evaluate(probe)])
        now = page.evaluate(stage_probes.STANDING)
        found.add(JUMPS, where, [part for part in before if before[part] != now[part]])
        before = now


@contextmanager
def address(given: str) -> Iterator[str]:
    """That of a running application, or of one that is started for it."""
    if given:
        yield given
        return
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch)
        build_index(home, NAME, CORPUS, QUESTIONS)
        with serve(home, home / "network.log") as server:
            yield server.url


def swept(url: str, keys: list[str], asked: list[str], size: tuple[int, int]) -> dict[str, Found]:
    """By retriever what is wrong in the films of the questions `asked`."""
    found: dict[str, Found] = {key: Found() for key in keys}
    width, height = size
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        view = {"width": width, "height": height}
        page = browser.new_page(viewport=view, reduced_motion="reduce")
        for key in keys:
            for query in asked:
                params = f"index={NAME}&q={quote(query)}&retriever={key}"
                page.goto(f"{url}/trace?{params}&t=1&grain=event&present=1")
                film = page.locator(".film .caption:not(:empty)")
                film.or_(page.get_by_test_id("stAlert")).first.wait_for(timeout=90_000)
                idle(page)
                if film.count():
                    walk(page, found[key], query[:40])
        browser.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--address", default="", help="of a running application with the sample")
    parser.add_argument("--retriever", action="append", default=[])
    parser.add_argument("--question", action="append", default=[], help="or a part of one")
    parser.add_argument("--first", type=int, default=FIRST, help="how many questions")
    parser.add_argument("--size", default="1024x768")
    given = parser.parse_args()
    known = [one.text for one in read_questions(QUESTIONS)]
    parts = [part.lower() for part in given.question]
    asked = [text for text in known if any(part in text.lower() for part in parts)]
    width, _, height = given.size.partition("x")
    keys = given.retriever or list(classes())
    with address(given.address) as url:
        found = swept(url, keys, asked or known[: given.first], (int(width), int(height)))
    table = Table("retriever", "films", "stops", *PROBES, JUMPS)
    for key, one in found.items():
        counts = Counter({fault: len(places) for fault, places in one.faults.items()})
        table.add_row(
            *(key, str(one.films), str(one.stops)), *(str(counts[f]) for f in (*PROBES, JUMPS))
        )
    console = Console(width=140)
    console.print(table)
    for key, one in found.items():
        for fault, places in one.faults.items():
            for place in places[:MOST_TOLD]:
                console.print(f"{key}, {fault}: {place}", markup=False)


if __name__ == "__main__":
    main()
