"""Our traces as spans: OTLP that its own schema accepts, and the same rankings when read back."""

import json

import pytest

from core.artefacts.workbench import Workbench
from core.marks import gold_of
from core.pipelines import trace_of, traces_of_file
from core.retrievers import make
from core.settings import BUNDLED_EMBEDDER
from core.shipping import sample
from core.spans.export import export_spans
from core.steps import Asked, Exchange, Ranked, Said, Told, own_answer, result
from core.store.index import Index
from core.traces import Trace, record
from core.types import Hit, Passage


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("sample")
    assert sample.install(folder, BUNDLED_EMBEDDER)
    return Index.open(folder / sample.NAME)


@pytest.mark.embedder
@pytest.mark.parametrize("key", ["bm25", "hoprag-coverage", "rerank(over=hoprag-similarity)"])
def test_a_trace_that_is_exported_and_read_again_ranks_the_same(index: Index, key: str) -> None:
    from core.models.embedder import load_embedder

    workbench = Workbench(index, load_embedder(BUNDLED_EMBEDDER))
    for question in sample.suggested()[:2]:
        trace = record(make(key, workbench), question, index)
        (read,) = traces_of_file(export_spans(trace), "spans.json")
        again = trace_of(read, index)
        assert again.query == question
        assert again.created[:19] == trace.created[:19]
        assert again.kept_gold.ids == gold_of(index, question).ids
        ours, theirs = result(trace.steps).hits, result(again.steps).hits
        assert [(h.passage_id, h.score) for h in theirs] == [(h.passage_id, h.score) for h in ours]


def test_what_a_model_said_is_exported(index: Index) -> None:
    said = Said(
        "model", "#", "Ilva", closes=("#",), told=Told(exchange=Exchange("m", "Be", "Who?"))
    )
    steps = (Asked("bm25", "Who?", 2), said, Ranked((Hit("a", 2.0), Hit("b", 1.0))))
    passages = {one: Passage(one, one, 0, f"Title {one}", f"Text of {one}.") for one in "ab"}
    made = "2026-01-02T03:04:05+00:00"
    trace = Trace("Who?", "bm25", "", "", steps, passages, {}, (), made)
    (read,) = traces_of_file(export_spans(trace), "spans.json")
    assert [(one.title, one.text, one.score) for one in read.contexts] == [
        ("Title a", "Text of a.", 2.0),
        ("Title b", "Text of b.", 1.0),
    ]
    assert read.answer == own_answer(steps) == own_answer(trace_of(read).steps)


def test_an_export_is_what_the_protocol_asks_for(index: Index) -> None:
    from google.protobuf.json_format import ParseDict
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    steps = (Asked("bm25", "Who?", 1), Ranked((Hit("a", 2.0),)))
    passages = {"a": Passage("a", "a", 0, "A", "Text.")}
    made = "2026-01-02T03:04:05+00:00"
    data = export_spans(Trace("Who?", "bm25", "", "", steps, passages, {}, (), made))
    request = ParseDict(json.loads(data), ExportTraceServiceRequest())
    (scope,) = request.resource_spans[0].scope_spans
    assert [span.name for span in scope.spans] == ["bm25", "bm25"]
    assert all(0 < s.start_time_unix_nano < s.end_time_unix_nano for s in scope.spans)
    assert scope.spans[1].parent_span_id == scope.spans[0].span_id
