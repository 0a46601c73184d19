"""Spans of other pipelines: OpenTelemetry with OpenInference attributes, LangSmith, Langfuse."""

from core.spans.pipeline import TracedResult, traced_results
from core.spans.reading import are_spans, spans_of
from core.spans.span import Span
from core.spans.steps import steps_of

__all__ = ["Span", "TracedResult", "are_spans", "spans_of", "steps_of", "traced_results"]
