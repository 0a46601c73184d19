"""Walkthroughs as pages of their own, and how a test opens and measures them."""

from pathlib import Path
from typing import Any

from core.marks import gold_of
from core.store.index import Index

BOXES, TROUBLES, SMALLEST = "boxes()", "troubles()", "smallestLetter()"


RETRIEVERS = (
    "bm25",
    "dense",
    "hybrid",
    "hoprag-similarity",
    "hoprag-coverage",
    "ircot",
    "treehop",
    "rerank(over=hoprag-coverage,depth=40)",
)


AUDIENCE = ("bm25", "hoprag-similarity", "ircot")


BACKWARDS = "hoprag-coverage, backwards"


COMES_BACK = "How heavy was the Dunlin lander when it touched down on Mars?"
"""A question of the sample to whose evidence an edge is walked backwards."""


CHAIN_BREAKS = "hoprag-similarity, lost"


LOST = (
    "On what kind of ward does the goalkeeper whose save decided the 1998 Lantern Cup final work "
    "today?"
)
"""A question of the sample whose evidence is lost behind two passages on the path."""


LONGEST = 3  # questions of the product's sample, those with the longest evidence


SIZES = {"large": (1440, 900, 1), "small": (1024, 768, 1), "enlarged": (1440, 900, 2)}


PLAYER = "globalThis.__hopWalkthrough"


FRAMES = """async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
}"""
"""Waits until a page has seen its new size and is drawn anew."""


BOTH = ("large", "small")


PROBES = Path(__file__).with_name("walkthrough_probes.js")


def longest(index: Index) -> list[str]:
    """Return the questions of an index whose evidence is longest."""

    def letters(question: str) -> int:
        return sum(len(one.text) for one in gold_of(index, question).evidence.values())

    return sorted((one.text for one in index.questions), key=letters, reverse=True)[:LONGEST]


def resize(page: Any, size: str, *, less: int = 0) -> None:
    """Give a page one of `SIZES`, its height reduced by `less`, and wait until it is drawn anew."""
    width, height, zoom = SIZES[size]
    screen = {"width": width // zoom, "height": height // zoom - less}
    page.devtools.send(
        "Emulation.setDeviceMetricsOverride", screen | {"deviceScaleFactor": zoom, "mobile": False}
    )
    page.wait_for_function(
        "([w, h]) => innerWidth === w && innerHeight === h", arg=[*screen.values()]
    )
    page.evaluate(FRAMES)


def stops(page: Any) -> int:
    return page.evaluate(f"{PLAYER}.last + 1")
