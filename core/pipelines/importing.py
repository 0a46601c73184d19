"""Results of another pipeline become a column of a run."""

import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from core.answers.scoring import accuracy, score
from core.artefacts.stored_artefacts import content_digest
from core.corpus.record_formats.retrieved_results import Result
from core.errors import InputError
from core.evidence import evidence_by_id, level_of_questions
from core.evidence.contexts import matched_contexts
from core.evidence.holding import held_evidence
from core.marks.store import question_key
from core.measures import MOST_TOKENS
from core.models.token_counts import tokens_of
from core.pipelines.imported import ALLOWED, FOUND_BY, ImportedResults, Retrieved
from core.pipelines.reading import results_of_file
from core.pipelines.traced import Placed
from core.playback.account import account
from core.ranking_comparison import gold_ranks
from core.runs.gold import passages_of_gold
from core.runs.gold_ranks import ranked_fates
from core.runs.question_sets import OWN
from core.runs.run import Column, Row, Run
from core.runs.store import Runs, checked_name
from core.runs.store.contexts import StoredContext
from core.runs.trec.ids import Ids, trec_id
from core.spans import TracedResult
from core.store.index import Index
from core.types import Query

MOST = 1000
"""How many contexts of a question count."""
_PAGE = 500  # rows that are in memory at once


def read_results(
    path: Path, queries: Sequence[Query], index: Index, name: str = ""
) -> ImportedResults:
    """Read results of another pipeline, to be imported into a run.

    Questions are matched by their text or id, contexts as `matching` says.

    Parameters
    ----------
    queries : the questions of the run.
    name : what the column is to be called, and the file where it is refused. By default what the
        pipeline calls itself in its spans, or else the name of the file.

    Raises
    ------
    InputError : the file cannot be read, or holds none of the questions or of the index's passages.
    """
    called = name or path.name
    results = results_of_file(path, path.name if not name else f"{name}{path.suffix}")
    by_question, unknown_questions = _by_question(results, queries)
    if not by_question:
        example = queries[0] if queries else Query("", "")
        raise InputError(
            f"{called} contains none of the {len(queries):,} questions of the run. Identify "
            f"questions by their text or by id, such as {trec_id(example.id)!r}."
        )
    ids = Ids(index, dict.fromkeys((*index.ids, *index.document_passages)))
    traced = [one for one in results if isinstance(one, TracedResult)]
    contexts = {c.key: c for one in results for c in one.contexts[:MOST]}
    contexts |= {c.key: c for one in traced for c in one.pipeline.documents}
    matches = matched_contexts(contexts.values(), index.passages, ids.find)
    bare = [id_ for id_, text in contexts if not text]
    unknown = [id_ for id_ in bare if matches[id_, ""].step == "none"]
    if bare and len(unknown) == len(contexts):
        raise InputError(
            f"{called} contains none of the passages of {index.name}. Identify passages by "
            f"id, such as {trec_id(next(iter(index.number), ''))!r}, or include their texts."
        )
    pipelines = {one.pipeline.name for one in traced}
    pipeline = pipelines.pop() if len(pipelines) == 1 else ""
    steps = Counter(match.step for (_, text), match in matches.items() if text)
    return ImportedResults(
        name=checked_name(name or pipeline or path.stem, "A column"),
        retrieved={
            question: Retrieved(one, one.contexts[:MOST], matches)
            for question, one in by_question.items()
        },
        questions=len(queries),
        question_ids=len(results),
        passage_ids=len(bare),
        unknown_questions=tuple(unknown_questions),
        unknown_passages=tuple(unknown),
        steps={step: steps[step] for step in FOUND_BY if steps[step]},
        unmatched=tuple(
            one for key, one in contexts.items() if matches[key].step == "none" and one.text
        ),
        incomplete=sum(one.pipeline.is_incomplete for one in traced),
        pipeline=pipeline,
    )


def _by_question(
    results: Sequence[Result], queries: Sequence[Query]
) -> tuple[dict[str, Result], list[str]]:
    """Return results by the id of the run's question, and the questions that it does not have."""
    known = {query.id for query in queries}
    ids = Ids(known, known)
    by_text = {question_key(query.text): query.id for query in queries}
    by_name: dict[str, Result] = {}
    unknown: list[str] = []
    for one in results:
        name = by_text.get(question_key(one.question)) if one.question else None
        name = name or (ids.find(one.id) if one.id else None)
        if name is None:
            unknown.append(one.id or one.question)
        else:
            by_name.setdefault(name, one)
    return by_name, unknown


def begin_imported_run(index: Index, questions: Sequence[Query], name: str, by: str = "") -> Run:
    """Store a run without retrievers, for results of other pipelines.

    Raises
    ------
    InputError : the name cannot be had.
    """
    run = Run(
        id=uuid.uuid4().hex[:12],
        name=name,
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        question_set=OWN,
        questions=len(questions),
        columns=(),
        content=content_digest(index),
        graph=index.meta.graph_version,
        settings={"gold": level_of_questions(questions)},
        state="finished",
        by=by,
    )
    return Runs(index.path).begin(run, questions)


def import_results(
    runs: Runs, run: Run, found: ImportedResults, index: Index, *, force: bool = False
) -> Column:
    """Add results to a run, as a column of its own.

    Parameters
    ----------
    force : import them whatever share of the ids is unknown.

    Raises
    ------
    InputError : more than `ALLOWED` of the ids are unknown, or the run has a column of that name.
    """
    if found.is_doubtful and not force:
        raise InputError(
            f"{found.name} was not imported: {'; '.join(found.unknown)}. More than "
            f"{ALLOWED:.0%} of its ids are unknown, so it may belong to other questions or "
            "another index."
        )
    column = Column(found.name)
    queries = [query for query in runs.questions(run.id) if query.id in found.retrieved]
    runs.add_column(run.id, column)
    for start in range(0, len(queries), _PAGE):
        page = queries[start : start + _PAGE]
        passages_by_gold = passages_of_gold(page, run, index)
        rows, contexts, traces = [], [], {}
        for query, each in zip(page, passages_by_gold, strict=True):
            retrieved = found.retrieved[query.id]
            hits, traced = _hits(retrieved), retrieved.placed(query, each)
            row = _imported_row(column, query, retrieved, hits, each, index)
            if traced:
                row = _with_steps(row, traced, query, index)
                traces[query.id] = traced.trace(index)
            rows.append(row)
            contexts += list(_stored(query, retrieved, hits))
        runs.append(run.id, rows)
        runs.put_contexts(run.id, column.retriever, contexts)
        runs.put_traces(run.id, column.retriever, traces)
    return column


def _hits(retrieved: Retrieved) -> tuple[str, ...]:
    """Return an id for each context: of its passage, or its own where that is taken or unknown."""
    hits: dict[str, None] = {}
    for rank, (one, match) in enumerate(
        zip(retrieved.contexts, retrieved.matches, strict=True), start=1
    ):
        passage = next((name for name in match.passages if name not in hits), None)
        own = f"{one.id} (context {rank})".strip() if one.text else one.id
        hits[passage or own] = None
    return tuple(hits)


def _imported_row(
    column: Column,
    query: Query,
    retrieved: Retrieved,
    hits: tuple[str, ...],
    passages_by_gold: Mapping[str, Sequence[str]],
    index: Index,
) -> Row:
    """Build the row of an imported result; fates follow from ranks, and costs are unknown."""
    ranks = _gold_ranks(query, retrieved, passages_by_gold)
    absent = tuple(name for name in ranks if not passages_by_gold.get(name) and not ranks[name])
    known = retrieved.answer and query.is_answer_known
    answer = score(retrieved.answer, query.answers) if known else None
    scores = [context.score for context in retrieved.contexts]
    return Row(
        retriever=column.retriever,
        question=query,
        ranks=ranks,
        hits=hits,
        absent=absent,
        fates=ranked_fates(ranks, hits, absent, passages_by_gold),
        scores=tuple(score for score in scores if score is not None) if None not in scores else (),
        lengths=_lengths(retrieved, index),
        em=answer.em if answer else None,
        f1=answer.f1 if answer else None,
        answer=retrieved.answer if answer else None,
        accuracy=accuracy(retrieved.answer, query.answers) if answer else None,
    )


def _with_steps(row: Row, traced: Placed, query: Query, index: Index) -> Row:
    """Return a row with what the steps say: the stage of each gold id, and what they took."""
    took = account(traced.steps)
    return replace(
        row,
        fates=traced.fates(query, index),
        seconds=took.seconds,
        embed_seconds=took.embed_seconds,
        calls=took.calls,
        tokens=took.tokens,
    )


def _gold_ranks(
    query: Query, retrieved: Retrieved, passages_by_gold: Mapping[str, Sequence[str]]
) -> dict[str, int | None]:
    """Return the rank of the first context for each gold id.

    It stands for a passage of the gold id, or holds the evidence itself, whatever the chunking. A
    part of a passage need not hold the passage's evidence.
    """
    evidence = evidence_by_id(query)
    whole, any_part = dict[str, int](), dict[str, int]()
    for rank, match in enumerate(retrieved.matches, start=1):
        for passage in match.passages:
            any_part.setdefault(passage, rank)
            if match.whole:
                whole.setdefault(passage, rank)
    ranks = gold_ranks(any_part, query.gold, passages_by_gold)
    ranks |= gold_ranks(whole, [name for name in ranks if name in evidence], passages_by_gold)
    held = held_evidence(evidence, retrieved.contexts)
    by_text = {name: 1 + max(min(part) for part in parts) for name, parts in held.items()}
    return {name: _least(rank, by_text.get(name)) for name, rank in ranks.items()}


def _least(*ranks: int | None) -> int | None:
    return min((rank for rank in ranks if rank), default=None)


def _lengths(retrieved: Retrieved, index: Index) -> tuple[int, ...] | None:
    """Return the tokens of the contexts (`core.measures.Lengths`); None where one is unknown."""
    lengths: list[int] = []
    for one, match in zip(retrieved.contexts, retrieved.matches, strict=True):
        if sum(lengths) > MOST_TOKENS:
            break
        known = next((name for name in match.passages if name in index.number), None)
        if not one.text and known is None:
            return None
        lengths.append(tokens_of(one.text or index.passage(known or "").text))
    return tuple(lengths)


def _stored(query: Query, retrieved: Retrieved, hits: Sequence[str]) -> Iterator[StoredContext]:
    """Yield the contexts whose text is not that of the passage at their rank."""
    for hit, one, match in zip(hits, retrieved.contexts, retrieved.matches, strict=True):
        if one.text and not (match.whole and match.step in ("id", "exact")):
            yield StoredContext(query.id, hit, one.title, one.text, match.step)
