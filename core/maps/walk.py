"""A retrieval as a walk over a map: from the steps of any retriever."""

from collections.abc import Iterable, Mapping, Sequence

from typing_extensions import TypedDict

from core.steps import Began, Offered, Ranked, Step, result
from core.text.display.plurals import number

MOST_HOPS = 400
"""Edges drawn of one frame."""


class FrameData(TypedDict):
    """A picture: `seeds` where a search starts, `hops` pairs of units, `hits` what is retrieved."""

    say: str
    seeds: list[int]
    hops: list[list[int]]
    hits: list[int]


class WalkData(TypedDict):
    """`gold` are pairs of a unit and 1 if it was not retrieved."""

    question: str
    frames: list[FrameData]
    gold: list[list[int]]


def walk_data(
    question: str, steps: Sequence[Step], gold: Iterable[str], unit: Mapping[str, int]
) -> WalkData:
    """Return the frames of a retrieval: its seeds, each round's first visits, the result.

    Parameters
    ----------
    steps : of any retriever. What takes passages without a walk, such as a ranking, has no hops,
        and its frames show what was taken.
    gold : ids of passages.
    unit : the place on the map of each passage.
    """
    seen: set[str] = set()
    frames: list[FrameData] = []
    round_ = "Step 1"
    for step in steps:
        if isinstance(step, Began):
            round_ = str(step).capitalize()
            frames.append(_frame(round_))
        elif isinstance(step, Offered):
            new = [offer.target for offer in step.taken if offer.target not in seen]
            new = [name for name in new if name in unit]
            seen |= set(new)
            if not new:
                continue
            if step.at in unit and not step.entry:
                if not frames or frames[-1]["seeds"]:
                    frames.append(_frame(round_))
                frames[-1]["hops"] += [[unit[step.at], unit[name]] for name in new]
            else:
                frames.append(_frame(_selected_text(step, len(new)), [unit[n] for n in new]))
    shown = [_with_count(frame) for frame in frames if frame["seeds"] or frame["hops"]]
    ranked = result(steps)
    return WalkData(
        question=question,
        frames=[*shown, _last_frame(ranked, gold, unit)],
        gold=[
            [unit[name], int(name not in _ids(ranked))]
            for name in dict.fromkeys(gold)
            if name in unit
        ],
    )


def _frame(say: str, seeds: list[int] | None = None) -> FrameData:
    return FrameData(say=say, seeds=seeds or [], hops=[], hits=[])


def _selected_text(step: Offered, new: int) -> str:
    return number(new, "seed") if step.entry else f"{number(new, step.of)} selected"


def _with_count(frame: FrameData) -> FrameData:
    """Add the number of passages reached to a frame's sentence, and draw only the first of them."""
    if not frame["hops"]:
        return frame
    hops = frame["hops"]
    many = f"{len(hops):,} passage{'s' * (len(hops) != 1)} reached for the first time"
    return FrameData(say=f"{frame['say']}: {many}", seeds=[], hops=hops[:MOST_HOPS], hits=[])


def _last_frame(ranked: Ranked, gold: Iterable[str], unit: Mapping[str, int]) -> FrameData:
    """Return the frame of the result, with the number of gold passages in it.

    `unit` maps a passage to its unit on the map.
    """
    kept = _ids(ranked)
    wanted = list(dict.fromkeys(gold))
    retrieved_gold = sum(name in kept for name in wanted)
    absent = sum(name not in unit for name in wanted)
    caption = f"{len(kept):,} passage{'s' * (len(kept) != 1)} retrieved"
    if wanted:
        caption += f", {retrieved_gold} of {len(wanted)} gold passages among them"
    if absent:
        caption += f"; {absent} of the gold is not in the index, so it is not on the map"
    hits = [unit[name] for name in kept if name in unit]
    return FrameData(say=f"{caption}.", seeds=[], hops=[], hits=hits)


def _ids(ranked: Ranked) -> list[str]:
    return [hit.passage_id for hit in ranked.hits]
