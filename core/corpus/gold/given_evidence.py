"""The evidence that files contain, independent of the passages of an index."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from core.types import Evidence, Query


def as_given(evidence: Evidence) -> Evidence:
    """Return `evidence` without the passages that it was mapped to."""
    return replace(evidence, step="", score=0.0, parts=())


def gold_as_given(query: Query) -> tuple[Sequence[str], Mapping[str, float], list[Evidence]]:
    """Return the gold of a question as its file has it: ids, grades and evidence."""
    return query.gold, dict(query.grades), list(map(as_given, query.evidence))


def without_repeats(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Return each item once, the first of those that say the same.

    One text may be needed at two hops, each with an answer of its own.
    """
    distinct: dict[tuple[str, str, int, str], Evidence] = {}
    for each in evidence:
        distinct.setdefault((each.text, each.document, each.hop, each.answer), each)
    return tuple(distinct.values())
