"""A span: one call inside a pipeline, whatever wrote it."""

from dataclasses import dataclass

from core.corpus.record_formats.retrieved_results import Context

OWN_PROJECT = "HopRAG Explorer"
"""The project of our own exports, whose root spans are called as their retrievers."""
SEARCHES = ("RETRIEVER", "RERANKER")


@dataclass(frozen=True, slots=True)
class Span:
    """One call of a trace.

    Parameters
    ----------
    parent : id of the calling span; empty for a root.
    kind : as OpenInference names it: RETRIEVER, RERANKER, EMBEDDING, LLM, CHAIN, AGENT, TOOL.
    start, end : seconds since the epoch; 0 if unknown.
    asked : the input as a question.
    said : the output as an answer.
    read : all text of the input, such as the prompt of a model.
    documents : what a search returned, best first.
    offered : what a reranker was given.
    project : the service or project that wrote it.
    dropped : how many attributes its exporter left out.
    """

    trace: str
    id: str
    parent: str
    kind: str
    name: str
    start: float = 0.0
    end: float = 0.0
    asked: str = ""
    said: str = ""
    read: str = ""
    documents: tuple[Context, ...] = ()
    offered: tuple[Context, ...] = ()
    model: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    project: str = ""
    dropped: int = 0

    @property
    def seconds(self) -> float:
        return max(0.0, self.end - self.start)
