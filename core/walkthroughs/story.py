"""A walkthrough as one HTML file that plays anywhere: no server, no network."""

import json
import zlib
from base64 import b64encode
from dataclasses import dataclass

from core.bundles import bundle, style
from core.drawing.offline import page
from core.walkthroughs.assets import ROOT, STORY
from core.walkthroughs.contract import StopData, WalkthroughData
from core.walkthroughs.stops import without_candidates

BARE = """\
body { margin: 0; }
@media (prefers-color-scheme: dark) { body { background: #11161c; } }"""


@dataclass(frozen=True)
class Framing:
    """Introduction and conclusion of a story, in plain text; blank lines separate paragraphs.

    Parameters
    ----------
    title : of the page and the first slide; the question if empty.
    introduction : on the first slide, which is left out if this and the title are empty.
    conclusion : on the last slide, which is left out if it is empty.
    """

    title: str = ""
    introduction: str = ""
    conclusion: str = ""


def story(walkthrough: WalkthroughData, framing: Framing = Framing()) -> bytes:
    """Return the page in UTF-8, with the walkthrough in it: JSON, deflated, in base 64."""
    text = json.dumps(framed(walkthrough, framing))
    packed = b64encode(zlib.compress(text.encode("utf-8", "replace"), 9)).decode("ascii")
    title = framing.title.strip() or f"{walkthrough['query']} · {walkthrough['title']}"
    return page(title, ROOT, packed, script=bundle(STORY), style=f"{BARE}\n{style()}")


def framed(walkthrough: WalkthroughData, framing: Framing) -> WalkthroughData:
    """Return a walkthrough with a slide before its first stop and one behind its last."""
    stops, every = [*walkthrough["stops"]], walkthrough["every"]
    before, behind = list[int](), list[int]()
    if framing.title.strip() or framing.introduction.strip():
        title = framing.title.strip() or walkthrough["query"]
        before.append(len(stops))
        stops.append(_slide(stops[every[0]], 0, "Introduction", title, framing.introduction))
    if framing.conclusion.strip():
        last = stops[every[-1]]
        behind.append(len(stops))
        stops.append(_slide(last, last["t"] + 1, "Conclusion", "Conclusion", framing.conclusion))
    return {
        **walkthrough,
        "stops": stops,
        "every": [*before, *every, *behind],
        "audience": [*before, *walkthrough["audience"], *behind],
    }


def _slide(beside: StopData, t: int, label: str, headline: str, text: str) -> StopData:
    """Return a slide with the state of the stop that it is beside."""
    paragraphs = [one.strip() for one in text.replace("\r\n", "\n").split("\n\n")]
    return {
        **without_candidates(beside),
        "t": t,
        "kind": "slide",
        "label": label,
        "round": "",
        "headline": headline,
        "notes": [one for one in paragraphs if one],
        "stack": [],
        "folded": [],
        "chain": None,
        "gold_status": [],
        "statements": 0,
    }
