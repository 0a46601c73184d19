"""The steps of A and B at each gold passage that one of them lost, beside each other.

The steps of a difference are told by round and place, where those of two that walk otherwise never
share a row.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

from core.difference.contract import (
    DifferenceData,
    DoneData,
    GoldData,
    PlaceData,
    RoundData,
    Side,
)
from core.marks.gold_signs import star_sign
from core.playback.wording import begun

BOTH = "Gold that both miss"
ONE = "Gold that {} misses"
Of = Literal["nodes", "refused"]
_OF: tuple[Of, Of] = ("nodes", "refused")
_SIDES: tuple[Side, Side] = ("a", "b")


def with_lost_gold(made: DifferenceData) -> DifferenceData:
    """Return `made` with the blocks of the gold that A or B lost first, if any."""
    signs = (made["a"]["sign"], made["b"]["sign"])
    blocks = gold_blocks(made["rounds"], made["gold"], signs)
    # The walker is for steps of one side alone; of lost gold each side has something.
    return {**made, "rounds": [*blocks, *made["rounds"]], "walker": ""} if blocks else made


def gold_blocks(
    rounds: Sequence[RoundData], gold: Sequence[GoldData], signs: tuple[str, str]
) -> list[RoundData]:
    """Return a block with a row for each gold passage that A, B, or both lost, without empty ones.

    Parameters
    ----------
    signs : what the tables call A and B.
    """
    a, b = (ONE.format(sign) for sign in signs)
    blocks: list[RoundData] = []
    for label, lost in ((a, (True, False)), (b, (False, True)), (BOTH, (True, True))):
        if rows := [_row(one, rounds) for one in gold if tuple(one["lost"]) == lost]:
            blocks.append({"label": label, "places": rows})
    return blocks


def _row(one: GoldData, rounds: Sequence[RoundData]) -> PlaceData:
    a, b = (_done(one, side, rounds) for side in _SIDES)
    name = f"{star_sign(one['marked'])} {one['name']}"
    return {"name": name, "node": one["node"], "same": False, "a": a, "b": b}


def _done(one: GoldData, side: Side, rounds: Sequence[RoundData]) -> DoneData:
    """Describe where the gold was first taken, or else last refused, and its outcome."""
    end = begun(one["ends"][_SIDES.index(side)])
    taken, refused = ([*_at(one["node"], side, rounds, of)] for of in _OF)
    t, where = (*taken[:1], *refused[-1:], (0, ""))[0]
    text = f"{end}. {where}" if where else end
    return {"t": t, "text": text, "nodes": [], "refused": []}


def _at(
    node: int | None, side: Side, rounds: Sequence[RoundData], of: Of
) -> Iterator[tuple[int, str]]:
    """Yield the steps at which `side` selected or refused `node`, without the result."""
    instead = "" if of == "nodes" else " instead"
    for one in rounds[:-1]:
        for place in one["places"]:
            done = place[side]
            if done and node is not None and node in done[of]:
                yield done["t"], f"{_where(one['label'], place)}, it {done['text']}{instead}"


def _where(label: str, place: PlaceData) -> str:
    """Return the round and the passage of a step, to begin a sentence: `In hop 1, at 'Ada'`."""
    there = f"In {label[:1].lower()}{label[1:]}"
    return there if place["node"] is None else f"{there}, at '{place['name']}'"
