"""A search over settings on Evaluate: begun from a run, decided on held-out questions."""

import pytest

from core.artefacts.workbench import Workbench
from core.jobs import Job
from core.retrievers import Spec
from core.runs import Run, Runs
from core.runs.measuring import begin, measure
from core.runs.question_sets import own_questions
from core.settings_search import findings
from core.store.index import Index
from tests.core.fakes import WordEmbedder
from tests.core.five import silent
from tests.pages.conftest import TINY
from tests.pages.journeys import checked, opened

WALK = "hoprag-similarity(top_k=1)"


@pytest.fixture
def run(tiny_index: Index) -> Run:
    bench = Workbench(tiny_index, WordEmbedder(), making=silent)
    begun = begin(bench, own_questions(tiny_index), [Spec.parse(WALK)], name="First")
    measure(begun, bench)
    return begun


@pytest.mark.usefixtures("valid_charts")
def test_a_search_is_begun_and_says_what_to_use(
    tiny_index: Index, run: Run, inline_jobs: list[Job]
) -> None:
    app = opened("evaluate", index=TINY, run=run.id)
    button = app.button(key="evaluate_search")
    assert button.label.startswith("Search settings (about ")
    checked(button.click().run())
    assert [job.kind for job in inline_jobs] == ["evaluate"]
    runs = Runs(tiny_index.path)
    search = runs.all()[0]
    assert search.is_search
    found = findings(runs, search)
    assert found.settings_tried == len(search.columns) - 1
    app = checked(app.run())
    assert "".join(app.query_params["run"]) == search.id
    assert found.decision in [one.value for one in app.text]
    assert len(app.dataframe[0].value) == len(search.columns)
    assert not [one for one in app.button if one.key == "evaluate_search"]
    assert "".join(opened("evaluate", index=TINY).query_params["run"]) == run.id


def test_a_reader_is_offered_no_search(
    tiny_index: Index, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages.components.evaluate.settings_search.visitor", lambda: Reader())
    app = opened("evaluate", index=TINY, run=run.id)
    assert not [one for one in app.button if one.key == "evaluate_search"]


def test_a_search_that_would_ask_a_model_is_left_to_the_command_line(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Spec, "asks_model", True)
    app = opened("evaluate", index=TINY, run=run.id)
    assert not [one for one in app.button if one.key == "evaluate_search"]
    assert any("search-settings accepts a budget" in each.value for each in app.caption)


class Reader:
    may_edit = False
