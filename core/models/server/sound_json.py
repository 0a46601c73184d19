"""Parse JSON of a model or its server within limits on depth and the size of numbers.

Python's own reader takes `NaN`, turns `1e999` into infinity, lets the last of two equal names in
an object win, and raises whatever it runs into.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import isinf
from typing import Any

DEEPEST = 50  # objects and lists within each other; ours have 4
LONGEST_NUMBER = 64  # characters; a double has 24 at most
MOST_OBJECTS = 1_000
"""Objects of a text that are looked at, whether they end or not."""
_IN_VAIN = 5  # times the length of a text that may be read for objects that do not end
_BEGINS = re.compile(r'\{(?=[ \t\r\n]*["}])')


@dataclass(frozen=True, slots=True)
class Found:
    """An object in a text, from `start` up to `end`; `trouble` says why it cannot be used."""

    start: int
    end: int
    value: dict[str, Any]
    trouble: str = ""


class Unsound(ValueError):
    """The reason why a text is not JSON within the limits.

    Parameters
    ----------
    end : how far the text was read.
    whole : whether the value ends there.
    too_deep : whether the value is nested more than `DEEPEST` deep.
    """

    def __init__(self, why: str, end: int, *, whole: bool = False, too_deep: bool = False) -> None:
        super().__init__(why)
        self.end = end
        self.whole = whole
        self.too_deep = too_deep


def parse(text: str) -> Any:
    """Parse a text that is JSON and nothing else.

    Raises
    ------
    ValueError : it is not, or exceeds a limit; the message says which.
    """
    start = len(text) - len(text.lstrip(_SPACE))
    value, end = parse_at(text, start)
    if text[end:].strip(_SPACE):
        raise ValueError("there is text after the JSON")
    return value


def parse_at(text: str, at: int) -> tuple[Any, int]:
    """Parse the value that begins at the position `at`; return it and the position after it.

    Raises
    ------
    ValueError : no value begins there, or it exceeds a limit; the message says which.
    """
    deepest, looked = _depth(text, at)
    if deepest > DEEPEST:
        why = f"it is nested more than {DEEPEST} deep"
        raise Unsound(why, looked, whole=looked < len(text), too_deep=True)
    try:
        value, end = _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        raise Unsound("it is not JSON", max(error.pos, looked)) from None
    except ValueError as error:
        raise Unsound(str(error), len(text)) from None
    if _has_duplicate_names(value):
        raise Unsound("an object in it has the same name twice", end, whole=True)
    return value, end


def objects_in(text: str) -> Iterator[Found]:
    """Yield the outermost objects in a text, in order.

    The time is linear in the text: what only begins like an object is read a few times over at
    most, and `MOST_OBJECTS` at most are looked at. The search ends at an object that is nested too
    deep and does not end.
    """
    left = _IN_VAIN * len(text)
    begins = _BEGINS.search(text)
    for _ in range(MOST_OBJECTS):
        if not begins or left < 0:
            return
        at = begins.start()
        end = at + 1
        try:
            value, end = parse_at(text, at)
            yield Found(at, end, value)
        except Unsound as error:
            if error.whole:
                end = error.end
                yield Found(at, end, {}, str(error))
            elif error.too_deep:
                yield Found(at, len(text), {}, str(error))
                return
            else:
                left -= error.end - at
        begins = _BEGINS.search(text, end)


class _Doubled(dict[str, Any]):
    """Marks an object in which a name occurs twice."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    return members if len(members) == len(pairs) else _Doubled()


def _depth(text: str, at: int) -> tuple[int, int]:
    """Return the maximum nesting depth from `at` on, and the position where it returns to 0.

    The depth is checked before parsing, because Python's parser recurses: deep nesting would
    exhaust the stack, also for destructors that run meanwhile.
    """
    depth = deepest = 0
    for mark in _MARKS.finditer(text, at):
        depth += _OPENS.get(mark[0], 0)
        deepest = max(deepest, depth)
        if depth <= 0:
            return deepest, mark.end()
    return deepest, len(text)


def _has_duplicate_names(value: Any) -> bool:
    """Check whether any object within `value` repeats a name."""
    level = [value]
    while level:
        if any(isinstance(inner, _Doubled) for inner in level):
            return True
        level = [inner for outer in level for inner in _children(outer)]
    return False


def _children(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _integer(digits: str) -> int:
    _check_length(digits)
    return int(digits)


def _number(digits: str) -> float:
    """Parse a float; ValueError if it is infinite or has too many digits."""
    _check_length(digits)
    number = float(digits)
    if isinf(number):
        raise ValueError("a number in it is too large")
    return number


def _check_length(digits: str) -> None:
    if len(digits) > LONGEST_NUMBER:
        raise ValueError(f"a number in it has more than {LONGEST_NUMBER} digits")


def _none(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


_SPACE = " \t\n\r"
_OPENS = {"[": 1, "{": 1, "]": -1, "}": -1}
# Brackets, and strings, which may hold some.
_MARKS = re.compile(r'[\[\]{}]|"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_number, parse_constant=_none
)
