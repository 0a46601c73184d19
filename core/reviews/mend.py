"""From a group of losses to one change for all of them, and what that change does everywhere.

The rescues of single losses differ in how far they turn a setting. Of each setting the furthest
one keeps what the others keep too, as long as what is kept at one value is kept at a higher one;
whether it does, and what it costs elsewhere, is seen by running it.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from core.evaluate.paired import Difference, difference
from core.funnel.changes import KINDS
from core.funnel.rescue import Rescue
from core.runs import Row

_VALUE = re.compile(r" to ([\d,]+)")


@dataclass(frozen=True, slots=True)
class Mend:
    """A change of one setting, with which `retriever` is asked; `change` is in words.

    `kept` counts the losses that it is the cheapest rescue of, `losses` all of the group, `edges`
    those whose cheapest rescue is an edge, which is no setting; `extra` are judgements more, on
    average for each loss that it keeps.
    """

    retriever: str
    change: str
    kept: int
    losses: int
    edges: int
    extra: float


@dataclass(frozen=True, slots=True)
class Effect:
    """What a change does: inside of the group and elsewhere, in the recall of what is kept.

    `elsewhere` is None where every question with gold is in the group. `won` and `lost` are ids of
    questions with more, and with less, than before; `judgements` the means before and after.
    """

    inside: Difference | None
    elsewhere: Difference | None
    won: tuple[str, ...]
    lost: tuple[str, ...]
    judgements: tuple[float, float]


def mend(rescues: Iterable[Rescue | None]) -> Mend | None:
    """The setting that keeps most of the losses; of two the cheaper one. None where none does."""
    found = list(rescues)
    known = [one for one in found if one]
    dials: dict[str, list[Rescue]] = {}
    for rescue in known:
        if not rescue.amendments:
            dials.setdefault(_VALUE.sub("", rescue.change), []).append(rescue)
    if not dials:
        return None
    best = max(dials.values(), key=lambda held: (len(held), -_cost(held), -_kind(held)))
    furthest = max(best, key=_value)
    edges = sum(bool(one.amendments) for one in known)
    return Mend(
        furthest.retriever, furthest.told, len(best), len(found), edges, _cost(best) / len(best)
    )


def effect(before: Iterable[Row], after: Iterable[Row], group: Collection[str]) -> Effect:
    """Of the questions of both, by their ids; `group` are ids too."""
    was = {row.question.id: row for row in before}
    now = {row.question.id: row for row in after if row.question.id in was}
    apart = {
        name: row.recall - earlier
        for name, row in now.items()
        if row.recall is not None and (earlier := was[name].recall) is not None
    }
    return Effect(
        inside=_paired({name: one for name, one in apart.items() if name in group}),
        elsewhere=_paired({name: one for name, one in apart.items() if name not in group}),
        won=tuple(name for name, one in apart.items() if one > 0),
        lost=tuple(name for name, one in apart.items() if one < 0),
        judgements=(_judgements([was[name] for name in now]), _judgements(list(now.values()))),
    )


def _paired(apart: Mapping[str, float]) -> Difference | None:
    if not apart:
        return None
    return difference("recall", np.array(list(apart.values()), dtype=np.float64))


def _judgements(rows: Collection[Row]) -> float:
    return sum(row.judgements for row in rows) / len(rows) if rows else 0.0


def _cost(held: Collection[Rescue]) -> int:
    return sum(one.extra for one in held)


def _kind(held: list[Rescue]) -> int:
    return KINDS.index(held[0].kind)


def _value(rescue: Rescue) -> int:
    read = _VALUE.search(rescue.change)
    return int(read[1].replace(",", "")) if read else 0
