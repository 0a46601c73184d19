"""Runs of two indexes of one corpus, side by side."""

from pathlib import Path

import pytest

from core.errors import InputError
from core.models.token_counts import tokens_of
from core.runs import Runs
from core.runs.analysis.cross_index import Side, compare_indexes
from core.store.index import Index
from tests.core.evidence.chunked import FERRY, OTHER, QUESTION, asked, chunked


@pytest.fixture
def whole(tmp_path: Path) -> Index:
    return chunked(tmp_path / "whole", "as-is")


@pytest.fixture
def cut(tmp_path: Path) -> Index:
    return chunked(tmp_path / "cut", "sentence")


def test_the_same_evidence_is_compared_over_other_passages(whole: Index, cut: Index) -> None:
    assert len(cut.questions[0].evidence[0].parts) == 2  # split there, whole here
    ours, theirs = (Side(index, asked(index)) for index in (whole, cut))
    found = compare_indexes(ours, theirs)
    assert (found.level, found.scope.compared) == ("evidence", 1)
    told = {line.measure: line for line in found.lines["bm25"]}
    for side, place in ((ours, "ours"), (theirs, "theirs")):
        (row,) = Runs(side.index.path).rows(side.run.id, "bm25")
        lengths = [tokens_of(side.index.passage(name).text) for name in row.hits]
        ranks = [rank or 99 for rank in row.ranks.values()]
        for k in (5, 10, 20):
            share = sum(rank <= k for rank in ranks) / len(ranks)
            assert getattr(told[f"R@{k}"], place) == pytest.approx(100 * share)
            assert getattr(told[f"all@{k}"], place) == 100 * (share == 1)
            assert getattr(told[f"tokens@{k}"], place) == pytest.approx(sum(lengths[:k]))
    read = told["tokens@5"]
    assert read.difference == pytest.approx(read.ours - read.theirs)
    assert (read.n, read.low, read.p) == (1, None, None)


def test_recall_within_a_budget_ends_before_the_passage_that_does_not_fit(
    whole: Index, cut: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.runs.analysis.cross_index.BUDGET", tokens_of(FERRY))
    found = compare_indexes(Side(whole, asked(whole)), Side(cut, asked(cut)))
    line = next(each for each in found.lines["bm25"] if each.measure.endswith(" tokens"))
    assert line.ours == 0  # no document as a whole is as short as that
    assert found.ours.index.meta.counts.vertices == 2


def test_questions_with_other_evidence_are_left_out_and_named(whole: Index, tmp_path: Path) -> None:
    evidence = [{"text": FERRY, "document": "osprey"}]
    changed = {**OTHER, "evidence": evidence}
    one = chunked(
        tmp_path / "one", "as-is", QUESTION, changed, {**OTHER, "id": "s", "question": "S?"}
    )
    evidence = [{"text": "Yards come and go.", "document": "tamsin"}]
    two = chunked(tmp_path / "two", "sentence", QUESTION, {**OTHER, "evidence": evidence})
    scope = compare_indexes(Side(one, asked(one)), Side(two, asked(two))).scope
    assert (scope.compared, scope.only_here, scope.only_there) == (1, 1, 0)
    assert scope.differing == (OTHER["question"],)
    assert str(scope) == (
        "1 shared question with the same gold. Left out: 1 only in this run, 1 whose gold differs "
        "(Where is Port Selby?)."
    )


def test_what_cannot_be_compared_is_refused(whole: Index, cut: Index, tmp_path: Path) -> None:
    ours, by_document = Side(whole, asked(whole)), asked(cut, level="document", name="Documents")
    with pytest.raises(InputError, match="counts evidence as gold, but Documents counts documents"):
        compare_indexes(ours, Side(cut, by_document))
    with pytest.raises(InputError, match="no retriever in common"):
        compare_indexes(ours, Side(cut, asked(cut, "dense")))
    other = chunked(tmp_path / "other", "as-is", OTHER)
    with pytest.raises(InputError, match="counts"):
        compare_indexes(ours, Side(other, asked(other)))
    question = {**QUESTION, "question": "Which yard is it?"}
    renamed = chunked(tmp_path / "renamed", "as-is", question)
    with pytest.raises(InputError, match="share no question with the same gold"):
        compare_indexes(ours, Side(renamed, asked(renamed)))


def test_documents_are_compared_as_before(whole: Index, cut: Index) -> None:
    sides = [Side(index, asked(index, level="document")) for index in (whole, cut)]
    found = compare_indexes(*sides)
    assert found.level == "document"
    assert found.to_json()["retrievers"]["bm25"]["R@20"]["ours"] == 100


def test_tokens_are_unknown_of_passages_that_have_gone(whole: Index, cut: Index) -> None:
    # The run asked an index whose passages are others now.
    found = compare_indexes(Side(whole, asked(whole)), Side(cut, asked(cut)))
    assert any(each.measure == "tokens@5" for each in found.lines["bm25"])
    (row,) = Runs(whole.path).rows(found.ours.run.id, "bm25")
    gone = Side(whole, found.ours.run)
    gone.index.number.pop(row.hits[0])  # type: ignore[attr-defined]
    again = compare_indexes(gone, found.theirs)
    assert {each.measure for each in again.lines["bm25"]} == {
        f"{name}@{k}" for name in ("R", "all") for k in (5, 10, 20)
    }
