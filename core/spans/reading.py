"""Recognise the export that a record belongs to, and read its spans.

| export | how a record is recognised |
| --- | --- |
| OTLP (JSON, or JSON Lines of requests) | `resourceSpans` |
| Phoenix (`get_spans_dataframe`, traces of its API) | `context.span_id`, or `spans` of a trace |
| LangSmith | `run_type` |
| Langfuse | `observations`, or `traceId` and `type` of one observation |
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, cast

from core.corpus.record_formats.retrieved_results import Context
from core.errors import InputError
from core.spans import values
from core.spans.langfuse import langfuse_spans
from core.spans.langsmith import langsmith_span
from core.spans.openinference import otlp_spans, phoenix_spans
from core.spans.span import Span

_SURROGATE = re.compile("[\ud800-\udfff]")
MOST = 1_000_000
"""Spans of a file, at most."""


def are_spans(records: Sequence[Any]) -> bool:
    """Return whether records are spans, by the first of them."""
    return bool(records) and _reader(records[0]) is not None


def spans_of(records: Iterable[Any], name: str) -> list[Span]:
    """Return the spans of records of any known export, each id once.

    Raises
    ------
    InputError : a record is none of the export that the first one belongs to, or there are more
        than `MOST` spans.
    """
    spans: dict[tuple[str, str], Span] = {}
    try:
        for number, record in enumerate(records, start=1):
            read = _reader(record)
            if read is None:
                raise InputError(f"Record {number:,} of {name} is not a span. Export it again.")
            for span in read(record):
                if span.id:
                    spans[span.trace, span.id] = _storable(span)
            if len(spans) > MOST:
                raise InputError(f"{name} has more than {MOST:,} spans. Split it.")
    except RecursionError as error:
        raise InputError(f"{name} is nested too deeply. Export it again.") from error
    return list(spans.values())


def _storable(span: Span) -> Span:
    """Return a span without lone surrogates, which JSON allows and files cannot store."""
    texts = [span.trace, span.id, span.parent, span.name, span.model, span.project]
    texts += [span.asked, span.said, span.read]
    for one in (*span.documents, *span.offered):
        texts += [one.text, one.id, one.title]
    return cast(Span, _without_surrogates(span)) if any(map(_SURROGATE.search, texts)) else span


def _without_surrogates(value: Any) -> Any:
    """Replace lone surrogates in all texts of a value."""
    if isinstance(value, str):
        return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", value)
    if isinstance(value, tuple):
        return tuple(map(_without_surrogates, value))
    if isinstance(value, Span | Context):
        return replace(
            value, **{f.name: _without_surrogates(getattr(value, f.name)) for f in fields(value)}
        )
    return value


def _reader(record: Any) -> Callable[[Mapping[str, Any]], Iterator[Span]] | None:
    """Return the function that reads the spans of a record, or None if no format fits."""
    row = values.mapping(record)
    if "resourceSpans" in row:
        return otlp_spans
    if "run_type" in row:
        return _one_run
    if "observations" in row or {"traceId", "type", "startTime"} <= row.keys():
        return langfuse_spans
    traced = "spans" in row and "traceId" in row
    spans = "context.span_id" in row or "span_id" in values.mapping(row.get("context"))
    return phoenix_spans if spans or traced else None


def _one_run(run: Mapping[str, Any]) -> Iterator[Span]:
    yield langsmith_span(run)
    for child in values.items(run.get("child_runs")):
        yield from _one_run(values.mapping(child))
