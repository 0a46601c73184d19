"""The whole film at a glance: its rounds, and what happens to gold."""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import groupby

from core.film.cast import Cast
from core.film.data import MomentData, SegmentData
from core.film.falls import fall
from core.film.words import LABEL, cropped
from core.playback import Frame, Label
from core.steps import Asked, Offered, Ranked, Said, Step

_NUMBERED = re.compile(r"(?P<name>.*\S) #?\d+")


@dataclass(slots=True)
class _Open:
    """An open retrieval: the depth of its rounds, its own segment, and that of its round."""

    depth: int
    own: SegmentData | None = None
    round: SegmentData | None = None


def segments(steps: Sequence[Step], names: Sequence[Label]) -> list[SegmentData]:
    """Rounds, and outside of them the question, each list and the result; what is nested lies
    deeper.

    A retrieval inside another one is a segment of its own, with its rounds below it, but where its
    round is called as it is.
    """
    found: list[SegmentData] = []
    open_: list[_Open] = []
    for t, (step, name) in enumerate(zip(steps, names, strict=True), start=1):
        if isinstance(step, Asked):
            open_.append(_opened(found, open_, t, step))
        here = open_[-1]
        label = name.round or ("" if here.own else _outside(step, name, here.round))
        if label and (here.round is None or here.round["label"] != label):
            here.round = _segment(label, t, here.depth)
            found.append(here.round)
        for segment in (segment for one in open_ for segment in (one.own, one.round) if segment):
            segment["last"] = t
        if isinstance(step, Ranked):
            open_.pop()
    return found


def _opened(found: list[SegmentData], open_: Sequence[_Open], t: int, step: Asked) -> _Open:
    if not open_:
        return _Open(0)
    here = open_[-1]
    if here.round and here.round["label"].endswith(f" {step.id}"):
        return _Open(here.round["depth"] + 1, here.round)
    own = _segment(f"{step.id} {cropped(step.query, LABEL)}", t, here.depth + 1)
    found.append(own)
    return _Open(own["depth"] + 1, own)


def _outside(step: Step, name: Label, before: SegmentData | None) -> str:
    """What is said belongs to what came before it."""
    return before["label"] if before and isinstance(step, Said) else name.text


def _segment(label: str, t: int, depth: int) -> SegmentData:
    return {"label": label, "first": t, "last": t, "depth": depth}


def runs(found: Sequence[SegmentData]) -> list[SegmentData]:
    """By the name that they share those of the segments `found` that are not nested and differ in
    their numbers alone, where there are several one after the other.
    """
    alike = groupby((one for one in found if not one["depth"]), lambda one: _shared(one["label"]))
    several = [(name, own) for name, group in alike if name and len(own := list(group)) > 1]
    return [
        {"label": name, "first": own[0]["first"], "last": own[-1]["last"], "depth": 0}
        for name, own in several
    ]


def _shared(label: str) -> str:
    """What a name says without its number; empty where it has none."""
    numbered = _NUMBERED.fullmatch(label)
    return numbered["name"] if numbered else ""


def moments(
    cast: Cast, frames: Sequence[Frame], gold: AbstractSet[str], lost: AbstractSet[str]
) -> list[MomentData]:
    """When each gold node was first on offer and first reached, when it came to stand below the
    line, and how it ended.

    That it is on offer once more after it was reached is no news.
    Of what was not kept only `lost` ends: of a gold document one passage is enough.
    """
    names = (name for name in cast.names if name in gold)
    return [moment for name in names for moment in _of(cast, frames, name, name in lost)]


def _of(cast: Cast, frames: Sequence[Frame], name: str, lost: bool) -> Iterator[MomentData]:
    node, last = cast.number[name], frames[-1]
    offered = next((now.t for now in frames if _is_offered(now, name)), None)
    reached = next((now.t for now in frames if now.roles.get(name, "offered") != "offered"), None)
    if offered is not None and (reached is None or offered <= reached):
        yield {"t": offered, "kind": "offered", "node": node}
    if reached is not None:
        yield {"t": reached, "kind": "reached", "node": node}
    kept = any(hit.passage_id == name for hit in last.hits)
    if lost and (fell := fall(frames, name)) and fell.t < last.t:
        yield {"t": fell.t, "kind": "fell", "node": node}
    if kept or lost:
        yield {"t": last.t, "kind": "kept" if kept else "lost", "node": node}


def _is_offered(now: Frame, name: str) -> bool:
    looks = isinstance(now.step, Offered) and not now.step.entry
    return looks and any(offer.target == name for offer in now.offers)
