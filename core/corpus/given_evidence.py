"""Evidence as files give it: what of it is written and compared, whatever passages hold it."""

from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Any

from core.types import Evidence

_MAPPED = frozenset(("step", "score", "parts"))
_DEFAULTS = asdict(Evidence(""))


def as_given(evidence: Evidence) -> Evidence:
    """Return `evidence` without the passages that it was mapped to."""
    return replace(evidence, step="", score=0.0, parts=())


def without_repeats(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Return each item once, the first of those that say the same.

    One text may be needed at two hops, each with an answer of its own.
    """
    found: dict[tuple[str, str, int, str], Evidence] = {}
    for each in evidence:
        found.setdefault((each.text, each.document, each.hop, each.answer), each)
    return tuple(found.values())


def written_row(evidence: Evidence) -> dict[str, Any]:
    """Return an item as question files have it, without the fields that say nothing.

    The document is always there: a reader takes one that is missing from the question's gold.
    """
    return {
        name: value
        for name, value in asdict(evidence).items()
        if name not in _MAPPED and (name == "document" or value != _DEFAULTS[name])
    }
