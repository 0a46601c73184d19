import math
from collections.abc import Sequence

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.hop_graph import cap
from core.hop_graph.best import Best
from core.hop_graph.bounds import axes_of
from core.hop_graph.cells import OnDevice
from core.hop_graph.edges import best_of, edges_of, jaccard, merge_edges
from core.hop_graph.sides import Side, side_of
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


@settings(max_examples=50)
@given(worlds(), st.integers(1, 5), st.randoms())
def test_blocks_and_order_do_not_change_the_graph(world, block, random):
    queries, vectors = world
    expected = reference(queries, vectors)
    order = list(range(len(queries)))
    random.shuffle(order)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.hop_graph.edges.RAISED", random.randint(1, 5))
        patch.setattr("core.hop_graph.edges.ANSWERED", random.randint(1, 5))
        merged = merge_edges([queries[i] for i in order], vectors[order], block=block)
    found = [(edge.source, edge.target, edge.similarity) for edge in merged.edges]
    assert [row[:2] for row in found] == [row[:2] for row in expected]
    assert [row[2] for row in found] == pytest.approx([row[2] for row in expected], abs=1e-12)
    assert merged == merge_edges(queries, vectors, block=512)


def dealt(world: tuple[list[PseudoQuery], Vectors], direction: Direction, random) -> list[Side]:
    """The questions of a direction on some tables, those of a passage on one."""
    queries, vectors = world
    place = {passage: random.randrange(3) for passage in "abcde"}
    tables = []
    for table in range(3):
        rows = [
            i
            for i, query in enumerate(queries)
            if query.direction == direction and place[query.passage_id] == table
        ]
        random.shuffle(rows)
        columns = ((queries[i].passage_id, queries[i].id, queries[i].keywords) for i in rows)
        tables.append(
            side_of(*(zip(*columns, strict=True) if rows else ((), (), ())), vectors, rows)
        )
    random.shuffle(tables)
    return tables


@settings(max_examples=50)
@given(worlds(), st.randoms())
def test_any_workers_that_share_the_work_make_the_same_graph(world, random):
    queries, vectors = world
    axes = axes_of(vectors)
    into, blocks = dealt(world, "in", random), []
    for out in dealt(world, "out", random):
        parts = [best_of(out, [each], axes) for each in random.sample(into, len(into))]
        while len(parts) > 1:  # put together in any order, and one of them twice
            one, other = parts.pop(random.randrange(len(parts))), parts.pop()
            parts.append(one.better_of(other).better_of(one))
        blocks.append(cap.pairs_of(out, parts[0]))
    limit = cap.most_edges(len({query.passage_id for query in queries}))
    place, room = cap.bin_of_last(sum(map(cap.histogram, blocks), cap.NONE), limit)
    last = cap.last_kept((key for pairs in blocks for key in cap.keys_in(pairs, place)), room)
    named = {query.id: query for query in queries}
    edges = [edge for pairs in blocks for edge in edges_of(cap.pairs_kept(pairs, last), named)]
    whole = merge_edges(queries, vectors)
    assert sorted(edges, key=lambda edge: (edge.source, edge.target)) == list(whole.edges)
    assert sum(map(len, blocks)) - len(edges) == whole.dropped


def test_the_better_of_two_is_the_same_from_both_sides():
    none = -np.inf

    def best(*columns: Sequence[object]) -> Best:
        return Best(*map(np.array, columns), np.zeros(3))

    one = best(["b", "", "c"], ["1", "", "2"], [0.5, none, 1], [0.5, none, 0])
    two = best(["a", "x", "c"], ["9", "3", "1"], [0.5, 0, 1], [0.5, -1, 0])
    for both in (one.better_of(two), two.better_of(one)):
        assert both.target.tolist() == ["a", "x", "c"]
        assert both.answer.tolist() == ["9", "3", "1"]


@pytest.mark.parametrize("where", ["float32", "bfloat16", "device"])
def test_long_vectors_give_the_same_graph_on_every_processor(monkeypatch, where):
    native = where == "bfloat16"
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"avx512_bf16": native})
    if where == "device":
        monkeypatch.setattr("core.hop_graph.matching.cells_of", OnDevice)
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
