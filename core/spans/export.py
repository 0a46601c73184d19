"""Our traces as OTLP JSON with OpenInference attributes, as Phoenix and other tools read them.

The retrieval is a RETRIEVER span in a CHAIN span, which has the question and the answer. Searches
inside are RETRIEVER spans again, lists of candidates are RERANKER spans (all candidates, and those
that were taken), and what a model says is an LLM span.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any

from openinference.semconv.resource import ResourceAttributes
from openinference.semconv.trace import (
    DocumentAttributes,
    MessageAttributes,
    RerankerAttributes,
    SpanAttributes,
)

from core.spans.span import OWN_PROJECT
from core.steps import Asked, Offered, Ranked, Said, own_answer
from core.traces import Trace

_TICK = 1_000  # nanoseconds between steps, so that their order is kept

_Value = str | int | float
_Scored = tuple[str, float]


def export_spans(trace: Trace) -> bytes:
    """Return a trace as one OTLP request in JSON, which is also a line of JSON Lines."""
    request = {
        "resourceSpans": [
            {
                "resource": _holder({ResourceAttributes.PROJECT_NAME: OWN_PROJECT}),
                "scopeSpans": [
                    {"scope": {"name": OWN_PROJECT}, "spans": _Exporting(trace).spans()}
                ],
            }
        ]
    }
    return json.dumps(request, ensure_ascii=False).encode() + b"\n"


class _Exporting:
    """Writes the steps of a trace as spans, on a clock that their costs move."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        made = datetime.fromisoformat(trace.created)
        made = made if made.tzinfo else made.replace(tzinfo=UTC)
        self._now = int(made.timestamp() * 1e9)
        self._id = _digest(16, trace.created, trace.retriever, trace.query)
        self._spans: list[dict[str, Any]] = []
        self._open: list[dict[str, Any]] = []

    def spans(self) -> list[dict[str, Any]]:
        """Return the spans of the trace: a chain, its retrievals, and their steps."""
        trace = self._trace
        output = (
            {SpanAttributes.OUTPUT_VALUE: answer} if (answer := own_answer(trace.steps)) else {}
        )
        self._begin_span("CHAIN", trace.retriever, {SpanAttributes.INPUT_VALUE: trace.query})
        for step in trace.steps:
            match step:
                case Asked():
                    input_value = {SpanAttributes.INPUT_VALUE: step.query}
                    self._begin_span("RETRIEVER", step.retriever, input_value)
                    self._pass(step.told.cost.seconds)
                case Ranked():
                    hits = [(hit.passage_id, hit.score) for hit in step.hits]
                    documents = self._documents(SpanAttributes.RETRIEVAL_DOCUMENTS, hits)
                    self._end(documents, least=step.told.cost.seconds)
                case Offered():
                    self._add_candidates(step)
                case Said():
                    self._said(step)
                case _:
                    self._pass(step.told.cost.seconds)
        self._end(output)
        return self._spans

    def _begin_span(self, kind: str, name: str, attributes: Mapping[str, _Value]) -> None:
        """Open a span inside the span opened last, one clock tick later."""
        self._now += _TICK
        span: dict[str, Any] = {
            "traceId": self._id,
            "spanId": _digest(8, self._id, str(len(self._spans))),
            **({"parentSpanId": self._open[-1]["spanId"]} if self._open else {}),
            "name": name,
            "kind": "SPAN_KIND_INTERNAL",
            "startTimeUnixNano": str(self._now),
            **_holder({SpanAttributes.OPENINFERENCE_SPAN_KIND: kind, **attributes}),
            "status": {"code": "STATUS_CODE_OK"},
        }
        self._spans.append(span)
        self._open.append(span)

    def _end(self, attributes: Mapping[str, _Value], least: float = 0.0) -> None:
        """End the innermost span, which took `least` seconds or more."""
        span = self._open.pop()
        self._now = max(self._now, int(span["startTimeUnixNano"]) + int(least * 1e9)) + _TICK
        span["endTimeUnixNano"] = str(self._now)
        span["attributes"] += _holder(attributes)["attributes"]

    def _pass(self, seconds: float) -> None:
        self._now += int(seconds * 1e9)

    def _add_candidates(self, step: Offered) -> None:
        """Add a candidate list as a reranker span: its passages in, the selected passages out."""
        offers = [offer for offer in step.offers if offer.target in self._trace.passages]
        scored = [(offer.target, offer.score) for offer in offers]
        selected = [(offer.target, offer.score) for offer in offers if offer.taken]
        self._begin_span(
            "RERANKER",
            step.of,
            {
                SpanAttributes.OUTPUT_VALUE: step.told.reason,
                **self._documents(RerankerAttributes.RERANKER_INPUT_DOCUMENTS, scored),
                **self._documents(RerankerAttributes.RERANKER_OUTPUT_DOCUMENTS, selected),
            },
        )
        self._end({}, least=step.told.cost.seconds)

    def _said(self, step: Said) -> None:
        """Add the span of a statement, with its model call if there was one."""
        attributes: dict[str, _Value] = {SpanAttributes.OUTPUT_VALUE: step.text}
        if exchange := step.told.exchange:
            messages = {"system": exchange.system, "user": exchange.user}
            attributes |= {
                SpanAttributes.LLM_MODEL_NAME: exchange.model,
                SpanAttributes.LLM_TOKEN_COUNT_PROMPT: exchange.tokens_in,
                SpanAttributes.LLM_TOKEN_COUNT_COMPLETION: exchange.tokens_out,
                SpanAttributes.INPUT_VALUE: exchange.user,
                **dict(_messages(pair for pair in messages.items() if pair[1])),
            }
        self._begin_span("LLM" if exchange else "CHAIN", step.by, attributes)
        self._end({}, least=step.told.cost.seconds)

    def _documents(self, name: str, scored: Iterable[_Scored]) -> dict[str, _Value]:
        """Return the attributes of passages under `name`, by position; nodes without a text are
        left out.
        """
        attributes: dict[str, _Value] = {}
        known = (
            (passage_id, score)
            for passage_id, score in scored
            if passage_id in self._trace.passages
        )
        for number, (passage_id, score) in enumerate(known):
            passage, prefix = self._trace.passages[passage_id], f"{name}.{number}"
            attributes[f"{prefix}.{DocumentAttributes.DOCUMENT_ID}"] = passage.id
            attributes[f"{prefix}.{DocumentAttributes.DOCUMENT_CONTENT}"] = passage.text
            attributes[f"{prefix}.{DocumentAttributes.DOCUMENT_SCORE}"] = float(score)
            meta = json.dumps({"title": passage.title}, ensure_ascii=False)
            attributes[f"{prefix}.{DocumentAttributes.DOCUMENT_METADATA}"] = meta
        return attributes


def _messages(messages: Iterable[tuple[str, str]]) -> Iterator[tuple[str, _Value]]:
    """Yield the attributes of the messages to a model, given as pairs of role and text."""
    for number, (role, text) in enumerate(messages):
        prefix = f"{SpanAttributes.LLM_INPUT_MESSAGES}.{number}"
        yield f"{prefix}.{MessageAttributes.MESSAGE_ROLE}", role
        yield f"{prefix}.{MessageAttributes.MESSAGE_CONTENT}", text


def _holder(attributes: Mapping[str, _Value]) -> dict[str, list[dict[str, Any]]]:
    """Return attributes as OTLP's JSON has them, in which integers are texts."""
    kinds = {str: "stringValue", int: "intValue", float: "doubleValue"}
    return {
        "attributes": [
            {"key": key, "value": {kinds[type(one)]: str(one) if type(one) is int else one}}
            for key, one in attributes.items()
        ]
    }


def _digest(size: int, *texts: str) -> str:
    return blake2b("\x1f".join(texts).encode(), digest_size=size).hexdigest()
