"""Two rankings become one by the sum of reciprocal ranks."""

import pytest

from core.artefacts.workbench import Workbench
from core.retrievers import make
from core.steps import Asked, Pooled, result
from tests.core.five import QUESTION


def ranking(spec: str, workbench: Workbench) -> list[str]:
    return [
        hit.passage_id for hit in result(tuple(make(spec, workbench).retrieve(QUESTION.text))).hits
    ]


@pytest.mark.parametrize("k0", [0, 5, 60])
def test_scores_are_sums_of_reciprocal_ranks(workbench: Workbench, k0: int) -> None:
    lists = [ranking(each, workbench) for each in ("bm25", "dense")]
    fused = tuple(make(f"fusion(of=bm25,other=dense,k0={k0})", workbench).retrieve(QUESTION.text))
    hits = result(fused).hits
    expected = {
        name: sum(1 / (k0 + one.index(name) + 1) for one in lists if name in one)
        for name in {*lists[0], *lists[1]}
    }
    assert {hit.passage_id: hit.score for hit in hits} == pytest.approx(expected)
    assert [hit.score for hit in hits] == sorted(expected.values(), reverse=True)


def test_a_ranking_fused_with_itself_stays_as_it_is(workbench: Workbench) -> None:
    assert ranking("fusion(of=dense,other=dense)", workbench) == ranking("dense", workbench)


def test_both_retrievals_stand_in_the_trace_and_then_their_list(workbench: Workbench) -> None:
    steps = tuple(make("fusion(of=bm25,other=dense)", workbench).retrieve(QUESTION.text))
    asked = [step.retriever for step in steps if isinstance(step, Asked)]
    assert asked == ["fusion", "bm25", "dense"]
    pooled = next(step for step in steps if isinstance(step, Pooled))
    assert pooled.of == ("BM25", "Dense")
    assert pooled.hits[: len(result(steps).hits)] == result(steps).hits


def test_the_question_is_embedded_once(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[list[str]] = []
    encode = workbench.embedder.encode

    def counted(texts: list[str]) -> object:
        calls.append(list(texts))
        return encode(texts)

    monkeypatch.setattr(workbench.embedder, "encode", counted)
    ranking("fusion(of=dense,other=hybrid)", workbench)
    assert calls == [[QUESTION.text]]
