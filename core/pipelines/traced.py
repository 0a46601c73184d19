"""A pipeline's spans over an index: a trace like ours, and the stage of each gold id."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from core.answers.scoring import normalised, score
from core.corpus.record_formats.retrieved_results import Context, ContextKey
from core.evidence import Holders, evidence_by_id
from core.evidence.chunks import placed_chunks
from core.evidence.contexts import ContextMatch, matched_contexts
from core.funnel.data import Fate
from core.funnel.fates import fates
from core.marks import Gold, gold_of
from core.marks.gold import query_of
from core.playback.returned_texts import UNTITLED
from core.runs.trec.ids import Ids
from core.spans import TracedResult, steps_of
from core.steps import Step
from core.store.index import Index
from core.text.sentences import sentences
from core.text.stop_words import STOP_WORDS
from core.text.tokens import words
from core.traces import Trace
from core.types import Passage, Query

_USED = 0.5
"""A sentence uses a passage that has more than this share of its words."""

_Matches = Mapping[ContextKey, ContextMatch]


@dataclass(frozen=True)
class Placed:
    """A pipeline's documents as nodes: passages of the index, or nodes of their own.

    Parameters
    ----------
    nodes : the node of each document.
    passages_by_gold : for each gold id, the nodes that hold it and the passages of the index that
        were not found.
    """

    result: TracedResult
    nodes: Mapping[ContextKey, str]
    passages_by_gold: Holders
    steps: tuple[Step, ...]

    def trace(self, index: Index | None, gold: Gold | None = None) -> Trace:
        """Return the trace, which keeps the documents' own texts.

        Parameters
        ----------
        index : the one that has the passages, if any.
        gold : that of the question in the index.
        """
        line = self.result.pipeline
        trace = Trace(
            query=self.result.question,
            retriever=line.name,
            index=index.name if index else "",
            graph_version=index.meta.graph_version if index else "",
            steps=self.steps,
            passages={
                node.id: node for one in line.documents if (node := self._passage(one, index))
            },
            edges={},
            gold=(),
            created=datetime.fromtimestamp(min(line.spans[0].start, 4e9), UTC).isoformat(),
        )
        return trace.with_gold(gold.held_by(self.passages_by_gold)) if gold else trace

    def _passage(self, context: Context, index: Index | None) -> Passage:
        """Return the passage of a retrieved text, with its title in the index if known there."""
        node = self.nodes[context.key]
        if index and node in index.number:
            passage = index.titled(node)
            return replace(passage, text=context.text) if context.text else passage
        title = context.title or context.id or UNTITLED
        return Passage(node, node, 0, title, context.text)

    def fates(self, query: Query, index: Index) -> tuple[Fate, ...]:
        """Return the fate of each gold id of a question."""
        return fates(
            self.steps,
            query.gold,
            index,
            self._nodes_of_wrong_answer(query),
            passages_by_gold=self.passages_by_gold,
        )

    def _nodes_of_wrong_answer(self, query: Query) -> set[str] | None:
        """Return the nodes that a wrong answer uses; None for a right answer, or one that is not
        judged.

        What a right answer does not repeat may have been a step on the way to it.
        """
        said, right = self.result.answer, query.answers
        if not said or not right or score(said, right).em:
            return None
        answer_text = normalised(said)
        if any(normalised(one) in answer_text for one in right if normalised(one)):
            return None
        asked = {*words(query.text)} | STOP_WORDS
        told_of = [{*words(one)} - asked for one in sentences(said)]
        texts = {self.nodes[one.key]: {*words(one.text)} for one in self.result.contexts}
        return {
            node
            for node, held in texts.items()
            if any(len(one & held) > _USED * len(one) for one in told_of if one)
        }


def placed(
    result: TracedResult,
    matches: _Matches,
    query: Query | None = None,
    passages_by_gold: Mapping[str, Sequence[str]] | None = None,
) -> Placed:
    """Place the documents of a pipeline (`core.evidence.chunks`).

    Parameters
    ----------
    query : the question, if its gold is known.
    passages_by_gold : the passages of each of its gold ids.
    """
    chunks = placed_chunks(
        result.pipeline.documents,
        matches,
        query.gold if query else (),
        evidence_by_id(query) if query else {},
        passages_by_gold or {},
    )
    steps = steps_of(result.pipeline, lambda one: chunks.nodes[one.key])
    return Placed(result, chunks.nodes, chunks.passages_by_gold, steps)


def trace_of(result: TracedResult, index: Index | None = None) -> Trace:
    """Return a pipeline's result as a trace over an index, with the gold of its question.

    Parameters
    ----------
    index : without one every document is a node of its own.
    """
    if index is None:
        none = {one.key: ContextMatch("none", whole=False) for one in result.pipeline.documents}
        return placed(result, none).trace(None)
    ids = Ids(index, dict.fromkeys((*index.ids, *index.document_passages)))
    matches = matched_contexts(result.pipeline.documents, index.passages, ids.find)
    query, gold = query_of(index, result.question), gold_of(index, result.question)
    if query:
        query = replace(query, gold=gold.ids)
    return placed(result, matches, query, gold.passages).trace(index, gold)
