"""Two rankings become one by the sum of reciprocal ranks, and evidence reorders the first ones."""

import math
import re

import pytest

from core.artefacts.workbench import Workbench
from core.retrievers import make
from core.steps import Asked, Offered, Pooled, result
from core.text.entities.mentions import entity_key
from core.text.stop_words import STOP_WORDS
from core.text.tokens import words
from tests.core.five import QUESTION

PLAIN = "new_terms=0,mentions=0"


def ranking(spec: str, workbench: Workbench) -> list[str]:
    return [
        hit.passage_id for hit in result(tuple(make(spec, workbench).retrieve(QUESTION.text))).hits
    ]


@pytest.mark.parametrize("k0", [0, 5, 60])
@pytest.mark.parametrize("plain", [PLAIN, "rescored=0"])
def test_scores_are_sums_of_reciprocal_ranks(workbench: Workbench, k0: int, plain: str) -> None:
    lists = [ranking(each, workbench) for each in ("bm25", "dense")]
    spec = f"fusion(of=bm25,other=dense,k0={k0},{plain})"
    fused = tuple(make(spec, workbench).retrieve(QUESTION.text))
    hits = result(fused).hits
    expected = {
        name: sum(1 / (k0 + one.index(name) + 1) for one in lists if name in one)
        for name in {*lists[0], *lists[1]}
    }
    assert {hit.passage_id: hit.score for hit in hits} == pytest.approx(expected)
    assert [hit.score for hit in hits] == sorted(expected.values(), reverse=True)


def test_a_ranking_fused_with_itself_stays_as_it_is(workbench: Workbench) -> None:
    assert ranking(f"fusion(of=dense,other=dense,{PLAIN})", workbench) == ranking(
        "dense", workbench
    )


def slow_evidence(workbench: Workbench, order: list[str]) -> dict[str, tuple[float, float]]:
    """The share of new query terms and the mentions of each passage, word by word."""
    passages = {p.id: p for p in workbench.index.passages}
    text = {one: set(words(f"{p.title} {p.text}")) for one, p in passages.items()}
    asked = [w for w in dict.fromkeys(words(QUESTION.text)) if w not in STOP_WORDS]
    n = len(passages)
    held = {w: sum(w in each for each in text.values()) for w in asked}
    idf = {w: math.log(1 + (n - h + 0.5) / (h + 0.5)) for w, h in held.items() if h}
    found = {}
    for one in order:
        first = next(other for other in order if other != one)
        new = sum(v for w, v in idf.items() if w in text[one] and w not in text[first])
        name = entity_key(passages[one].title)
        named = sum(
            1 / rank
            for rank, other in enumerate(order[:5], start=1)
            if other != one
            and re.search(
                rf"\b{re.escape(name)}\b", f"{passages[other].title} {passages[other].text}".lower()
            )
        )
        found[one] = new / sum(idf.values()), named
    return found


@pytest.mark.parametrize(("new", "named"), [(0.2, 0.05), (1, 0), (0, 1), (0.5, 2)])
def test_evidence_is_what_a_slow_reading_finds(
    workbench: Workbench, new: float, named: float
) -> None:
    plain = result(
        tuple(make(f"fusion(of=bm25,other=dense,{PLAIN})", workbench).retrieve(QUESTION.text))
    )
    evidence = slow_evidence(workbench, [hit.passage_id for hit in plain.hits])
    expected = {
        hit.passage_id: hit.score
        + new * evidence[hit.passage_id][0]
        + named * evidence[hit.passage_id][1]
        for hit in plain.hits
    }
    assert any(share for share, _ in evidence.values())
    assert any(mentions for _, mentions in evidence.values())
    spec = f"fusion(of=bm25,other=dense,new_terms={new},mentions={named})"
    hits = result(tuple(make(spec, workbench).retrieve(QUESTION.text))).hits
    assert {hit.passage_id: hit.score for hit in hits} == pytest.approx(expected)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    for hit in hits:
        assert hit.score == pytest.approx(sum(part.value for part in hit.parts))


def test_only_the_first_passages_are_reordered(workbench: Workbench) -> None:
    plain = ranking(f"fusion(of=bm25,other=dense,{PLAIN})", workbench)
    for count in range(1, len(plain) + 1):
        some = ranking(
            f"fusion(of=bm25,other=dense,new_terms=9,mentions=9,rescored={count})", workbench
        )
        assert some[count:] == plain[count:]
        assert set(some) == set(plain)


def test_the_evidence_is_a_step_that_says_what_moved_and_why(workbench: Workbench) -> None:
    spec = "fusion(of=bm25,other=dense,new_terms=9,mentions=0)"
    steps = tuple(make(spec, workbench, top_k=2).retrieve(QUESTION.text))
    plain = ranking(f"fusion(of=bm25,other=dense,{PLAIN})", workbench)
    offered = steps[-2]
    assert isinstance(offered, Offered)
    assert [offer.target for offer in offered.taken] == [
        hit.passage_id for hit in result(steps).hits
    ]
    for place, offer in enumerate(offered.offers, start=1):
        notes = dict(offer.notes)
        was = plain.index(offer.target) + 1
        assert notes.get("was", f"{place}.") == f"{was}."
        new = {part.name: part.value for part in offer.parts}.get("new terms", 0)
        assert bool(notes.get("new query terms:")) == (new > 0)
    assert offered.told.reason.startswith(f"The top {len(plain)} passages")


def test_both_retrievals_stand_in_the_trace_and_then_their_list(workbench: Workbench) -> None:
    spec = f"fusion(of=bm25,other=dense,{PLAIN})"
    steps = tuple(make(spec, workbench).retrieve(QUESTION.text))
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
