"""Convert the results of a custom retriever, in any form, to contexts; refuse invalid ones."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from core.corpus.record_formats.retrieved_results import Context, context_of
from core.retrievers.custom.description import LARGEST, one_line
from core.retrievers.custom.frameworks import as_record

FORM = "(id or text, score)"
_LISTS = ("results", "documents")
_SCORE = "score"


class BadResults(ValueError):
    """The output of a retriever cannot be read; the message gives the reason."""


def items_of(found: object) -> list[object]:
    """List the results in a retriever's return value, at most `LARGEST`.

    Raises
    ------
    BadResults : the value is not a list, nor an object with one.
    """
    if isinstance(found, Mapping):
        found = next((found[name] for name in _LISTS if name in found), None)
    if isinstance(found, str | bytes | Mapping) or not isinstance(found, Iterable):
        kind = "nothing" if found is None else f"{type(found).__name__}, not a list"
        raise BadResults(f"it returned {kind}; return a list of {FORM}")
    return list(islice(found, LARGEST))


def contexts_of(items: Sequence[object]) -> list[Context]:
    """Convert results to contexts, in order; a bare text, which may be an id, becomes a text.

    Raises
    ------
    BadResults : a result has another form, or a score that is not a finite number.
    """
    return [_context(number, item) for number, item in enumerate(items, start=1)]


def _context(number: int, item: object) -> Context:
    """Read an item that a custom retriever returned: a text, a pair with a score, or a record."""
    if isinstance(item, str):
        return Context(text=item)
    if isinstance(item, tuple | list):
        if len(item) == 2 and isinstance(item[0], str):
            return Context(text=item[0], score=_score(number, item[1]))
        if len(item) == 2 and (record := as_record(item[0])):
            return _context_of_record(number, {**record, _SCORE: item[1]})
        raise _wrong(number, item)
    record = item if isinstance(item, Mapping) else as_record(item)
    if record is None:
        raise _wrong(number, item)
    return _context_of_record(number, record)


def _context_of_record(number: int, record: Mapping[str, Any]) -> Context:
    """Convert a record to a context; refuse a record without an id and a text."""
    given = record.get(_SCORE)
    context = context_of({name: value for name, value in record.items() if name != _SCORE})
    if not (context.id or context.text):
        raise _wrong(number, record)
    score = context.score if given is None else _score(number, given)
    return Context(context.text, context.id, context.title, score)


def _score(number: int, given: Any) -> float | None:
    """Convert the score of a result to a finite number; None if there is none."""
    if given is None:
        return None
    try:
        score = math.nan if isinstance(given, str | bytes | bool) else float(given)
    except (TypeError, ValueError, OverflowError):
        score = math.nan
    if not math.isfinite(score):
        raise BadResults(
            f"result {number:,} has the score {one_line(repr(given))[:40]}; "
            "a score is a finite number"
        )
    return score


def _wrong(number: int, item: object) -> BadResults:
    shown = one_line(repr(item))[:60]
    return BadResults(f"result {number:,} is {shown}; a result is {FORM}")
