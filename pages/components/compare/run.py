"""What the Compare page shows: the answers of several retrievers, and what is gold among them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import streamlit as st

from core import rankings
from core.artefacts.base import Artefact
from core.artefacts.shelf import missing
from core.artefacts.workbench import Workbench
from core.errors import HopRagError
from core.funnel.data import Fate
from core.funnel.fates import fates
from core.funnel.lists import Lists
from core.marks import Gold
from core.models.money.forecast import Forecast
from core.playback.account import account
from core.playback.decided import Decided, decided
from core.retrievers import Card, Retriever, Spec, make
from core.runs import configuration
from core.steps import Asked, Ranked, Step, result
from core.store.index import Index
from core.traces import Trace, record
from core.types import Hit, Passage
from pages.components.ask.model_calls import Gate, leave, within_budget
from pages.components.ask.naming import called, in_sentence
from pages.components.ask.needs import cost_of
from pages.components.ask.substitute import stands_in
from pages.components.passages.gold import GoldMarks
from pages.components.passages.hit_list import HitRow, Lost, rows
from pages.components.shell import acts, frame


@dataclass(frozen=True)
class Column:
    """The answer of the retriever `spec` as a trace; `error` says why there is none.

    `needs` is what has to be built before, at `needs_cost`. `waits_for` are calls of a model that
    nobody has allowed yet, `retriever` who makes them. `stands_in` says what stood in for a
    model all the way, here or where it was built, empty if one spoke.
    """

    spec: Spec
    trace: Trace | None = None
    error: str = ""
    needs: tuple[Artefact[Any], ...] = ()
    needs_cost: str = ""
    stands_in: str = ""
    waits_for: Forecast | None = None
    retriever: Retriever | None = None

    @property
    def steps(self) -> tuple[Step, ...]:
        return self.trace.steps if self.trace else ()

    @property
    def card(self) -> Card:
        return self.spec.card

    @cached_property
    def key(self) -> str:
        """Its text, which no other column has."""
        return str(self.spec)

    @cached_property
    def configuration(self) -> str:
        """The digest of all that decides what it finds, as a run of an evaluation has it."""
        return configuration(self.retriever.workbench, self.spec) if self.retriever else ""

    @property
    def name(self) -> str:
        """Its title, and its settings where they differ from the defaults; what it is."""
        return self.model.called(called(self.spec, but=["top_k"]))

    @property
    def spoken(self) -> str:
        """The same in a sentence about several, in which a comma tells two apart."""
        nothing = ("no model",) if self.model.nothing else ()
        return in_sentence(called(self.spec, but=["top_k"]), *nothing)

    @cached_property
    def model(self) -> Decided:
        """What a model decided in it."""
        return decided(self.steps)

    @cached_property
    def ranked(self) -> Ranked:
        return result(self.steps)

    @property
    def hits(self) -> tuple[Hit, ...]:
        return self.ranked.hits

    @cached_property
    def ranking(self) -> tuple[str, ...]:
        """The passages that were kept, best first."""
        return tuple(hit.passage_id for hit in self.hits)

    @cached_property
    def seen(self) -> tuple[str, ...]:
        """The passages that were kept, and then those that a walk saw and cut."""
        return (*self.ranking, *(hit.passage_id for hit in self.ranked.pruned))

    @property
    def asked(self) -> Asked | None:
        return next((step for step in self.steps if isinstance(step, Asked)), None)

    @property
    def embedding_seconds(self) -> float:
        return account(self.steps).embed_seconds

    @property
    def seconds(self) -> float:
        """From the question to its ranking, the question's embedding included."""
        return self.embedding_seconds + self.ranked.told.cost.seconds


@dataclass(frozen=True)
class Comparison:
    """One question, its columns, and its gold; `lists` knows ranks beyond what they list."""

    index: Index
    question: str
    top_k: int
    columns: tuple[Column, ...]
    marks: GoldMarks
    lists: Lists

    @cached_property
    def answered(self) -> tuple[Column, ...]:
        """The columns that did not fail and do not wait."""
        return tuple(column for column in self.columns if column.steps)

    @cached_property
    def rankings(self) -> dict[str, tuple[str, ...]]:
        return {column.key: column.ranking for column in self.answered}

    @cached_property
    def gold(self) -> tuple[str, ...]:
        """Ids of gold passages and documents: those given, and those marked by hand."""
        return self.said.ids

    @cached_property
    def said(self) -> Gold:
        """The gold, and who says so."""
        return self.marks.now()

    @cached_property
    def gold_ranks(self) -> dict[str, dict[str, int | None]]:
        """Of each column, the rank of each gold id among all that the retriever saw."""
        return {
            column.key: rankings.gold_ranks(column.seen, self.gold, self.said.passages)
            for column in self.answered
        }

    @cached_property
    def fates(self) -> dict[str, dict[str, Fate]]:
        """Of each column, what became of each gold id, as an evaluation counts it."""
        return {
            column.key: {
                fate.gold: fate
                for fate in fates(
                    *(column.steps, self.gold, self.index),
                    stands=self.said.passages,
                    lists=self.lists,
                )
            }
            for column in self.answered
        }

    def is_gold(self, passage_id: str) -> bool:
        return self.said.has(passage_id)

    def gold_passage(self, gold: str) -> Passage | None:
        """The passage that shows what a gold id is; None when the index does not hold it."""
        passages = self.said.passages.get(gold, ())
        return self.index.passage(passages[0]) if passages else None


def listed(found: Comparison, column: Column) -> list[HitRow]:
    """The ranking of a column, each passage with how it moved against the first column."""
    first = found.answered[0]
    only = rankings.found_by_one(found.rankings)
    return rows(
        found.index,
        column.hits,
        gold={p: found.said.by(p) for p in column.ranking if found.is_gold(p)},
        only=frozenset(p for p, finder in only.items() if finder == column.key),
        moves=None if column is first else rankings.rank_moves(column.ranking, first.ranking),
    )


def lost_gold(found: Comparison, column: Column) -> list[Lost]:
    """The gold that a column has not retrieved, in a few words each."""
    return [
        Lost(
            passage_id=fate.passage,
            title=_title(found, gold),
            gold=found.said.by(gold),
            rank=fate.rank if fate.stage == "cut" and not fate.inner else None,
            told=fate.brief.split("; ")[0],
            evidence=one.text if (one := found.said.evidence.get(gold)) else "",
        )
        for gold, fate in found.fates.get(column.key, {}).items()
        if fate.lost
    ]


def _title(found: Comparison, gold: str) -> str:
    passage = found.gold_passage(gold)
    if passage:
        return found.index.titled(passage.id).title
    return found.said.titles.get(gold) or gold


def comparison(
    bench: Workbench,
    question: str,
    specs: Sequence[Spec],
    top_k: int,
    tell: Callable[[str], object],
) -> Comparison:
    """Ask every retriever of `specs`, which keeps `top_k` passages whatever it says itself.

    One that fails in a way that can be mended has its error. `tell` hears who is asked now.
    """
    index = bench.index
    marks = GoldMarks(question, index)
    columns = []
    for number, spec in enumerate(specs, start=1):
        tell(frame.literal(f"Running {called(spec)} ({number} of {len(specs)}) …"))
        columns.append(_column(bench, spec.with_settings(top_k=top_k), question))
    return Comparison(index, question, top_k, tuple(columns), marks, Lists(bench))


def _column(bench: Workbench, spec: Spec, question: str) -> Column:
    model = bench.oracle.llm.asked_as if bench.oracle else ""
    version = f"{bench.index.path} {bench.index.meta.finished_at} {model} {spec.version}"
    try:
        if needs := missing(spec.needs, bench):
            return Column(spec, needs=needs, needs_cost=cost_of(needs, bench))
        retriever = make(spec, bench)
        gate = leave(retriever, question, place=f"compare_{spec}")
        if gate.waits_for:
            return Column(spec, waits_for=gate.waits_for, retriever=retriever)
        with within_budget(f"compare_{spec}"):
            trace = _trace(bench, gate, version, str(spec), question, gate.run)
        acts.hold(bench, spec, question, trace.steps)
        told = stands_in(spec, trace.steps, bench)
        return Column(spec, trace, retriever=retriever, stands_in=told)
    except HopRagError as error:
        return Column(spec, error=str(error))


@st.cache_resource(max_entries=200, show_spinner=False)
def _trace(
    _bench: Workbench,
    _gate: Gate,
    version: str,  # noqa: ARG001 - a part of the cache's key
    retriever: str,
    question: str,
    run: str,  # noqa: ARG001 - as is the run that was allowed
) -> Trace:
    return record(make(retriever, _gate.opened(_bench)), question, _bench.index)
