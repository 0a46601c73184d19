import math
from collections.abc import Sequence

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.hop_graph.edges import jaccard, merge_edges
from core.types import Direction, PseudoQuery
from core.vectors import Vectors, unit_norm


def question(passage: str, direction: Direction, name: str, *keywords: str) -> PseudoQuery:
    return PseudoQuery(name, passage, direction, f"{name}?", keywords, "rules", f"{name}.")


def rows(*vectors: Sequence[float]) -> Vectors:
    return unit_norm(np.array(vectors, np.float32))


def ends(queries: Sequence[PseudoQuery], vectors: Vectors, **how: int) -> list[tuple[str, str]]:
    return [(edge.source, edge.target) for edge in merge_edges(queries, vectors, **how).edges]


def test_similarity_is_the_mean_of_jaccard_and_cosine():
    queries = [
        question("club", "out", "o", "owner", "club"),
        question("owner", "in", "i", "owner"),
        question("town", "in", "far", "town"),
    ]
    (edge,) = merge_edges(queries, rows((1, 0), (3, 4), (0, 1))).edges
    assert (edge.source, edge.target) == ("club", "owner")
    assert edge.jaccard == pytest.approx(1 / 2)
    assert edge.cosine == pytest.approx(3 / 5)
    assert edge.similarity == pytest.approx((1 / 2 + 3 / 5) / 2)


def test_an_edge_carries_the_in_coming_question_and_the_keywords_of_both():
    queries = [
        question("club", "out", "o", "quist", "rovers"),
        question("owner", "in", "i", "quist", "mara"),
    ]
    (edge,) = merge_edges(queries, rows((1, 0), (1, 0))).edges
    assert (edge.out_query_id, edge.in_query_id, edge.question) == ("o", "i", "i?")
    assert edge.keywords == ("mara", "quist", "rovers")


def test_jaccard_of_two_empty_sets_is_zero():
    assert jaccard(set(), set()) == 0
    queries = [question("a", "out", "o"), question("b", "in", "i")]
    (edge,) = merge_edges(queries, rows((1, 0), (1, 0))).edges
    assert edge.similarity == pytest.approx((0 + 1) / 2)


def test_a_passage_is_not_matched_with_itself():
    queries = [
        question("a", "out", "o", "x"),
        question("a", "in", "own", "x"),
        question("b", "in", "other"),
    ]
    assert ends(queries, rows((1, 0), (1, 0), (0, 1))) == [("a", "b")]
    assert ends(queries[:2], rows((1, 0), (1, 0))) == []


def test_the_best_edge_of_a_pair_stays():
    queries = [
        question("a", "out", "o1"),
        question("a", "out", "o2"),
        question("b", "in", "i1"),
        question("b", "in", "i2"),
    ]
    (edge,) = merge_edges(queries, rows((1, 0), (0, 1), (4, 3), (0, 1))).edges
    assert (edge.out_query_id, edge.in_query_id) == ("o2", "i2")


def test_at_most_n_ln_n_edges_and_the_least_similar_go():
    names = "abcde"
    queries, vectors = [], []
    for i, source in enumerate(names):
        angle = i * 2 * math.pi / 5
        queries.append(question(source, "in", f"in-{source}"))
        vectors.append((math.cos(angle), math.sin(angle)))
        for j in range(5):
            if i != j:
                turned = j * 2 * math.pi / 5 + 0.01 * (i + 1)
                queries.append(question(source, "out", f"out-{source}{j}"))
                vectors.append((math.cos(turned), math.sin(turned)))
    merged = merge_edges(queries, rows(*vectors))
    assert len(merged.edges) == math.floor(5 * math.log(5))
    assert merged.dropped == 5 * 4 - math.floor(5 * math.log(5))
    # The further a question is turned away from its answer, the less similar; e turns furthest.
    kept = [edge.source for edge in merged.edges]
    assert kept.count("a") == 4
    assert kept.count("e") == 0


def test_ties_go_by_passage_then_question():
    queries = [
        question("z", "out", "o"),
        question("c", "in", "1"),
        question("b", "in", "9"),
        question("b", "in", "3"),
    ]
    (edge,) = merge_edges(queries, rows(*[(1, 0)] * 4)).edges
    assert (edge.target, edge.in_query_id) == ("b", "3")


def test_no_question_no_edge():
    empty = np.zeros((0, 2), np.float32)
    assert merge_edges([], empty).edges == ()
    assert ends([question("a", "out", "o")], rows((1, 0))) == []


def reference(queries: Sequence[PseudoQuery], vectors: Vectors) -> list[tuple[str, str, float]]:
    """Edge merging as the paper tells it: every pair, one after another."""
    found: dict[tuple[str, str], float] = {}
    wide = vectors.astype(np.float64)
    for a, out in enumerate(queries):
        candidates = [
            (
                -(jaccard(set(out.keywords), set(other.keywords)) + (wide[a] * wide[b]).sum()) / 2,
                other.passage_id,
                other.id,
            )
            for b, other in enumerate(queries)
            if other.direction == "in" and other.passage_id != out.passage_id
        ]
        if out.direction == "out" and candidates:
            score, target, _ = min(candidates)
            pair = (out.passage_id, target)
            found[pair] = max(found.get(pair, -2.0), -score)
    n = len({query.passage_id for query in queries})
    limit = math.floor(n * math.log(n)) if n else 0
    best = sorted(found.items(), key=lambda item: (-item[1], item[0]))[:limit]
    return sorted((*pair, score) for pair, score in best)


@st.composite
def worlds(draw: st.DrawFn) -> tuple[list[PseudoQuery], Vectors]:
    """Few directions and few words, so that ties and equal vectors are common."""
    count = draw(st.integers(0, 14))
    queries = [
        question(
            draw(st.sampled_from("abcde")),
            draw(st.sampled_from(("in", "out"))),
            f"{i:02}",
            *sorted(draw(st.sets(st.sampled_from("uvwxyz"), max_size=3))),
        )
        for i in range(count)
    ]
    axes = st.sampled_from((-1.0, 0.0, 0.5, 1.0, 1.0000002))
    vectors = [draw(st.tuples(axes, axes, st.just(0.25))) for _ in range(count)]
    return queries, rows(*vectors) if vectors else np.zeros((0, 3), np.float32)


@given(worlds(), st.integers(1, 5), st.randoms())
def test_blocks_and_order_do_not_change_the_graph(world, block, random):
    queries, vectors = world
    expected = reference(queries, vectors)
    order = list(range(len(queries)))
    random.shuffle(order)
    merged = merge_edges([queries[i] for i in order], vectors[order], block=block)
    found = [(edge.source, edge.target, edge.similarity) for edge in merged.edges]
    assert [row[:2] for row in found] == [row[:2] for row in expected]
    assert [row[2] for row in found] == pytest.approx([row[2] for row in expected], abs=1e-12)
    assert merged == merge_edges(queries, vectors, block=512)


@pytest.mark.parametrize("native", [False, True])
def test_long_vectors_give_the_same_graph_on_every_processor(monkeypatch, native):
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"avx512_bf16": native})
    monkeypatch.setattr("core.hop_graph.matching.PAIRS", 50)
    monkeypatch.setattr("core.hop_graph.bounds.FEW", 0)
    rng = np.random.default_rng(3)
    queries = [
        question(
            f"p{i % 40:02}", rng.choice(("in", "out")), f"{i:03}", *rng.choice(list("abcdefghi"), 2)
        )
        for i in range(240)
    ]
    # Most of what there is lies in few directions, and some differ by next to nothing.
    drawn = rng.normal(size=(240, 128)) * 0.95 ** np.arange(128)
    drawn[120:] = drawn[:120] + rng.normal(size=(120, 128)) * rng.choice((0, 1e-7, 1e-3), (120, 1))
    vectors = unit_norm(drawn.astype(np.float32))
    found = [(e.source, e.target, e.similarity) for e in merge_edges(queries, vectors).edges]
    assert found == reference(queries, vectors)


def test_a_block_has_no_more_scores_than_its_limit(monkeypatch):
    queries = [
        question(passage, direction, f"{direction}{passage}", passage)
        for passage in "abc"
        for direction in ("in", "out")
    ]
    vectors = rows(*((i, 1) for i in range(6)))
    whole = merge_edges(queries, vectors)
    monkeypatch.setattr("core.hop_graph.edges.CELLS", 4)  # one row of three
    done: list[int] = []
    assert merge_edges(queries, vectors, progress=done.append) == whole
    assert done == [1, 1, 1]
