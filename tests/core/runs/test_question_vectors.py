"""Vectors of questions that come with a run: the process that measures it loads no embedder."""

from pathlib import Path

import numpy as np
import pytest

from core import jobs
from core.artefacts.workbench import Workbench
from core.models.known_vectors import KnownVectors
from core.retrievers import Spec
from core.runs import Runs
from core.runs.measuring import begin
from core.runs.question_vectors import FILE, read_vectors, write_vectors
from core.runs.run import Run
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION


@pytest.fixture
def run(workbench: Workbench) -> Run:
    return begin(workbench, [QUESTION], [Spec("dense"), Spec("hybrid")], name="Five")


def test_vectors_are_those_of_the_embedder(workbench: Workbench, run: Run, tmp_path: Path) -> None:
    write_vectors(tmp_path, run, [QUESTION], workbench)
    found = read_vectors(tmp_path, run, workbench.embedder.info)
    (expected,) = workbench.embedder.encode([QUESTION.text])
    assert np.array_equal(found[QUESTION.text], expected)


def test_those_of_another_run_or_embedder_are_not_read(
    workbench: Workbench, run: Run, tmp_path: Path
) -> None:
    assert read_vectors(tmp_path, run, workbench.embedder.info) == {}
    write_vectors(tmp_path, run, [QUESTION], workbench)
    other = begin(workbench, [QUESTION], [Spec("dense")], name="Other")
    assert read_vectors(tmp_path, other, workbench.embedder.info) == {}
    assert read_vectors(tmp_path, run, WordEmbedder(name="others").info) == {}
    (tmp_path / FILE).write_bytes(b"PK broken")
    assert read_vectors(tmp_path, run, workbench.embedder.info) == {}


def test_the_embedder_is_loaded_for_other_texts_alone() -> None:
    embedder, loads = WordEmbedder(), list[str]()

    def load() -> WordEmbedder:
        loads.append("loaded")
        return embedder

    (vector,) = embedder.encode(["known"])
    found = KnownVectors(embedder.info, {"known": vector}, load)  # type: ignore[arg-type]
    assert np.array_equal(found.encode(["known", "known"]), [vector, vector])
    assert not loads
    assert np.array_equal(found.encode(["known", "new"]), embedder.encode(["known", "new"]))
    found.tokens(["new"])
    assert loads == ["loaded"]


def test_a_run_is_measured_without_loading_the_embedder(
    workbench: Workbench, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(name: str) -> None:
        raise AssertionError(name)

    monkeypatch.setattr("core.models.embedder.load_embedder", load)
    index = workbench.index.path
    write_vectors(jobs.evaluation_place(index), run, [QUESTION], workbench)
    told: list[str] = []
    jobs.run(jobs.Job("evaluate", index, run=run.id), lambda one: told.append(one.stage))
    assert Runs(index).get(run.id).state == "finished"
    assert list(dict.fromkeys(told)) == ["open", "embed", "warm-up", "ask"]
