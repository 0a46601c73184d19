"""A retrieval kept: its steps and all that is needed to show them on another machine."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Protocol

from core.counterfactual import Amendments, amendments_of
from core.errors import InputError
from core.marks import Gold, Made, stored_gold
from core.playback import check
from core.playback.returned_texts import by_text
from core.retrievers.spec import spec_of
from core.retrievers.step_ids import edge_ids, passage_ids
from core.steps import Step, result
from core.types import Edge, Evidence, Passage


@dataclass(frozen=True, slots=True)
class Trace:
    """One retrieval. `retriever` is its text (`Spec`), `index` the name of the index.

    `passages` and `edges` hold, by id, every passage the steps name, every edge that was on offer
    and its ends. `gold` are ids of evidence, passages or documents, which need not be among
    `passages`; `evidence` has the evidence by id. Of gold ids
    `by_hand` were marked by hand and `absent` are not in the index. `removed` are passages that a
    person said are no gold, though the question set names them; `made` says of both who did it and
    when, where that is known. `created` is a time in ISO 8601.
    """

    query: str
    retriever: str
    index: str
    graph_version: str
    steps: tuple[Step, ...]
    passages: Mapping[str, Passage]
    edges: Mapping[str, Edge]
    gold: tuple[str, ...]
    created: str
    by_hand: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    made: Mapping[str, Made] = field(default_factory=dict)
    evidence: Mapping[str, Evidence] = field(default_factory=dict)

    def with_gold(self, gold: Gold) -> "Trace":
        """Return the same with the gold as it is now."""
        return self.measured(gold)[0]

    def measured(self, gold: Gold) -> tuple["Trace", Gold]:
        """Return the trace with gold, and this gold as its texts hold it.

        Both differ from what is given only where a custom retriever returned texts that are no
        whole passages (`core.playback.returned_texts`).

        Parameters
        ----------
        gold : that of the question over the index, as it is now.
        """
        placed = by_text(self.steps, gold)
        passages = {
            name: replace(self.passages[name], text=text.text) if name in self.passages else text
            for name, text in placed.texts.items()
        }
        measured = replace(self, steps=placed.steps, passages={**self.passages, **passages})
        return measured._with_gold_fields(placed.gold), placed.gold

    def _with_gold_fields(self, gold: Gold) -> "Trace":
        """Return the trace with the fields of `gold`."""
        return replace(
            self,
            gold=gold.ids,
            by_hand=gold.added,
            removed=gold.removed,
            absent=gold.absent,
            made=gold.made,
            evidence=gold.evidence,
        )

    @property
    def amendments(self) -> Amendments:
        """The manual choices; empty if only the retriever chose."""
        return amendments_of(self.steps)

    @property
    def ranking(self) -> tuple[str, ...]:
        """Ids of the passages it ranked, best first, those below the cut-off included."""
        end = result(self.steps)
        return tuple(hit.passage_id for hit in (*end.hits, *end.pruned))

    @property
    def kept_gold(self) -> Gold:
        """The gold in the trace itself, without passages it does not contain."""
        return stored_gold(
            self.passages,
            self.gold,
            by_hand=self.by_hand,
            removed=self.removed,
            absent=self.absent,
            made=self.made,
            evidence=self.evidence,
        )


class _Card(Protocol):
    @property
    def key(self) -> str: ...


class _Retriever(Protocol):
    @property
    def card(self) -> _Card: ...
    def retrieve(self, query: str) -> Iterator[Step]: ...


class _Meta(Protocol):
    @property
    def graph_version(self) -> str: ...


class _Graph(Protocol):
    def edges_of(self, edge_ids: Iterable[str]) -> Sequence[Edge]: ...


class _Index(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def meta(self) -> _Meta: ...
    @property
    def graph(self) -> _Graph: ...
    def passage(self, passage_id: str) -> Passage: ...


def record(retriever: _Retriever, query: str, index: _Index, gold: Sequence[str] = ()) -> Trace:
    """Run `retriever` on `query` to its end and keep what it did.

    Raises
    ------
    ValueError : when its steps break the contract (`core.playback.check`).
    """
    steps = tuple(retriever.retrieve(query))
    check(steps)
    edges = {edge.id: edge for edge in index.graph.edges_of(edge_ids(steps))}
    named = dict.fromkeys((*passage_ids(steps), *_ends(edges)))
    return Trace(
        query=query,
        retriever=str(spec_of(retriever)),
        index=index.name,
        graph_version=index.meta.graph_version,
        steps=steps,
        passages={passage_id: index.passage(passage_id) for passage_id in named},
        edges=edges,
        gold=tuple(gold),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def check_trace(trace: Trace) -> None:
    """Refuse a trace that could not be shown.

    Raises
    ------
    ValueError : when the steps break the contract, or name what the trace does not hold, or what
        was chosen by hand is unreadable, or `created` or when a mark was made is no time.
    """
    check(trace.steps)
    try:
        amendments_of(trace.steps)
    except InputError as error:
        raise ValueError(f"its manual choices are invalid: {error}") from None
    datetime.fromisoformat(trace.created)
    for made in trace.made.values():
        _check_displayable(made)
    for name in (*trace.by_hand, *trace.absent):
        if name not in trace.gold:
            raise ValueError(f"{name!r} is listed as gold by hand or missing, but is not gold")
    for name in trace.removed:
        if name in trace.gold:
            raise ValueError(f"{name!r} is gold, but its mark is listed as removed")
    if strange := trace.made.keys() - {*trace.by_hand, *trace.removed}:
        raise ValueError(f"{min(strange)!r} is listed as marked by someone, but is not marked")
    for edge_id in edge_ids(trace.steps):
        if edge_id not in trace.edges:
            raise ValueError(f"the edge {edge_id!r} is a candidate but not in the file")
    for passage_id in (*passage_ids(trace.steps), *_ends(trace.edges)):
        if passage_id not in trace.passages:
            raise ValueError(f"the passage {passage_id!r} is used but not in the file")


def _check_displayable(made: Made) -> None:
    """Raise ValueError if a time stamp cannot be displayed."""
    try:
        str(made)
    except OverflowError:  # a time that has no day in UTC
        raise ValueError(f"{made.at!r} lies before the year 1 or after 9999") from None


def _ends(edges: Mapping[str, Edge]) -> dict[str, None]:
    return dict.fromkeys(end for edge in edges.values() for end in (edge.source, edge.target))
