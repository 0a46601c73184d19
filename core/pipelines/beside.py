"""Results of another pipeline for a question, as a trace to compare with ours."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, cast

from core.corpus.record_formats.retrieved_results import Context
from core.evidence import Holders, parts_of
from core.evidence.chunks import merged_parts
from core.evidence.holding import held_evidence
from core.marks import Gold, gold_of
from core.marks.store import question_key
from core.runs.run import Row, Run
from core.runs.store import Runs
from core.runs.store.contexts import StoredContext
from core.spans.pipeline import foreign
from core.steps import Asked, Ranked, Step, result
from core.store.index import Index
from core.traces import Trace
from core.types import Hit, Passage


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of a pipeline for one question.

    Parameters
    ----------
    trace : its nodes are passages of the index where a text is one, or holds the same evidence.
    has_steps : whether the steps of the pipeline are known, and not only its ranking.
    """

    trace: Trace
    has_steps: bool


@dataclass(frozen=True, slots=True)
class Beside:
    """A trace of a pipeline, prepared for comparison with the traces of retrievers.

    Parameters
    ----------
    passages_by_gold : for each gold id, the passages of the index and the texts of the trace that
        hold it.
    """

    trace: Trace
    passages_by_gold: Mapping[str, tuple[str, ...]]


def imported_columns(runs: Runs) -> list[tuple[Run, str]]:
    """Return the imported columns of all runs, newest run first."""
    return [
        (run, column.retriever)
        for run in runs.all()
        for column in run.columns
        if not column.configuration
    ]


def imported_of(runs: Runs, run: str, column: str, question: str, index: Index) -> Imported | None:
    """Return the result of an imported column for a question; None if it has none.

    Raises
    ------
    InputError : there is no such run.
    """
    made = runs.get(run)
    key = question_key(question)
    same = (query.id for query in runs.questions(run) if question_key(query.text) == key)
    row = next((row for id_ in same if (row := runs.row(run, column, id_))), None)
    if row is None:
        return None
    if trace := runs.trace(run, column, row.question.id):
        return Imported(replace(trace, retriever=foreign(column)), has_steps=True)
    own = runs.contexts(run, column, row.question.id)
    scores = runs.scores(run, column).get(row.question.id, ())
    return Imported(_ranking(row, scores, own, made, index), has_steps=False)


def _ranking(
    row: Row,
    scores: Sequence[float],
    own: Mapping[str, StoredContext],
    run: Run,
    index: Index,
) -> Trace:
    """Return a ranking as a trace of two steps. Unknown scores are 0."""
    name = foreign(row.retriever)
    known = scores if len(scores) == len(row.hits) else [0.0] * len(row.hits)
    hits = tuple(map(Hit, row.hits, known))
    return Trace(
        query=row.question.text,
        retriever=name,
        index=index.name,
        graph_version=index.meta.graph_version,
        steps=(Asked(name, row.question.text, max(len(hits), 1)), Ranked(hits)),
        passages={hit: _passage(hit, own.get(hit), index) for hit in row.hits},
        edges={},
        gold=(),
        created=run.made_at,
    )


def _passage(hit: str, own: StoredContext | None, index: Index) -> Passage:
    if own:
        return Passage(hit, hit, 0, own.title or hit, own.text)
    return index.passage(hit) if hit in index.number else Passage(hit, hit, 0, hit, "")


def beside(found: Trace, index: Index, question: str, top_k: int) -> Beside:
    """Return a pipeline's trace so that it can be compared with traces over `index`.

    Passages have the texts of the index. A text that holds evidence has the id of a passage that
    holds it, unless the trace has that passage. What ranks below `top_k` is cut off.
    """
    gold = gold_of(index, question)
    texts = [one for one in found.passages.values() if one.text]
    contexts = [Context(one.text, one.id, one.title) for one in texts]
    held = {
        name: [tuple(texts[place].id for place in part) for part in parts]
        for name, parts in held_evidence(gold.evidence, contexts).items()
    }
    names = _names(found, gold, held)
    steps = cast(tuple[Step, ...], _renamed(found.steps, names)) if names else found.steps
    ids = {id_: names.get(id_, id_) for id_ in found.passages}
    trace = replace(
        found,
        query=question,
        steps=(*steps[:-1], _cut_at(result(steps), top_k)),
        passages={
            new: index.passage(new) if new in index.number else found.passages[old]
            for old, new in ids.items()
        },
    )
    parts = {
        name: merged_parts(
            parts_of(name, gold.passages),
            [{ids[one] for one in part} for part in held.get(name, ())],
        )
        for name in gold.ids
    }
    return Beside(trace.with_gold(gold), Holders.of(parts))


def _names(
    found: Trace, gold: Gold, held: Mapping[str, Sequence[Collection[str]]]
) -> dict[str, str]:
    """Return new names, by old, of nodes that contain evidence and are no gold passage."""
    names: dict[str, str] = {}
    for name, parts in held.items():
        needed = parts_of(name, gold.passages)
        there = {*found.passages, *names.values()}
        if len(parts) == len(needed) == 1 and needed[0] and not there & {*needed[0]}:
            free = (one for one in found.ranking if one in parts[0] and one not in names)
            if node := next((one for one in free if not gold.has(one)), None):
                names[node] = needed[0][0]
    return names


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return a value of steps with other ids of nodes in it."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, tuple):
        return tuple(_renamed(one, names) for one in value)
    if is_dataclass(value) and not isinstance(value, type):
        within = {one.name: getattr(value, one.name) for one in fields(value)}
        return replace(value, **{name: _renamed(one, names) for name, one in within.items()})
    return value


def _cut_at(end: Ranked, top_k: int) -> Ranked:
    return replace(end, hits=end.hits[:top_k], pruned=(*end.hits[top_k:], *end.pruned))
