"""Exports of other tools: the same pipeline as Phoenix, LangSmith and Langfuse write it."""

import io
import json
from typing import Any

import pandas as pd
import pytest

from core.errors import InputError
from core.pipelines import traces_of_file
from core.playback import check
from core.spans import Span, steps_of, traced_results

QUESTION, ANSWER = "Who founded the yard?", "Iris Colm"
DOCUMENTS = [("yard", "It was founded by Iris Colm.", 0.9), ("tern", "The tern nests.", 0.4)]
PROMPT = f"{DOCUMENTS[0][1]}\n{DOCUMENTS[1][1]}\n{QUESTION}"
TIMES = ("2026-01-02T03:04:05+00:00", "2026-01-02T03:04:06+00:00")


def phoenix_rows() -> list[dict[str, Any]]:
    documents = [
        {"document.id": id_, "document.content": text, "document.score": score}
        for id_, text, score in DOCUMENTS
    ]
    rows = [
        ("a", None, "CHAIN", {"input.value": QUESTION, "output.value": ANSWER}),
        ("b", "a", "RETRIEVER", {"input.value": QUESTION, "retrieval.documents": documents}),
        ("c", "a", "LLM", {"input.value": PROMPT, "output.value": ANSWER}),
    ]
    return [
        {
            "name": kind.lower(),
            "span_kind": kind,
            "parent_id": parent,
            "start_time": TIMES[0],
            "end_time": TIMES[1],
            "context.trace_id": "t",
            "context.span_id": id_,
            **{f"attributes.{name}": value for name, value in attributes.items()},
        }
        for id_, parent, kind, attributes in rows
    ]


def langsmith_runs() -> list[dict[str, Any]]:
    documents = [
        {"page_content": text, "metadata": {"id": id_, "score": score}, "type": "Document"}
        for id_, text, score in DOCUMENTS
    ]
    message = {"lc": 1, "kwargs": {"content": PROMPT, "type": "human"}}
    reply = {"text": ANSWER, "message": {"kwargs": {"content": ANSWER}}}
    rows = [
        ("a", None, "chain", {"question": QUESTION}, {"output": ANSWER}),
        ("b", "a", "retriever", {"query": QUESTION}, {"documents": documents}),
        ("c", "a", "llm", {"messages": [[message]]}, {"generations": [[reply]]}),
    ]
    return [
        {
            **{"id": id_, "parent_run_id": parent, "trace_id": "a", "run_type": kind, "name": kind},
            **{"inputs": asked, "outputs": said, "start_time": TIMES[0], "end_time": TIMES[1]},
        }
        for id_, parent, kind, asked, said in rows
    ]


def langfuse_trace() -> dict[str, Any]:
    documents = [
        {"page_content": text, "metadata": {"id": id_, "score": score}}
        for id_, text, score in DOCUMENTS
    ]
    rows = [
        ("b", "RETRIEVER", QUESTION, documents),
        ("c", "GENERATION", [{"role": "user", "content": PROMPT}], {"content": ANSWER}),
    ]
    return {
        **{"id": "t", "name": "rag", "timestamp": TIMES[0], "input": QUESTION, "output": ANSWER},
        "observations": [
            {
                **{"id": id_, "traceId": "t", "type": kind, "name": kind, "input": asked},
                **{"output": said, "startTime": TIMES[0], "endTime": TIMES[1]},
                "parentObservationId": None,
            }
            for id_, kind, asked, said in rows
        ],
    }


def as_lines(rows: list[dict[str, Any]]) -> bytes:
    return "\n".join(map(json.dumps, rows)).encode()


def as_parquet(rows: list[dict[str, Any]]) -> bytes:
    written = io.BytesIO()
    pd.DataFrame(rows).to_parquet(written)
    return written.getvalue()


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (as_lines(phoenix_rows()), "phoenix.jsonl"),
        (as_parquet(phoenix_rows()), "phoenix.parquet"),
        (as_lines(langsmith_runs()), "langsmith.jsonl"),
        (json.dumps(langsmith_runs()).encode(), "langsmith.json"),
        (json.dumps([langfuse_trace()]).encode(), "langfuse.json"),
        (as_lines(langfuse_trace()["observations"]), "observations.jsonl"),
    ],
)
def test_each_export_has_question_documents_and_answer(data: bytes, name: str) -> None:
    (result,) = traces_of_file(data, name)
    assert (result.question, result.answer) == (QUESTION, ANSWER)
    assert [(one.id, one.text, one.score) for one in result.contexts] == DOCUMENTS
    check(steps_of(result.pipeline, lambda one: one.id))


def test_spans_without_a_search_are_refused() -> None:
    with pytest.raises(InputError, match="2 spans, but none is from a retriever"):
        traces_of_file(as_lines([phoenix_rows()[0], phoenix_rows()[2]]), "a.jsonl")


def test_a_broken_record_is_named() -> None:
    with pytest.raises(InputError, match=r"Record 2 of a\.jsonl is not a span"):
        traces_of_file(as_lines([phoenix_rows()[1], {"name": "x"}]), "a.jsonl")


def test_spans_that_are_inside_each_other_do_not_hang() -> None:
    spans = [Span("t", "a", "b", "RETRIEVER", "a"), Span("t", "b", "a", "RETRIEVER", "b")]
    assert traced_results(spans) == []


def test_half_a_surrogate_pair_is_replaced() -> None:
    row = {**phoenix_rows()[1], "attributes.input.value": "Who\ud800?"}
    (result,) = traces_of_file(as_lines([row]), "a.jsonl")
    assert result.question == "Who\N{REPLACEMENT CHARACTER}?"


@pytest.mark.parametrize("service", ["my-rag", "unknown_service:python", ""])
def test_a_pipeline_is_called_as_its_service_or_else_as_its_root(service: str) -> None:
    document = {"document.id": "a", "document.content": "text"}
    flat = {
        "openinference.span.kind": "RETRIEVER",
        "input.value": QUESTION,
        **{f"retrieval.documents.0.{name}": value for name, value in document.items()},
    }
    span = {
        **{"traceId": "01", "spanId": "02", "name": "MyRetriever.retrieve"},
        "attributes": [
            {"key": name, "value": {"stringValue": value}} for name, value in flat.items()
        ],
    }
    resource = [{"key": "service.name", "value": {"stringValue": service}}]
    request = {
        "resourceSpans": [
            {"resource": {"attributes": resource}, "scopeSpans": [{"spans": [span]}]},
        ]
    }
    (result,) = traces_of_file(as_lines([request]), "spans.jsonl")
    named = result.pipeline.name
    assert named == (service if service == "my-rag" else "MyRetriever")
