"""Runs as LangSmith exports them: `run_type`, `inputs`, `outputs`."""

from collections.abc import Mapping
from typing import Any

from core.spans import values
from core.spans.span import Span

_KINDS = {"embedding": "EMBEDDING", "llm": "LLM", "retriever": "RETRIEVER", "tool": "TOOL"}


def langsmith_span(run: Mapping[str, Any]) -> Span:
    """Return a run as a span."""
    kind = _KINDS.get(values.words_of(run.get("run_type")).lower(), "CHAIN")
    asked, said = values.decoded(run.get("inputs")), values.decoded(run.get("outputs"))
    meta = values.mapping(values.mapping(values.decoded(run.get("extra"))).get("metadata"))
    return Span(
        trace=values.words_of(run.get("trace_id") or run.get("id")),
        id=values.words_of(run.get("id")),
        parent=values.words_of(run.get("parent_run_id")),
        kind=kind,
        name=values.words_of(run.get("name")),
        start=values.seconds(run.get("start_time")),
        end=values.seconds(run.get("end_time")),
        asked=values.asked_text(asked),
        said=values.said_text(said),
        read=values.all_text(asked),
        documents=values.documents_in(said) if kind == "RETRIEVER" else (),
        model=values.words_of(meta.get("ls_model_name")),
        tokens_in=values.count(run.get("prompt_tokens")),
        tokens_out=values.count(run.get("completion_tokens")),
        project=values.words_of(run.get("session_name")),
    )
