"""The gold passages of one or two retrievals of a question, in the order of the marks."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from core.lost_gold.gold_ranks import Marks
from core.lost_gold.missed_gold import Gold, Misses
from core.trace_analysis.evidence_arrival import ArrivalData, Evident, arrival
from core.trace_analysis.trace_frames import Played

NO_PIECES: Mapping[str, int] = MappingProxyType({})


def evidence(
    missed: Sequence[Misses], marks: Marks, pieces: Mapping[str, int] = NO_PIECES
) -> list[Evident]:
    """Return each gold passage once; gold without a passage only if no retrieval named one of it.

    Parameters
    ----------
    pieces : how many pieces of gold each passage stands for (`core.marks.Gold.pieces`); one that
        stands for several says so in its name.
    """
    named: dict[str, Gold] = {}
    absent: dict[str, Gold] = {}
    for misses in missed:
        for one in misses.gold:
            mark = _mark(one, marks)
            if one.passage and one.passage.id not in misses.passages:
                named.setdefault(one.passage.id, one)
            else:
                absent.setdefault(mark, one)
    marked = {_mark(one, marks) for one in named.values()}
    order = list(marks)
    all_ = [*named.values(), *(one for mark, one in absent.items() if mark not in marked)]
    return [
        Evident(
            one.passage.id if one.passage else None, _name(one, pieces), one.marked, one.missing
        )
        for one in sorted(all_, key=lambda one: order.index(_mark(one, marks)))
    ]


def arrival_of(played: Played, marks: Marks, pieces: Mapping[str, int] = NO_PIECES) -> ArrivalData:
    """Return the evidence arrival chart of one retrieval, with a column for each step."""
    return arrival(evidence([played.missed], marks, pieces), [played])


def _name(one: Gold, pieces: Mapping[str, int]) -> str:
    many = pieces.get(one.passage.id, 1) if one.passage else 1
    return f"{one.name} ({many:,} pieces of evidence)" if many > 1 else one.name


def _mark(one: Gold, marks: Marks) -> str:
    """Return the id under which gold is marked: its own, or its document's."""
    if one.passage is None:
        return one.id
    return one.passage.id if one.passage.id in marks else one.passage.document_id
