"""Phases of a retrieval by step, and the phases of two retrievals in one order."""

import re
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

from core.playback import Label
from core.steps import ROOT, Asked, Ranked, Said, Step

START, RESULT, ASKED = "Start", "Result", "Question"
_INSIDE = re.compile(r"^#[\d.]* ")
_Name = TypeVar("_Name", bound=Hashable)


def phases(steps: Sequence[Step], names: Sequence[Label]) -> list[str]:
    """Return the round of each step; `Start` before the first round, `Result` behind the last.

    A nested retrieval belongs to the round of the outer one. Outside of any round it has its
    question's id, and its result stands by itself. The rounds of the first nested walk are named
    as if it stood alone, so that it can be compared with the same walk without a wrapper.
    """
    walk = _first_walk(steps, names)
    phase_names: list[str] = []
    brackets: list[str] = []
    outside, around = START, ""
    for step, name in zip(steps, names, strict=True):
        if isinstance(step, Asked):
            brackets.append(step.id)
        if name.round:
            outside = RESULT
        ends = isinstance(step, Ranked)
        inner = "" if brackets[-1] == ROOT else brackets[-1]
        if not inner:
            around = name.round
        if inner and around and inner != walk:
            phase_names.append(around)
        elif inner == walk and name.round:
            phase_names.append(name.round.removeprefix(f"{walk} "))
        elif inner == walk and not ends and set(phase_names) <= {START}:
            phase_names.append(START)
        elif inner and not name.round:
            phase_names.append(f"{inner} {RESULT.lower()}" if ends else inner)
        else:
            phase_names.append(name.round or (RESULT if ends else outside))
        if ends:
            brackets.pop()
    return phase_names


def opening(courses: Iterable[tuple[Sequence[Step], Sequence[Label], Sequence[str]]]) -> str:
    """Return the names of the steps in the `START` phase of retrievals, as in their timelines.

    Parameters
    ----------
    courses : the steps of each retrieval, their names and their phases.
    """
    first_names = dict.fromkeys(
        _INSIDE.sub("", name.text)
        for steps, names, where in courses
        for step, name, phase in zip(steps, names, where, strict=True)
        if phase == START and not isinstance(step, Said)
    )
    return " · ".join([name for name in first_names if name != ASKED] or [ASKED])


def _first_walk(steps: Sequence[Step], names: Sequence[Label]) -> str:
    """Return the id of the first nested retrieval that has rounds.

    It is `ROOT` if none has, or if an outer round has the name of one of its rounds.
    """
    ids = [step.id for step in steps if isinstance(step, Asked) and step.id != ROOT]
    rounds = {name.round for name in names}
    for id_ in ids:
        own = {one.removeprefix(f"{id_} ") for one in rounds if one.startswith(f"{id_} ")}
        if own:
            return ROOT if own & rounds else id_
    return ROOT


def merged(one: Iterable[_Name], other: Iterable[_Name]) -> list[_Name]:
    """Return the names of both, each once.

    Those of `one` keep their order. A name that only `other` has follows the name before it there.
    """
    names = list(dict.fromkeys(one))
    at = 0
    for name in dict.fromkeys(other):
        if name in names:
            at = names.index(name) + 1
        else:
            names.insert(at, name)
            at += 1
    return names
