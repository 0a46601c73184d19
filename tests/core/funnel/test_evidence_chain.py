"""Positions of evidence in the reasoning chain, in words, in the funnel and as a slice."""

from pathlib import Path

import pytest

from core.artefacts.workbench import Workbench
from core.funnel.evidence_chain import chain_summary, positions, with_position
from core.funnel.report import funnel
from core.runs import Runs
from core.runs.analysis.chain_slices import CHAIN, chain_slices, cutoff_of
from core.runs.analysis.slices import fields_of
from core.runs.question_sets import own_questions
from core.types import Evidence, Query
from tests.core.evidence.chunked import YARD, asked, chunked
from tests.core.fakes import WordEmbedder
from tests.core.five import silent


def query(*hops: int, answer: str = "", answers: tuple[str, ...] = ("Iris Colm",)) -> Query:
    evidence = tuple(
        Evidence(f"Fact {hop}.", hop=hop, asks=f"Who {hop}?", answer=answer) for hop in hops
    )
    gold = tuple(f"q:e{number}" for number, _ in enumerate(hops, 1))
    return Query("q", "Who?", answers, gold, evidence=evidence)


def test_a_position_is_told_in_the_order_of_the_chain() -> None:
    found = positions(query(3, 1, 2))
    assert str(found["q:e3"]) == "evidence 2 of 3 (Who 2?)"
    assert str(found["q:e1"]) == "evidence 3 of 3 (Who 3?)"
    assert positions(query(0, 0)) == {}
    assert with_position(query(1, 2), "q:e2", "lost") == "evidence 2 of 2 (Who 2?): lost"
    assert with_position(query(1, 2), "q:e2", "") == "evidence 2 of 2 (Who 2?)"
    assert with_position(query(0), "q:e1", "lost") == "lost"


@pytest.mark.parametrize(
    ("hops", "lost", "answer", "expected"),
    [
        ((1, 2), ("q:e2",), "Iris Colm", "evidence found for part 1, missed for the answer"),
        ((1, 2), ("q:e2",), "", "evidence found for part 1, missed for part 2"),
        ((1, 2), ("q:e1",), "", "evidence found for part 2, missed for part 1"),
        (
            (1, 2, 3),
            ("q:e2",),
            "",
            "evidence found for part 1 and part 3, missed for part 2",
        ),
        ((1, 2, 2), ("q:e3",), "", "evidence found for part 1, missed for part 2"),
        ((1, 2), ("q:e1", "q:e2"), "", "the evidence for every part of the question was missed"),
        (
            (1, 1, 2, 2),
            ("q:e2", "q:e4"),
            "",
            "2 of 4 pieces of evidence missed, at least one for each part of the question",
        ),
        ((1, 2), (), "", ""),
        ((1, 1), ("q:e1",), "", ""),
        ((0, 0), ("q:e1",), "", ""),
    ],
)
def test_what_was_lost_of_a_chain(
    hops: tuple[int, ...], lost: tuple[str, ...], answer: str, expected: str
) -> None:
    assert chain_summary(query(*hops, answer=answer), lost) == expected


def test_a_funnel_names_the_hop_and_text_of_what_was_lost(tmp_path: Path) -> None:
    index = chunked(tmp_path / "cut", "sentence")
    workbench = Workbench(index, WordEmbedder(), making=silent)
    found = funnel(own_questions(index), workbench, "bm25(top_k=1)", rescue=False).to_json()
    (told,) = found["questions"]
    last = told["fates"][1]
    assert last["evidence"] == {"text": YARD, "hop": 2}
    assert last["position"] == "evidence 2 of 2 (Who founded the yard?)"
    assert told["chain"]


def test_recall_by_chain_position(tmp_path: Path) -> None:
    index = chunked(tmp_path / "cut", "sentence")
    run, runs = asked(index, "bm25(top_k=2)"), Runs(index.path)
    (retriever,) = run.retrievers
    assert CHAIN in fields_of(runs, run)
    (row,) = runs.rows(run.id, retriever)
    found = chain_slices(runs, run, 2)
    assert [(each.value, each.questions) for each in found] == [("1", 1), ("2", 1)]
    for each, rank in zip(found, row.ranks.values(), strict=True):
        assert each.by[retriever].mean == 100 * (rank is not None and rank <= 2)
    assert (cutoff_of("R@5"), cutoff_of("all@20"), cutoff_of("nDCG@10")) == (5, 20, 20)


def test_without_hops_there_is_no_chain(tmp_path: Path) -> None:
    plain = {"id": "q", "question": "Who?", "gold": ["tamsin"], "evidence": [YARD]}
    index = chunked(tmp_path / "cut", "sentence", plain)
    assert CHAIN not in fields_of(Runs(index.path), asked(index))
