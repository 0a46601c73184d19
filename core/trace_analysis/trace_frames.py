"""A trace played once: its frames, the names of its steps, and what became of gold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from core.ceiling.reach import Way
from core.funnel.lists import Lists
from core.lost_gold.gold_distance import IndexView
from core.lost_gold.gold_ranks import Marks
from core.lost_gold.missed_gold import Misses, misses
from core.lost_gold.rank_drops import Falls
from core.playback import Frame, Label, as_asked, frames, labels
from core.retrievers import Spec
from core.retrievers.step_ids import passage_ids
from core.text.clean import one_line
from core.trace_analysis.phases import phases
from core.traces import Trace


@dataclass(frozen=True)
class Played:
    """A trace with its frames.

    `at` are the frames of every t from 0. `spec` is None for an unknown retriever. `called`
    are the names by which the index shows passages, empty if it is not open. `lists` rank passages
    that the steps do not rank.
    """

    trace: Trace
    spec: Spec | None
    at: Sequence[Frame]
    names: Sequence[Label]
    missed: Misses
    called: Mapping[str, str]
    lists: Lists | None = None

    @property
    def last(self) -> Frame:
        return self.at[-1]

    @property
    def title(self) -> str:
        name = self.spec.card.title if self.spec else self.trace.retriever
        return f"{name}, changed by hand" if self.trace.amendments else name

    @cached_property
    def phases(self) -> list[str]:
        """The round of each step (`core.trace_analysis.phases`)."""
        return phases(self.trace.steps, self.names)

    @cached_property
    def falls(self) -> Falls:
        """The drops of passages below the cut-off."""
        return Falls(self.at)


def play(
    trace: Trace, marks: Marks, index: IndexView | None = None, lists: Lists | None = None
) -> Played:
    """Return a trace with its frames; a planned question and the search for it are one step.

    Gold of `marks` that no step named is looked up in `index`, its rank in `lists`.
    """
    trace = replace(trace, steps=as_asked(trace.steps))
    spec = Spec.known(trace.retriever)
    at, names = list(frames(trace.steps)), labels(trace.steps)
    named = {name: trace.passages[name] for name in passage_ids(trace.steps)}
    titles = {name: one_line(each.text) for name, each in trace.evidence.items()}
    missed = misses(trace.steps, names, at[-1], named, marks, index, way_of(spec), lists, titles)
    met = {**trace.passages, **missed.passages}.keys()
    called = index.shown(met & index.number.keys()) if index else {}
    return Played(trace, spec, at, names, missed, called, lists)


def way_of(spec: Spec | None) -> Way | None:
    """Return the direction in which a retriever, or one that it wraps, follows hop-graph edges.

    None if it follows none; "both" for an unknown retriever.
    """
    if spec is None:
        return "both"
    return next((one.card.direction for one in spec.all_of_it() if one.card.direction), None)
