"""Evaluate: a run beside one of another index, and the positions of evidence in their chain."""

import re
import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.runs import Run
from core.runs.analysis.chain_slices import CHAIN
from core.store.index import Index
from tests.core.evidence.chunked import ASKED, QUESTION, asked, chunked
from tests.pages.journeys import checked, opened, words

SECOND = {**QUESTION, "id": "s", "question": "Which welder founded the yard of the ferry?"}


@pytest.fixture
def home(tiny_home: Path) -> Path:
    """HOPRAG_HOME with the same corpus as a whole and in sentences."""
    for name, how in (("whole", "as-is"), ("cut", "sentence")):
        chunked(tiny_home / "indexes" / name, how, QUESTION, SECOND)
    return tiny_home


def run_of(home: Path, name: str, *specs: str) -> Run:
    return asked(Index.open(home / "indexes" / name), *specs, name=f"Run of {name}")


def captions(app: AppTest) -> str:
    return " ".join(each.value.replace("\\", "") for each in app.caption)


def page(run: Run, side: str, **params: str) -> AppTest:
    return opened("evaluate", index="whole", run=run.id, side=side, **params)


def test_two_indexes_stand_side_by_side(home: Path) -> None:
    run, other = run_of(home, "whole"), run_of(home, "cut")
    app = page(run, "Other index")
    told = captions(app)
    assert "whole: 2 passages of" in told
    assert "cut: 5 passages of" in told
    assert "Gold is evidence" in told
    assert "2 shared questions with the same gold." in told
    table = app.dataframe[1].value.set_index("measure")
    assert list(table.n) == [2] * len(table)
    assert table.loc["R@20", "ours"] == 100
    assert table.loc["tokens@20", "ours"] > 0
    assert table.loc["R@20", "between"] == ""  # of two questions
    shown = app.selectbox(key="evaluate_other_run")
    assert shown.value == other.id


def test_an_index_that_was_asked_the_same_is_offered_first(home: Path) -> None:
    chunked(home / "indexes" / "apart", "as-is", {**SECOND, "question": "Who sails?"})
    run, _, apart = (run_of(home, name) for name in ("whole", "cut", "apart"))
    app = page(run, "Other index")
    assert app.selectbox(key="evaluate_other_index").value == "cut"
    app = page(run, "Other index", other_index="apart", other_run=apart.id)
    (said,) = (each.value.replace("\\", "") for each in app.error)
    assert said.startswith(
        "Run of whole of whole and Run of apart of apart share no question with the same gold: "
        "2 only in this run, 1 only in the other run."
    )


def test_a_run_that_cannot_be_compared_is_refused(home: Path) -> None:
    run = run_of(home, "whole")
    run_of(home, "cut", "dense")
    app = page(run, "Other index")
    assert any("no retriever in common" in each.value for each in app.error)
    assert [one for one in app.selectbox if one.key == "evaluate_other_index"]


def test_without_another_run_it_says_what_to_do(home: Path) -> None:
    shutil.rmtree(home / "indexes" / "cut")
    app = page(run_of(home, "whole"), "Other index")
    assert "No other index has a run." in captions(app)


def test_recall_by_chain_position_is_a_slice_with_its_questions(home: Path) -> None:
    run = run_of(home, "whole", "bm25(top_k=1)")
    app = page(run, "Slices", split=CHAIN, measure="R@2")
    assert "R@2 of the evidence at each position of the reasoning chain" in captions(app)
    assert list(app.dataframe[1].value[CHAIN]) == [1, 2]
    app = page(run, "Slices", field=CHAIN, value="2")
    assert "with evidence at hop 2" in words(app)
    assert ASKED in " ".join(one.label for one in app.button)


def test_lost_evidence_is_placed_in_its_chain(home: Path) -> None:
    run = run_of(home, "whole", "bm25(top_k=1)")
    app = page(run, "Questions")
    checked(app.button(key="evaluate_lost_0").click().run())
    assert re.search(r"vidence \d of 2 \(", words(app))
    assert "Evidence found for" in captions(app)
    app = opened("errors", index="whole", run=run.id, retriever="bm25(top_k=1)")
    assert re.search(r"vidence \d of 2 \(", words(app))
