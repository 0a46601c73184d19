"""The public names, used as in a notebook."""

import json
import shutil
from pathlib import Path

import pytest

import core
from core import (
    build,
    corpus_map,
    evaluate,
    import_results,
    losses,
    open_index,
    retrieve,
    walkthrough,
)
from core.errors import ArtefactMissing, IndexMissing, InputError, LeaveMissing
from core.models.money.budget import Budget
from core.runs import Runs
from core.store.graph_limits import GraphLimits
from core.traces import load
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION
from tests.llm.configured import configured
from tests.llm.replies import choose


@pytest.fixture
def index(built: Path, words: WordEmbedder) -> core.OpenIndex:
    return open_index(built)


def test_every_public_name_can_be_imported_and_is_documented() -> None:
    for name in core.__all__:
        assert getattr(core, name).__doc__, name
    assert set(core.__all__) <= set(dir(core))
    with pytest.raises(AttributeError):
        core.no_such_name  # noqa: B018


def test_hits_as_a_frame_are_what_the_retriever_ranked(index: core.OpenIndex) -> None:
    question = index.questions().question[0]
    hits = retrieve(index, question, "bm25", top_k=3)
    frame = hits.to_frame()
    assert frame.id.tolist() == [hit.passage_id for hit in hits]
    assert frame["rank"].tolist() == list(range(1, len(hits) + 1))
    assert frame.score.is_monotonic_decreasing
    passages = index.passages().set_index("id")
    assert frame.text.tolist() == passages.loc[frame.id].text.tolist()


def test_a_saved_trace_is_read_back(index: core.OpenIndex, tmp_path: Path) -> None:
    hits = retrieve(index, QUESTION.text)
    hits.save(tmp_path / "trace.jsonl")
    kept = load((tmp_path / "trace.jsonl").read_bytes())
    assert kept.ranking[: len(hits)] == tuple(hit.passage_id for hit in hits)


def test_a_frame_of_measures_has_the_means_of_its_questions(index: core.OpenIndex) -> None:
    measured = evaluate(index, ["bm25", "dense"], top_k=2)
    frame, rows = measured.to_frame(), measured.by_question()
    assert frame.index.tolist() == ["bm25(top_k=2)", "dense(top_k=2)"]
    for key in frame.index:
        own = rows[(rows.retriever == key) & (rows.gold > 0)]
        assert frame.loc[key, "R@2"] == pytest.approx(100 * (own.found / own.gold).mean())
    against = measured.differences()
    assert against.retriever.unique().tolist() == ["dense(top_k=2)"]


def test_a_named_evaluation_is_a_run_that_the_app_lists(index: core.OpenIndex) -> None:
    evaluate(index, ["bm25"], name="mine")
    assert [run.name for run in Runs(index.index.path).all()] == ["mine"]
    with pytest.raises(InputError, match="already exists"):
        evaluate(index, ["bm25"], name="mine")


def test_losses_have_a_row_for_each_piece_of_gold(index: core.OpenIndex) -> None:
    found = losses(index, "bm25", top_k=1)
    measured = evaluate(index, ["bm25"], top_k=1).by_question()
    assert len(found) == measured.gold.sum()
    assert (~found.lost).sum() == measured.found.sum()
    assert found[found.lost].stage.ne("").all()


def test_results_of_another_pipeline_are_measured(index: core.OpenIndex, tmp_path: Path) -> None:
    path = tmp_path / "theirs.jsonl"
    texts = index.passages().text
    rows = [
        {"question": one, "contexts": [{"text": text} for text in texts]}
        for one in index.questions().question
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    measured = import_results(index, path, "theirs", name="mine")
    assert measured.to_frame().loc["mine", "R@20"] == 100


def test_refused_results_leave_no_run(index: core.OpenIndex, tmp_path: Path) -> None:
    path = tmp_path / "theirs.trec"
    path.write_text(f"{QUESTION.id} Q0 town 1 2 x\n{QUESTION.id} Q0 nowhere 2 1 x\n")
    with pytest.raises(InputError, match="passage ids is not in the index"):
        import_results(index, path, "theirs")
    assert Runs(index.index.path).all() == []
    import_results(index, path, "theirs", force=True)
    assert [run.name for run in Runs(index.index.path).all()] == ["theirs"]


def test_nothing_is_built_where_that_is_not_wanted(index: core.OpenIndex) -> None:
    reading = core.OpenIndex(index.workbench, builds=False)
    with pytest.raises(ArtefactMissing):
        retrieve(reading, QUESTION.text, "raptor")


def test_limits_of_the_graph_are_settings_of_a_build(
    words: WordEmbedder, tmp_path: Path, files: Path
) -> None:
    index = build(files, tmp_path / "a", in_questions=1, out_questions=2, edge_cap=1)
    assert index.index.meta.limits == GraphLimits(1, 2, 1)
    with pytest.raises(InputError, match="edge_cap must be a whole number"):
        build(files, tmp_path / "b", edge_cap=-1)


def test_the_hub_limit_is_a_setting_of_a_build(
    words: WordEmbedder, tmp_path: Path, files: Path
) -> None:
    assert build(files, tmp_path / "a", hub_limit=30).index.meta.hub_limit == 30
    with pytest.raises(InputError, match="hub_limit must be a whole number"):
        build(files, tmp_path / "b", hub_limit=-1)


def test_hostile_titles_are_no_markup_in_a_notebook(words: WordEmbedder, tmp_path: Path) -> None:
    evil = "<img src=x onerror=alert(1)>\"'></iframe><script>alert(1)</script>"
    (tmp_path / "files").mkdir()
    row = {"id": "a", "title": evil, "text": f"{evil} The harbour of Selby lies on the Ouse."}
    (tmp_path / "files" / "docs.jsonl").write_text(json.dumps(row))
    index = build(tmp_path / "files", tmp_path / "evil")
    hits = retrieve(index, f"Where is the harbour? {evil}")
    shown = hits._repr_html_()
    assert "<img" not in shown
    assert "<script" not in shown
    for page in (walkthrough(hits), corpus_map(index)):
        frame = page._repr_html_()
        assert frame.count("<") == 2  # the frame alone: its page is an attribute
        assert "allow-same-origin" not in frame
        page.save(tmp_path / "page.html")
        assert evil.encode() not in (tmp_path / "page.html").read_bytes()


def test_a_model_is_called_only_within_a_budget(
    built: Path, words: WordEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with configured(choose, monkeypatch) as server:
        index = open_index(built)
        with pytest.raises(LeaveMissing):
            retrieve(index, QUESTION.text, "hoprag-llm")
        assert server.requests == []
        paid = retrieve(index, QUESTION.text, "hoprag-llm", budget=Budget(tokens=1_000_000))
        assert (made := len(server.requests)) > 0
        kept = retrieve(index, QUESTION.text, "hoprag-llm", budget=Budget(tokens=1_000_000))
        assert len(server.requests) == made
        assert [hit.passage_id for hit in kept] == [hit.passage_id for hit in paid]
        with pytest.raises(InputError, match="greater than zero"):
            retrieve(index, QUESTION.text, budget=0)


def test_an_index_is_opened_by_path_and_missing_ones_are_named(
    built: Path, words: WordEmbedder, tmp_path: Path
) -> None:
    shutil.copytree(built, tmp_path / "copy")
    assert repr(open_index(tmp_path / "copy")).startswith("<Index copy: 5 passages")
    with pytest.raises(IndexMissing):
        open_index(tmp_path / "nothing")
