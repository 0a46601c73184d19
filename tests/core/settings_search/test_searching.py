"""A search is a run: it reuses, is stopped, goes on, and ends with the settings it was to try."""

import pytest

from core.artefacts.workbench import Workbench
from core.errors import Cancelled, InputError
from core.jobs import Job
from core.jobs import run as run_job
from core.retrievers import Spec
from core.runs import Run, Runs
from core.runs.measuring import begin, measure
from core.settings_search import Axis, begin_search, findings, search
from core.types import Query
from tests.core.five import QUESTION

BASE = Spec.parse("hoprag-similarity(top_k=2,n_hop=1)")
AXES = (Axis("top_k", (1, 3)), Axis("n_hop", (2,)))
ASKED = [
    QUESTION,
    Query("q2", "Who toured with the Low Tide Band?", gold=("singer",)),
    Query("q3", "Where does the Lantern Ground stand?", gold=("stadium", "town")),
]


def begun(workbench: Workbench, **more: object) -> Run:
    given = {"name": "Search", "most": 5, "question_set": "file", "measured_by": "R@5", **more}
    return begin_search(workbench, ASKED, BASE, AXES, **given)  # type: ignore[arg-type]


def test_each_setting_alone_and_then_two_together(workbench: Workbench) -> None:
    run = begun(workbench)
    assert run.is_search
    assert run.is_trial  # it is not what a page opens at
    told: list[tuple[int, int]] = []
    search(run, workbench, lambda done, total: told.append((done, total)))
    runs = Runs(workbench.index.path)
    whole = runs.get(run.id)
    assert whole.state == "finished"
    assert {str(one) for one in map(Spec.parse, whole.retrievers)} == {
        str(BASE),
        "hoprag-similarity(top_k=1,n_hop=1)",
        "hoprag-similarity(top_k=3,n_hop=1)",
        "hoprag-similarity(top_k=2,n_hop=2)",
        "hoprag-similarity(top_k=1,n_hop=2)",
        "hoprag-similarity(top_k=3,n_hop=2)",
    }
    assert told[-1] == (18, 18)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    found = findings(runs, whole)
    assert found.settings_tried == 5
    for one in found.tried:
        rows = list(runs.every(run.id, one.retriever))
        assert one.mean == pytest.approx(100 * sum(row.recall or 0 for row in rows) / 3)
        assert one.costs["judgements"] == sum(row.judgements for row in rows) / 3


def test_what_another_run_measured_is_not_asked_again(workbench: Workbench) -> None:
    before = begin(workbench, ASKED[:2], [BASE], name="Before", question_set="file")
    measure(before, workbench)
    runs = Runs(workbench.index.path)
    search_ = begun(workbench)
    assert runs.asked(search_.id, str(BASE)) == {"q1", "q2"}
    (old,) = [row for row in runs.every(before.id, str(BASE)) if row.question.id == "q1"]
    (new,) = [row for row in runs.every(search_.id, str(BASE)) if row.question.id == "q1"]
    assert (new.hits, new.seconds) == (old.hits, old.seconds)  # its cost is as it was measured


def test_one_that_is_stopped_goes_on_and_ends_as_if_it_had_not_been(workbench: Workbench) -> None:
    whole = begun(workbench, name="Whole")
    search(whole, workbench)
    runs = Runs(workbench.index.path)
    expected = findings(runs, runs.get(whole.id))
    runs.delete(whole.id)

    run = begun(workbench)

    def stop(done: int, total: int) -> None:
        if done >= 7:
            raise Cancelled("enough")

    with pytest.raises(Cancelled):
        search(run, workbench, stop)
    assert runs.get(run.id).state == "stopped"
    search(runs.get(run.id), workbench)
    again = findings(runs, runs.get(run.id))
    assert [one.mean for one in again.tried] == [one.mean for one in expected.tried]
    assert [one.retriever for one in again.tried] == [one.retriever for one in expected.tried]


def test_a_job_searches_too(workbench: Workbench, words: object) -> None:
    run = begun(workbench)
    run_job(Job("evaluate", workbench.index.path, run=run.id))
    whole = Runs(workbench.index.path).get(run.id)
    assert (whole.state, len(whole.columns)) == ("finished", 6)


def test_what_cannot_be_searched_is_refused(workbench: Workbench) -> None:
    with pytest.raises(InputError, match="gold"):
        begin_search(workbench, [Query("x", "No gold?")], BASE)
    with pytest.raises(InputError, match="Unknown measure"):
        begun(workbench, measured_by="luck")
    with pytest.raises(InputError, match="no other setting"):
        begin_search(workbench, ASKED, Spec("bm25"), [Axis("top_k", (20,))])
