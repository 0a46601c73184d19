"""A study compares models that retrieve and models that answer, each on its configured server."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import InputError
from core.jobs import run as run_job
from core.jobs.study import study_job, study_variants
from core.runs import Runs
from core.settings import settings
from core.studies import read_study, results_of
from core.studies.graphs import graph_rows
from core.studies.measuring import found_run
from core.studies.naming import label_of
from core.studies.results import Line, cell_of
from core.studies.series import curve
from tests.core.studies.examples import ASKED, write_study
from tests.llm.configured import configured
from tests.llm.replies import choose
from tests.llm.server import Answer, ChatServer, Request

TEXT = """
title = "Who chooses, who reads"
retrievers = ["hoprag-llm(top_k=3,n_hop=2,entry=node,seeds=1)", "bm25(top_k=2)"]
measures = ["EM", "R"]
answers = true

[models]
model = ["near", "none"]
reader = ["sharp", "blunt"]

[offline]
hoprag-llm = "hoprag-similarity"

[data]
questions = "asked.jsonl"

[[views]]
kind = "curve"
over = "reader"
"""


def reply(request: Request) -> Answer:
    """`sharp` knows every answer and `blunt` none; `near` chooses an edge and `none` none."""
    if "passages" in request.data:
        knows = request.body["model"] == "sharp"
        said = {"reasoning": "", "citations": [], "found": knows, "answer": "yes" if knows else ""}
        return Answer(json.dumps(said))
    if request.body["model"] == "near":
        return choose(request)
    said = {"answers": "", "reason": "", "follow": None, "verdict": "irrelevant"}
    return Answer(json.dumps(said))


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: object) -> Iterator[ChatServer]:
    monkeypatch.setenv("HOPRAG_HOME", str(tmp_path / "home"))
    with configured(reply, monkeypatch) as running:
        yield running


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = write_study(tmp_path, TEXT)
    rows = [{**json.loads(line), "answer": "yes"} for line in ASKED.splitlines()]
    (tmp_path / "asked.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return found


def test_each_model_retrieves_and_each_reader_answers(
    server: ChatServer, built: Path, path: Path
) -> None:
    run_job(study_job(path, str(built)))
    study = read_study(path)
    results = results_of(study, study_variants(study, str(built)))
    assert results.complete
    by = {(line.named.key, *line.variant.models.values()): line for line in results.lines}
    assert len(by) == len(results.lines) == 2 * 4
    assert {key: cell_of(line, "EM").mean for key, line in by.items()} == {
        key: 100.0 if key[2] == "sharp" else 0.0 for key in by
    }
    hits = {key: _hits(line) for key, line in by.items() if key[0] == "hoprag-llm"}
    for reader in ("sharp", "blunt"):  # a retriever's ranking does not depend on the reader
        assert hits["hoprag-llm", "near", reader] == hits["hoprag-llm", "near", "sharp"]
    assert hits["hoprag-llm", "near", "sharp"] != hits["hoprag-llm", "none", "sharp"]
    assert label_of(by["bm25", "near", "sharp"]).endswith(" · model near, reader sharp")
    points = curve(results, study.views[0], "EM")
    assert {(p.x, p.mean) for p in points} == {("sharp", 100.0), ("blunt", 0.0)}
    assert len({p.series for p in points}) == 2 * 2


def test_each_prompt_goes_to_the_model_of_its_role_once(
    server: ChatServer, built: Path, path: Path
) -> None:
    run_job(study_job(path, str(built)))
    roles = Counter(
        (one.body["response_format"]["json_schema"]["name"], one.body["model"])
        for one in server.requests
    )
    assert {name for role, name in roles if role == "answer"} == {"sharp", "blunt"}
    assert {name for role, name in roles if role == "choose"} == {"near", "none"}
    prompts = [(one.body["model"], one.system, one.user) for one in server.requests]
    assert len(prompts) == len(set(prompts))
    run_job(study_job(path, str(built)))
    assert len(server.requests) == len(prompts)


def test_without_a_model_it_is_run_once_by_rules(
    server: ChatServer, built: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOPRAG_LLM")
    settings.cache_clear()
    run_job(study_job(path, str(built)))
    study = read_study(path)
    variants = study_variants(study, str(built))
    results = results_of(study, variants)
    assert [str(line.asked) for line in results.lines] == [
        "hoprag-similarity(top_k=3,n_hop=2,entry=node,seeds=1)",
        "bm25(top_k=2)",
    ]
    assert label_of(results.lines[1]) == "BM25 (top k 2)"
    assert server.requests == []
    assert found_run(study, Runs(built)) == results.lines[0].run


def test_an_index_with_several_models_is_one_graph(
    server: ChatServer, built: Path, path: Path
) -> None:
    variants = study_variants(read_study(path), str(built))
    assert len(variants) == 4
    assert len(graph_rows(variants)) == 1


@pytest.mark.parametrize(
    ("models", "trouble"),
    [
        ('model = ["a", "a"]', "different names"),
        ('reader = [" "]', "different names"),
        (f"model = {[f'm{n}' for n in range(31)]}", "too many combinations"),
        ('judge = ["a"]', "no key 'models.judge'"),
    ],
)
def test_models_that_cannot_be_used(tmp_path: Path, models: str, trouble: str) -> None:
    text = f'title = "T"\nretrievers = ["bm25"]\n[models]\n{models}\n'
    with pytest.raises(InputError, match=trouble):
        read_study(write_study(tmp_path, text))


def _hits(line: Line) -> list[tuple[str, ...]]:
    runs = Runs(line.variant.place)
    return [row.hits for row in runs.every(line.run.id, str(line.asked))]
