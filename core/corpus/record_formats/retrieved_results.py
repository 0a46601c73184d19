"""Read the passages that other pipelines retrieved for their questions."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.corpus.file_contents import Row
from core.corpus.record_formats import field_names
from core.errors import InputError

QUESTIONS = ("user_input", *field_names.QUESTIONS, "input", "question_text")
IDS = ("query_id", "question_id", "qid", "id", "_id")
CONTEXTS = (
    *("retrieved_contexts", "retrieved_context", "contexts", "context", "retrieved_passages"),
    *("docs", "documents", "passages", "ctxs", "hits", "source_nodes", "source_documents"),
)
CONTEXT_IDS = ("retrieved_context_ids", "context_ids", "retrieved_ids", "doc_ids", "passage_ids")
SCORES = ("doc_scores", "scores", "context_scores", "retrieval_scores")
ANSWERS = ("response", "prediction", "predicted_answer", "generated_answer", "output", "answer")
RIGHT_ANSWERS = (
    *("reference", "ground_truth", "ground_truths", "gt_answer", "gold_answers", "gold_answer"),
    *("reference_answer", "expected_answer", "answers"),
)
REFERENCES = ("reference_contexts", "gold_docs", "gold_contexts", "gold_passages", "evidence")
_TEXTS = ("text", "page_content", *field_names.TEXTS, "context", "chunk")
_CONTEXT_IDS = ("id", "_id", "doc_id", "docid", "id_", "node_id", "passage_id", "chunk_id", "pid")
_CONTEXT_SCORES = ("score", "similarity", "relevance_score", "relevance", "probability")
_RANKS = ("rank", "position")
_WRAPPERS = ("node", "document", "passage", "doc")

ContextKey = tuple[str, str]
"""Id and text of a context, by which it is matched with a passage."""


@dataclass(frozen=True, slots=True)
class Context:
    """A retrieved text. Any of its fields may be unknown, but not both `id` and `text`.

    Parameters
    ----------
    score : higher is better; None if the pipeline did not say.
    """

    text: str = ""
    id: str = ""
    title: str = ""
    score: float | None = None

    @property
    def key(self) -> ContextKey:
        return self.id, self.text


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a pipeline for one question: contexts, best first, and the answer.

    Parameters
    ----------
    id, question : of the question; at least one of them is known.
    answers : the right answers, if the file has them.
    references : texts that the question needs, if the file has them.
    """

    id: str = ""
    question: str = ""
    contexts: tuple[Context, ...] = ()
    answer: str = ""
    answers: tuple[str, ...] = ()
    references: tuple[str, ...] = ()


def results_of_rows(rows: Sequence[Row], name: str) -> Iterator[Result]:
    """Yield the results of records; rows of one context each are gathered by their question.

    Raises
    ------
    InputError : a record names neither a question nor its id, or has no contexts.
    """
    if _is_one_context_a_row(rows):
        yield from _results_by_question(rows)
        return
    for number, row in enumerate(rows, start=1):
        result = result_of(row)
        if result is None:
            raise InputError(
                f"Record {number:,} of {name} has no contexts, only {_field_list(row)}. A result "
                "needs 'question' (or 'id') and 'contexts'."
            )
        yield result


def result_of(row: Row) -> Result | None:
    """Return the result in a record, or None if it has no field for contexts."""
    listed = field_names.value(row, CONTEXTS)
    ids = _list(field_names.value(row, CONTEXT_IDS))
    if listed is None and not ids and field_names.key_of(row, CONTEXTS) is None:
        return None
    contexts = [context_of(each) for each in _list(listed)]
    scores = _list(field_names.value(row, SCORES))
    if not contexts:
        contexts = [Context() for _ in ids]
    return Result(
        id=_text(field_names.value(row, IDS)),
        question=_text(field_names.value(row, QUESTIONS)),
        contexts=tuple(
            Context(
                text=each.text,
                id=each.id or _text(_value_at(ids, number)),
                title=each.title,
                score=each.score if each.score is not None else _number(_value_at(scores, number)),
            )
            for number, each in enumerate(contexts)
            if each.text or each.id or _text(_value_at(ids, number))
        ),
        answer=_text(field_names.value(row, ANSWERS)),
        answers=tuple(map(_text, _list(field_names.value(row, RIGHT_ANSWERS)))),
        references=tuple(
            context_of(each).text for each in _list(field_names.value(row, REFERENCES))
        ),
    )


def context_of(value: Any) -> Context:
    """Return the context of a text, a (text, score) pair, or an object as LlamaIndex writes it."""
    if isinstance(value, str):
        return Context(text=value)
    if isinstance(value, list | tuple) and value:  # (text, score)
        texts = [one for one in value if isinstance(one, str)]
        numbers = [one for one in map(_number, value) if one is not None]
        return Context(text=texts[-1] if texts else "", score=numbers[0] if numbers else None)
    if not isinstance(value, Mapping):
        return Context()
    wrapped = (value[key] for key in _WRAPPERS if isinstance(value.get(key), Mapping))
    inner: Mapping[str, Any] = next(wrapped, {})
    meta = value.get("metadata") or inner.get("metadata") or {}
    layers = [value, inner, meta if isinstance(meta, Mapping) else {}]
    return Context(
        text=_first(layers[:2], _TEXTS),
        id=_first(layers, _CONTEXT_IDS),
        title=_first(layers, (*field_names.TITLES, "file_name")),
        score=_number(
            next((one[key] for one in layers for key in _CONTEXT_SCORES if key in one), None)
        ),
    )


def _is_one_context_a_row(rows: Sequence[Row]) -> bool:
    """Return whether each row has a rank or a score, and one text or id."""
    ranked = all(field_names.has(row, _RANKS + _CONTEXT_SCORES) for row in rows)
    listed = (field_names.value(row, CONTEXTS) for row in rows)
    return ranked and not any(
        isinstance(one, list | dict) or str(one).lstrip().startswith("[") for one in listed
    )


def _results_by_question(rows: Sequence[Row]) -> Iterator[Result]:
    """Yield the results of each question, whose rows have one retrieved text each, best first."""
    by_question: dict[tuple[str, str], list[tuple[float, Context]]] = {}
    answers: dict[tuple[str, str], str] = {}
    for row in rows:
        id_ = _text(field_names.value(row, ("query_id", "question_id", "qid")))
        question = _text(field_names.value(row, QUESTIONS))
        text = _text(field_names.value(row, (*CONTEXTS, *_TEXTS)))
        name = _text(field_names.value(row, (*_CONTEXT_IDS, "context_id", "document_id")))
        score = _number(field_names.value(row, _CONTEXT_SCORES))
        rank = _number(field_names.value(row, _RANKS))
        title = _text(field_names.value(row, field_names.TITLES))
        place = rank if rank is not None else -(score or 0.0)
        key = (id_, question)
        by_question.setdefault(key, []).append((place, Context(text, name, title, score)))
        answers.setdefault(key, _text(field_names.value(row, ANSWERS)))
    for (id_, question), contexts in by_question.items():
        ranked = [one for _, one in sorted(contexts, key=lambda each: each[0])]
        yield Result(id_, question, tuple(ranked), answers[id_, question])


def _list(value: Any) -> list[Any]:
    """Return a list, parsed from JSON if it is a text; a single value becomes a list of one."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            value = [value]
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def _value_at(values: Sequence[Any], number: int) -> Any:
    return values[number] if number < len(values) else None


def _first(layers: Sequence[Mapping[str, Any]], names: Sequence[str]) -> str:
    texts = (_text(field_names.value(layer, names)) for layer in layers)
    return next((one for one in texts if one), "")


def _text(value: Any) -> str:
    """Return a text or number as text, whole numbers without decimals; else an empty string."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    return str(int(value)) if float(value).is_integer() else str(value)


def _number(value: Any) -> float | None:
    """Return a finite number, or None for any other value."""
    try:
        number = float(value) if not isinstance(value, bool) else math.nan
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def _field_list(row: Row) -> str:
    names = [str(key)[:40] for key in row][:8]
    return f"the fields {', '.join(names)}" if names else "no fields"
