"""Spans with OpenInference attributes, in OTLP's JSON and in Phoenix's exports.

Sources: OpenTelemetry protocol 1.9, JSON encoding; OpenInference semantic conventions.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from openinference.semconv.resource import ResourceAttributes
from openinference.semconv.trace import (
    MessageAttributes,
    RerankerAttributes,
    SpanAttributes,
)

from core.corpus.record_formats.retrieved_results import Context
from core.spans import values
from core.spans.span import Span

POSTPROCESSOR = "postprocess_nodes"
"""What LlamaIndex calls the span of a reranker or filter; most of them are of kind CHAIN."""
_NODE = re.compile(r"id_=([^()]+)\), score=([-\d.e+]+|None)")


def otlp_spans(request: Mapping[str, Any]) -> Iterator[Span]:
    """Yield the spans of an OTLP request (`ExportTraceServiceRequest`) in its JSON form."""
    for each in values.items(request.get("resourceSpans")):
        resource = _attributes(values.mapping(values.mapping(each).get("resource")))
        project = values.words_of(resource.get(ResourceAttributes.PROJECT_NAME))
        project = project or _named(values.words_of(resource.get("service.name")))
        for scope in values.items(values.mapping(each).get("scopeSpans")):
            for span in values.items(values.mapping(scope).get("spans")):
                if isinstance(span, Mapping):
                    yield _span(
                        nested(_attributes(span)),
                        trace=span.get("traceId"),
                        id_=span.get("spanId"),
                        parent=span.get("parentSpanId"),
                        name=span.get("name"),
                        times=(span.get("startTimeUnixNano"), span.get("endTimeUnixNano")),
                        project=project,
                        dropped=span.get("droppedAttributesCount"),
                    )


def _named(service: str) -> str:
    """Return a service's name; empty for the default of OpenTelemetry, `unknown_service:python`."""
    return "" if service.startswith("unknown_service") else service


def _attributes(holder: Mapping[str, Any]) -> dict[str, Any]:
    pairs = (values.mapping(one) for one in values.items(holder.get("attributes")))
    return {str(one["key"]): _any_value(one.get("value")) for one in pairs if "key" in one}


def _any_value(value: Any) -> Any:
    """Return the content of an `AnyValue`."""
    for kind, content in values.mapping(value).items():
        if kind == "arrayValue":
            return [_any_value(one) for one in values.items(values.mapping(content).get("values"))]
        if kind == "kvlistValue":
            return _attributes({"attributes": values.mapping(content).get("values")})
        return content
    return None


def phoenix_spans(row: Mapping[str, Any]) -> Iterator[Span]:
    """Yield the span of a row of `get_spans_dataframe`, or those of a trace of Phoenix's API."""
    tree = nested(row)
    for one in values.items(tree.get("spans")) or [tree]:
        span = values.mapping(one)
        context, attributes = (
            values.mapping(span.get("context")),
            values.mapping(span.get("attributes")),
        )
        yield _span(
            nested(attributes),
            trace=context.get("trace_id") or tree.get("traceId"),
            id_=context.get("span_id"),
            parent=span.get("parent_id"),
            name=span.get("name"),
            times=(span.get("start_time"), span.get("end_time")),
            kind=span.get("span_kind"),
        )


def nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Return dotted names as objects in objects, and numbered ones as lists.

    >>> nested({"a.0.b": 1, "a.2.b": 2, "c": {"d.e": 3}})
    {'a': [{'b': 1}, {'b': 2}], 'c': {'d': {'e': 3}}}
    """
    tree: dict[str, Any] = {}
    for key, value in flat.items():
        if value is None or value != value:  # pandas' NaN
            continue
        *path, last = str(key).split(".")
        place = tree
        for part in path:
            inner = place.setdefault(part, {})
            if not isinstance(inner, dict):  # `a` beside `a.b`
                inner = place[part] = {"": inner}
            place = inner
        place[last] = _nested_value(value)
    return {key: _listed(value) for key, value in tree.items()}


def _nested_value(value: Any) -> Any:
    if isinstance(value, Mapping):
        return nested(value)
    return [_nested_value(one) for one in value] if isinstance(value, list | tuple) else value


def _listed(value: Any) -> Any:
    """Return an object whose names are all numbers as a list in their order."""
    if not isinstance(value, dict):
        return value
    members = {key: _listed(one) for key, one in value.items()}
    if not members or not all(key.isdecimal() and len(key) < 10 for key in members):
        return members
    return [members[key] for key in sorted(members, key=int)]


def _value_at(tree: Any, name: str) -> Any:
    """Return the value of a dotted name, or None."""
    for part in name.split("."):
        tree = values.mapping(tree).get(part)
    return tree


def _span(
    tree: Mapping[str, Any],
    *,
    trace: Any,
    id_: Any,
    parent: Any,
    name: Any,
    times: tuple[Any, Any],
    kind: Any = None,
    project: str = "",
    dropped: Any = 0,
) -> Span:
    """Build a span from its attribute `tree` and the fields that each export names differently.

    A reranker's documents are its output; its input documents become `offered`.
    """
    kind = values.words_of(_value_at(tree, SpanAttributes.OPENINFERENCE_SPAN_KIND) or kind).upper()
    span_input = _value_at(tree, SpanAttributes.INPUT_VALUE)
    span_output = _value_at(tree, SpanAttributes.OUTPUT_VALUE)
    documents = _documents(_value_at(tree, SpanAttributes.RETRIEVAL_DOCUMENTS))
    offered: tuple[Context, ...] = ()
    if documents_out := _value_at(tree, RerankerAttributes.RERANKER_OUTPUT_DOCUMENTS):
        kind, documents = "RERANKER", _documents(documents_out)
        offered = _documents(_value_at(tree, RerankerAttributes.RERANKER_INPUT_DOCUMENTS))
    elif values.words_of(name).endswith(POSTPROCESSOR) and _NODE.search(str(span_output)):
        kind, documents, offered = "RERANKER", _nodes(span_output), _nodes(span_input)
    elif kind == "RETRIEVER" and not documents:
        documents = values.documents_in(span_output)
    return Span(
        trace=values.words_of(trace),
        id=values.words_of(id_),
        parent=values.words_of(parent),
        kind=kind or "CHAIN",
        name=values.words_of(name),
        start=values.seconds(times[0]),
        end=values.seconds(times[1]),
        asked=values.words_of(_value_at(tree, RerankerAttributes.RERANKER_QUERY))
        or _messages(tree, SpanAttributes.LLM_INPUT_MESSAGES)
        or values.asked_text(span_input),
        said=_messages(tree, SpanAttributes.LLM_OUTPUT_MESSAGES) or values.said_text(span_output),
        read=_messages(tree, SpanAttributes.LLM_INPUT_MESSAGES) or values.all_text(span_input),
        documents=documents,
        offered=offered,
        model=values.words_of(
            _value_at(tree, SpanAttributes.LLM_MODEL_NAME)
            or _value_at(tree, SpanAttributes.EMBEDDING_MODEL_NAME)
            or _value_at(tree, RerankerAttributes.RERANKER_MODEL_NAME)
        ),
        tokens_in=values.count(_value_at(tree, SpanAttributes.LLM_TOKEN_COUNT_PROMPT)),
        tokens_out=values.count(_value_at(tree, SpanAttributes.LLM_TOKEN_COUNT_COMPLETION)),
        project=project,
        dropped=values.count(dropped),
    )


def _documents(listed: Any) -> tuple[Context, ...]:
    return values.contexts(values.items(listed))


def _nodes(value: Any) -> tuple[Context, ...]:
    """Return the nodes of a postprocessor; LlamaIndex's spans have only their id and score."""
    nodes = _NODE.findall(values.all_text(value))
    return tuple(
        Context(id=id_, score=None if score == "None" else values.real(score))
        for id_, score in nodes
    )


def _messages(tree: Mapping[str, Any], name: str) -> str:
    """Return the contents of messages, one below the other."""
    messages = (values.mapping(one) for one in values.items(_value_at(tree, name)))
    return "\n".join(
        values.all_text(_value_at(one, MessageAttributes.MESSAGE_CONTENT)) for one in messages
    )
