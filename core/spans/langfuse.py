"""Traces and observations as Langfuse exports them."""

from collections.abc import Iterator, Mapping
from typing import Any

from core.spans import values
from core.spans.span import Span

_KINDS = {"GENERATION": "LLM", "RETRIEVER": "RETRIEVER", "EMBEDDING": "EMBEDDING", "TOOL": "TOOL"}


def langfuse_spans(row: Mapping[str, Any]) -> Iterator[Span]:
    """Yield the spans of a trace with its observations, or that of one observation."""
    if "observations" not in row:
        yield _inside(row, values.words_of(row.get("traceId")))
        return
    trace = values.words_of(row.get("id"))
    yield _span({**row, "type": "SPAN", "startTime": row.get("timestamp")}, trace=trace)
    for one in values.items(row["observations"]):
        if isinstance(one, Mapping):
            yield _inside(one, trace)


def _inside(row: Mapping[str, Any], trace: str) -> Span:
    """Return the span of an observation; one without a parent is right inside its trace."""
    return _span(
        {**row, "parentObservationId": row.get("parentObservationId") or trace}, trace=trace
    )


def _span(row: Mapping[str, Any], *, trace: str) -> Span:
    """Build a span of trace `trace` from an observation; fields it lacks are empty."""
    name = values.words_of(row.get("name"))
    kind = _KINDS.get(values.words_of(row.get("type")).upper(), "CHAIN")
    span_input, span_output = values.decoded(row.get("input")), values.decoded(row.get("output"))
    documents = values.documents_in(span_output) if kind in ("RETRIEVER", "CHAIN") else ()
    # Older versions know spans only, whatever they do.
    kind = "RETRIEVER" if documents and "retriev" in name.lower() else kind
    usage = values.mapping(row.get("usageDetails") or row.get("usage"))
    return Span(
        trace=trace,
        id=values.words_of(row.get("id")),
        parent=values.words_of(row.get("parentObservationId")),
        kind=kind,
        name=name,
        start=values.seconds(row.get("startTime")),
        end=values.seconds(row.get("endTime")),
        asked=values.asked_text(span_input),
        said=values.said_text(span_output),
        read=values.all_text(span_input),
        documents=documents if kind == "RETRIEVER" else (),
        model=values.words_of(row.get("model")),
        tokens_in=values.count(usage.get("input")),
        tokens_out=values.count(usage.get("output")),
        project=values.words_of(row.get("projectId")),
    )
