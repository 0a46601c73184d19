"""Recorded pipelines, by their spans: what they retrieved, read and answered, and at which stage
gold was lost.
"""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import ir_measures
import pytest
from ir_measures import R

from core.pipelines import (
    begin_imported_run,
    import_results,
    read_results,
    trace_of,
    traces_of_file,
)
from core.playback import check
from core.runs import Row, Run, Runs
from core.runs.question_sets import own_questions
from core.settings import BUNDLED_EMBEDDER
from core.shipping import sample
from core.spans import spans_of, steps_of, traced_results
from core.steps import Asked, Offered, Pooled, Ranked, Said, own_answer
from core.store.index import Index
from core.traces import dump, load
from core.types import Query
from core.walkthroughs.making import make_walkthrough
from tests.core.spans.recorded import PIPELINES, lines, recorded


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("sample")
    assert sample.install(folder, BUNDLED_EMBEDDER)
    return Index.open(folder / sample.NAME)


@pytest.fixture(scope="module")
def documents(index: Index) -> list[Query]:
    """The questions of the sample, whose gold is documents, as qrels have it."""
    given = {row["id"]: row for row in sample_rows()}
    return [
        replace(query, gold=tuple(given[query.id]["gold"]), evidence=())
        for query in own_questions(index)
    ]


def sample_rows() -> list[dict[str, list[str]]]:
    import json

    return [json.loads(line) for line in sample.QUESTIONS.read_text().splitlines() if line]


@pytest.mark.parametrize("name", PIPELINES)
def test_spans_say_what_the_log_of_the_pipeline_says(name: str) -> None:
    results = traced_results(spans_of(lines(name, "spans"), name))
    logs = lines(name, "log")
    assert len(results) == len(logs)
    for result, log in zip(results, logs, strict=True):
        assert (result.question, result.answer) == (log["question"], log["answer"])
        assert [one.text for one in result.contexts] == [one["text"] for one in log["contexts"]]


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("llamaindex", [Asked, Asked, Ranked, Offered, Said, Ranked]),
        ("llamaindex-vectors", [Asked, Asked, Ranked, Offered, Said, Ranked]),
        ("langchain", [Asked, Asked, Ranked, Said, Ranked]),
        ("langchain-agent", [Asked, Asked, Ranked, Said, Asked, Ranked, Pooled, Said, Ranked]),
    ],
)
def test_spans_become_steps(name: str, kinds: list[type]) -> None:
    result = traced_results(spans_of(lines(name, "spans"), name))[0]
    steps = steps_of(result.pipeline, lambda one: one.id or one.text)
    check(steps)
    assert [type(step) for step in steps] == kinds
    assert own_answer(steps) == result.answer
    offered = [step for step in steps if isinstance(step, Offered)]
    assert all(0 < len(step.taken) < len(step.offers) for step in offered)
    asked = [step for step in steps if isinstance(step, Asked)]
    assert (asked[1].told.cost.seconds > 0) == (name == "llamaindex-vectors")  # it embeds


def test_a_trace_of_spans_plays_as_a_walkthrough(index: Index) -> None:
    for name in PIPELINES:
        results = traces_of_file(recorded(name, "spans"), f"{name}.jsonl")
        trace = trace_of(results[-1], index)
        assert load(dump(trace)) == trace
        played = make_walkthrough(trace, None, index)
        assert played["title"] == name
        gold = [node for node in played["nodes"].values() if node["gold"]]
        assert {node["gold_note"] for node in gold} == {""}  # not marked by hand
    alone = make_walkthrough(trace_of(results[-1]))
    assert [one["text"] for one in alone["statements"]] == [
        one["text"] for one in played["statements"]
    ]


def rows_of(index: Index, run: Run, folder: Path, name: str, kind: str) -> dict[str, Row]:
    path, runs = folder / f"{name}.{kind}.jsonl", Runs(index.path)
    path.write_bytes(recorded(name, kind))
    found = read_results(path, runs.questions(run.id), index)
    column = import_results(runs, run, found, index)
    return {row.question.id: row for row in runs.every(run.id, column.retriever)}


@pytest.mark.parametrize("name", ["llamaindex", "langchain"])
def test_recall_is_that_of_ir_measures_by_spans_and_by_log(
    index: Index, documents: list[Query], tmp_path: Path, name: str
) -> None:
    run = begin_imported_run(index, documents, f"documents {name}")
    by_spans, by_log = (rows_of(index, run, tmp_path, name, kind) for kind in ("spans", "log"))
    assert {row.retriever for row in by_spans.values()} == {name}  # as the spans call it
    assert {row.retriever for row in by_log.values()} == {f"{name}.log"}  # as the file is called
    qrels = {query.id: dict.fromkeys(query.gold, 1) for query in documents if query.gold}
    ids = {query.text: query.id for query in documents}
    lists = {
        ids[log["question"]]: {one["id"]: -rank for rank, one in enumerate(log["contexts"])}
        for log in lines(name, "log")
    }
    for k in (1, 2, 5, 10):
        expected = {one.query_id: one.value for one in ir_measures.iter_calc([R @ k], qrels, lists)}
        for rows in (by_spans, by_log):
            ours = {
                question: sum((rank or k + 1) <= k for rank in row.ranks.values()) / len(row.ranks)
                for question, row in rows.items()
                if row.ranks
            }
            assert ours == pytest.approx(expected)
    # The answer decides what is unused, and nothing of what was retrieved.
    assert {q: row.ranks for q, row in by_spans.items()} == {q: r.ranks for q, r in by_log.items()}


def test_each_gold_has_the_stage_at_which_it_was_lost(index: Index, tmp_path: Path) -> None:
    run = begin_imported_run(index, own_questions(index), "stages")
    stages: Counter[str] = Counter()
    for name in ("llamaindex", "langchain-agent"):
        for row in rows_of(index, run, tmp_path, name, "spans").values():
            retrieved = {name for name, rank in row.ranks.items() if rank}
            assert retrieved == {one.gold for one in row.fates if not one.lost}
            stages.update(str(fate) for fate in row.fates if fate.stage == "refused")
            stages.update(fate.stage for fate in row.fates)
            assert Runs(index.path).trace(run.id, row.retriever, row.question.id)
    told = "not followed: dropped by OverlapRerank"
    assert stages[told] == stages["refused"] > 0
    assert min(stages["below"], stages["cut"], stages["unused"], stages["kept"]) > 0
