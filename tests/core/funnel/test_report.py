"""The funnel of many questions adds up, and every loss has its rescue beside it."""

import pytest

from core.errors import InputError
from core.funnel.report import funnel
from core.types import Query
from tests.core.five import QUESTION

OTHER = Query("q2", "Where does the Low Tide Band play?", gold=("singer", "nobody"))


def test_it_sums_to_all_gold_and_tells_of_each_loss(workbench):
    told = []
    found = funnel(
        [QUESTION, Query("q3", "Why?"), OTHER],
        workbench,
        "hoprag-similarity(top_k=1,n_hop=1)",
        progress=lambda done, total: told.append((done, total)),
    )
    assert told == [(1, 2), (2, 2)]
    assert sum(found.stages.values()) == len(QUESTION.gold) + len(OTHER.gold)
    lost = {(query.id, fate.gold): rescue for query, fate, rescue in found.losses}
    assert len(lost) == sum(found.stages.values()) - found.stages["kept"]
    assert lost[("q2", "nobody")] is None
    assert any(lost.values())
    best, kept = found.best
    assert best >= kept == found.stages["kept"]
    written = found.to_json()
    assert [len(row["fates"]) for row in written["questions"]] == [2, 2]


def test_what_ranks_everything_has_no_oracle(workbench):
    found = funnel([QUESTION], workbench, "bm25(top_k=1)", rescue=False)
    assert found.best is None
    assert all(rescue is None for *_, rescue in found.losses)
    assert all(fate.rank for _, fate, _ in found.losses)


def test_questions_without_gold_are_refused(workbench):
    with pytest.raises(InputError, match="No question has gold"):
        funnel([Query("q", "Why?")], workbench, "bm25")
