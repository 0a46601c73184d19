"""Messages to the map: a passage, a filter, a field, a walk, or the gold of a run."""

import base64
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np
from typing_extensions import TypedDict

from core.maps.heat import HeatData
from core.maps.walk import WalkData

_LABELS = 7  # values of a field that have a colour of their own
OTHERS = "other values"


class FieldData(TypedDict):
    """A field to colour by: `of` has for each passage the place of its value in `labels`."""

    name: str
    labels: list[str]
    of: list[int]


class Said(TypedDict, total=False):
    """Text shown beside the map.

    `focus` is a node: a vertex number, or -r - 1 for region r.
    `hidden` are bits of the passages that are shown, lowest of each byte first, in base64; every
    passage is shown where it is left out.
    """

    focus: int | None
    hidden: str
    field: FieldData | None
    heat: HeatData | None
    walk: WalkData | None


def shown_bits(shown: Collection[int], passages: int) -> str:
    """Return `Said.hidden` for these vertex numbers.

    >>> shown_bits([0, 9], 10)
    'AQI='
    """
    bits = np.zeros(passages, bool)
    bits[list(shown)] = True
    return base64.b64encode(np.packbits(bits, bitorder="little").tobytes()).decode()


def field_data(name: str, values: Sequence[str]) -> FieldData:
    """Return the colours of a field: its most frequent values, then all others.

    Parameters
    ----------
    values : of each passage, in order of vertex numbers; empty if it has none.
    """
    counted = Counter(values)
    most = sorted(counted, key=lambda value: (-counted[value], value))
    labels = most if len(most) <= _LABELS + 1 else most[:_LABELS]
    place: Mapping[str, int] = {value: number for number, value in enumerate(labels)}
    others = [OTHERS] if len(labels) < len(most) else []
    return FieldData(
        name=name,
        labels=[value or "none" for value in labels] + others,
        of=[place.get(value, len(labels)) for value in values],
    )
