"""Actions of both retrievals as rows, by round."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Literal

from core.difference.contract import DoneData, PlaceData, RoundData
from core.difference.paired_steps import Pair
from core.difference.step_actions import Act
from core.playback.wording import begun
from core.text.display.cropping import TEXT, cropped
from core.trace_analysis.node_names import Cast
from core.trace_analysis.phases import RESULT, START

RETRIEVED = "Retrieved passages"
"""What is compared in the phase that is called as what it ends in."""


def rounds(pairs: Sequence[Pair], cast: Cast, start: str) -> list[RoundData]:
    """Group the pairs by phase; `start` is the label before the first round."""
    by_phase: dict[str, RoundData] = {}
    for pair in pairs:
        phase = pair.one.phase
        label = start if phase == START else phase
        by_phase.setdefault(phase, {"label": label, "places": []})["places"].append(
            _place_data(pair, cast)
        )
    return in_turn(list(by_phase.values()))


def in_turn(found: list[RoundData]) -> list[RoundData]:
    """Interleave the final results of A and B if they share only the result."""
    if not found:
        return found
    *walked, last = found
    ours = [one for one in walked if any(place["a"] for place in one["places"])]
    theirs = [one for one in walked if one not in ours]
    if any(place["b"] for one in ours for place in one["places"]):
        return found
    return [*(one for two in zip_longest(ours, theirs) for one in two if one), last]


def alone(pairs: Sequence[Pair], a: str, b: str) -> tuple[Literal["", "a", "b"], str]:
    """Return the side that alone has steps, with a sentence about the other; empty if neither or
    both.

    Parameters
    ----------
    a, b : names of the two retrievals.
    """
    ours, theirs = [pair.a for pair in pairs if pair.a], [pair.b for pair in pairs if pair.b]
    if len(theirs) <= 1 < len(ours):
        return "a", _one_shot_sentence(b, theirs)
    if len(ours) <= 1 < len(theirs):
        return "b", _one_shot_sentence(a, ours)
    return "", ""


def _one_shot_sentence(name: str, done: Sequence[Act]) -> str:
    did = done[0].text if done else "finds nothing"
    return f"{begun(name)} has no steps: it ranks all passages at once and {did}."


def _place_data(pair: Pair, cast: Cast) -> PlaceData:
    """Return the actions of both retrievals at one node in a round."""
    return {
        "name": RETRIEVED if pair.one.name == RESULT else pair.one.name,
        "node": cast.number.get(pair.one.at),
        "same": pair.same,
        "a": _act_data(pair.a, cast) if pair.a else None,
        "b": _act_data(pair.b, cast) if pair.b else None,
    }


def _act_data(act: Act, cast: Cast) -> DoneData:
    """Return the action of one retrieval at a node, with its step number."""
    return {
        "t": act.t,
        "text": cropped(act.text, TEXT),
        "nodes": cast.numbers(act.nodes),
        "refused": cast.numbers(act.refused),
    }
