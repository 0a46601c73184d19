"""The data of the Compare page: the rankings of several retrievers, and their gold."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import streamlit as st

from core import ranking_comparison
from core.artefacts.base import Artefact
from core.artefacts.stored_artefacts import missing
from core.artefacts.workbench import Workbench
from core.errors import HopRagError
from core.funnel.data import Fate
from core.funnel.fates import fates
from core.funnel.lists import Lists
from core.marks import Gold
from core.models.money.forecast import Forecast
from core.pipelines import beside
from core.playback.account import account
from core.playback.decided import Decided, decided
from core.retrievers import Card, Retriever, Spec, make
from core.runs import configuration
from core.steps import Asked, Ranked, Step, result
from core.store.index import Index
from core.traces import Trace
from core.types import Hit, Passage
from pages.components.ask.imported_results import Compared, ImportedColumn, compared_name
from pages.components.ask.model_calls import Gate, leave, within_budget
from pages.components.ask.required_structures import cost_of
from pages.components.ask.retriever_names import called, in_sentence
from pages.components.ask.rule_based_notice import stands_in
from pages.components.compare import imported_columns
from pages.components.passages.gold import GoldMarks
from pages.components.passages.hit_list import HitRow, Lost, rows
from pages.components.shell import layout
from pages.components.shell.actions import run_actions


@dataclass(frozen=True)
class Column:
    """The trace of the retriever `spec`, or of imported results, or the `error` that prevented it.

    Parameters
    ----------
    needs, needs_cost : the artefacts to build first, and their cost.
    stands_in : what replaced the model in every step, here or in the build; empty if a model ran.
    waits_for : the model calls that nobody has allowed yet.
    retriever : the retriever that would make these calls.
    passages_by_gold : the passages and texts of each gold id in imported results.
    has_steps : whether more than a ranking is known.
    """

    spec: Compared
    trace: Trace | None = None
    error: str = ""
    needs: tuple[Artefact[Any], ...] = ()
    needs_cost: str = ""
    stands_in: str = ""
    waits_for: Forecast | None = None
    retriever: Retriever | None = None
    passages_by_gold: Mapping[str, tuple[str, ...]] | None = None
    has_steps: bool = True

    @property
    def steps(self) -> tuple[Step, ...]:
        return self.trace.steps if self.trace else ()

    @property
    def card(self) -> Card:
        return self.spec.card

    @cached_property
    def key(self) -> str:
        """Return the text that identifies the column."""
        return str(self.spec)

    @cached_property
    def configuration(self) -> str:
        """Return the digest of everything that affects the ranking, as stored with a run."""
        made = self.retriever
        return configuration(made.workbench, self.own) if made and self.own else ""

    @property
    def own(self) -> Spec | None:
        """Return the retriever; None for imported results."""
        return self.spec if isinstance(self.spec, Spec) else None

    @property
    def name(self) -> str:
        """Return the title and the settings that differ from the defaults."""
        return self.model.called(compared_name(self.spec))

    @property
    def spoken(self) -> str:
        """Return the name in the form used within a sentence, with settings in brackets."""
        nothing = ("no model",) if self.model.nothing else ()
        return in_sentence(compared_name(self.spec), *nothing)

    @cached_property
    def model(self) -> Decided:
        """Return the part of the retrieval that a model decided."""
        return decided(self.steps)

    @cached_property
    def ranked(self) -> Ranked:
        return result(self.steps)

    @property
    def hits(self) -> tuple[Hit, ...]:
        return self.ranked.hits

    @cached_property
    def ranking(self) -> tuple[str, ...]:
        """Return the retrieved passages, best first."""
        return tuple(hit.passage_id for hit in self.hits)

    @cached_property
    def seen(self) -> tuple[str, ...]:
        """Return the retrieved passages, then those that a walk visited and cut off."""
        return (*self.ranking, *(hit.passage_id for hit in self.ranked.pruned))

    @property
    def asked(self) -> Asked | None:
        return next((step for step in self.steps if isinstance(step, Asked)), None)

    @property
    def embedding_seconds(self) -> float:
        return account(self.steps).embed_seconds

    @property
    def seconds(self) -> float:
        """Return the retrieval time in seconds, without the embedding of the query."""
        return account(self.steps).seconds


@dataclass(frozen=True)
class Comparison:
    """One question, its columns, and its gold; `lists` has ranks beyond the top k."""

    index: Index
    question: str
    top_k: int
    columns: tuple[Column, ...]
    marks: GoldMarks
    lists: Lists

    @cached_property
    def answered(self) -> tuple[Column, ...]:
        """Return the columns that have a ranking."""
        return tuple(column for column in self.columns if column.steps)

    @cached_property
    def rankings(self) -> dict[str, tuple[str, ...]]:
        return {column.key: column.ranking for column in self.answered}

    @cached_property
    def gold(self) -> tuple[str, ...]:
        """Return ids of gold passages and documents, including those marked by hand."""
        return self.said.ids

    @cached_property
    def said(self) -> Gold:
        """Return the gold and who marked it."""
        return self.marks.now()

    @cached_property
    def gold_ranks(self) -> dict[str, dict[str, int | None]]:
        """Return, per column, each gold id's rank among all passages that the retriever saw."""
        return {
            column.key: ranking_comparison.gold_ranks(
                column.seen, self.gold, self._passages_by_gold(column)
            )
            for column in self.answered
        }

    @cached_property
    def fates(self) -> dict[str, dict[str, Fate]]:
        """Return, for each column, the fate of each gold id, as counted in a run."""
        return {column.key: self._fates(column) for column in self.answered}

    def _passages_by_gold(self, column: Column) -> Mapping[str, Sequence[str]]:
        """Return the passages and texts of each gold id, as a column returned them."""
        if column.passages_by_gold is None and column.trace and column.ranked.returned:
            return column.trace.measured(self.said)[1].passages
        return column.passages_by_gold or self.said.passages

    def _fates(self, column: Column) -> dict[str, Fate]:
        """Return the fate of each gold id in a column; without steps, lost gold is `unranked`, not
        `below`.
        """
        passages_by_gold = self._passages_by_gold(column)
        ends = fates(
            column.steps, self.gold, self.index, passages_by_gold=passages_by_gold, lists=self.lists
        )
        return {
            fate.gold: fate
            if column.has_steps or fate.stage != "below"
            else replace(fate, stage="unranked", of=None, near=(), lists=())
            for fate in ends
        }

    def is_gold(self, passage_id: str) -> bool:
        return self.said.has(passage_id)

    def passage(self, passage_id: str) -> Passage:
        """Return a passage with the name that it is shown by, or an imported text that is none."""
        if passage_id in self.index.number:
            return self.index.titled(passage_id)
        traces = (column.trace for column in self.columns if column.trace)
        return next(one.passages[passage_id] for one in traces if passage_id in one.passages)

    def gold_passage(self, gold: str) -> Passage | None:
        """Return the passage of a gold id, or None if it is not in the index."""
        passages = self.said.passages.get(gold, ())
        return self.index.passage(passages[0]) if passages else None


def listed(found: Comparison, column: Column) -> list[HitRow]:
    """Return the ranking of a column, each passage with how it moved against the first column."""
    first = found.answered[0]
    only = ranking_comparison.found_by_one(found.rankings)
    return rows(
        found.passage,
        column.hits,
        gold={p: found.said.author_of(p) for p in column.ranking if found.is_gold(p)},
        only=frozenset(p for p, finder in only.items() if finder == column.key),
        moves=None
        if column is first
        else ranking_comparison.rank_moves(column.ranking, first.ranking),
    )


def lost_gold(found: Comparison, column: Column) -> list[Lost]:
    """Return the gold that a column has not retrieved, in a few words each."""
    return [
        Lost(
            passage_id=fate.passage,
            title=_title(found, gold),
            gold=found.said.author_of(gold),
            rank=fate.rank if fate.stage == "cut" and not fate.inner else None,
            told=fate.brief.split("; ")[0],
            evidence=one.text if (one := found.said.evidence.get(gold)) else "",
        )
        for gold, fate in found.fates.get(column.key, {}).items()
        if fate.lost
    ]


def _title(found: Comparison, gold: str) -> str:
    """Return the title of a gold id, from the index or else from the question set."""
    passage = found.gold_passage(gold)
    if passage:
        return found.index.titled(passage.id).title
    return found.said.titles.get(gold) or gold


def comparison(
    bench: Workbench,
    question: str,
    specs: Sequence[Compared],
    top_k: int,
    tell: Callable[[str], object],
) -> Comparison:
    """Run every retriever of `specs` with `top_k` passages, and look up imported results.

    A retriever that fails has a column with its error. `tell` is called with the name of the
    current one.
    """
    index = bench.index
    marks = GoldMarks(question, index)
    columns = []
    for number, spec in enumerate(specs, start=1):
        if isinstance(spec, ImportedColumn):
            columns.append(_imported_column(bench.index, spec, question, top_k))
            continue
        tell(layout.literal(f"Running {called(spec)} ({number} of {len(specs)}) …"))
        columns.append(_column(bench, spec.with_settings(top_k=top_k), question))
    return Comparison(index, question, top_k, tuple(columns), marks, Lists(bench))


def _imported_column(index: Index, column: ImportedColumn, question: str, top_k: int) -> Column:
    """Return a column of imported results, cut at `top_k`, or a column with the error."""
    try:
        found = imported_columns.found(column, question, index)
    except HopRagError as error:
        return Column(column, error=str(error))
    if found is None:
        return Column(column, error=imported_columns.problem(column))
    shown = beside(found.trace, index, question, top_k)
    return Column(
        column, shown.trace, passages_by_gold=shown.passages_by_gold, has_steps=found.has_steps
    )


def _column(bench: Workbench, spec: Spec, question: str) -> Column:
    """Run a retriever and return its column; if it cannot run, the column says what is missing."""
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
        run_actions.hold(bench, spec, question, trace.steps)
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
    """Retrieve, cached by the version, the retriever, the question and the approved run."""
    return _gate.retrieve(_bench, question, retriever)
