"""Blocks of a match that a build has finished are not made again by the one that goes on."""

from pathlib import Path

import numpy as np
import pytest

from core.errors import Cancelled
from core.hop_graph import edges
from core.hop_graph.edges import merge_edges
from core.store.build_checkpoints import FOLDER, Unfinished
from core.types import PseudoQuery
from core.vectors import Vectors, unit_norm
from tests.core.hop_graph.test_edges import question

COUNT = 24  # out-coming questions, two of a passage


@pytest.fixture
def questions(monkeypatch: pytest.MonkeyPatch) -> tuple[list[PseudoQuery], Vectors]:
    monkeypatch.setattr(edges, "RAISED", 4)  # questions of a block: there are six
    queries = [
        question(f"p{i // 2}", direction, f"{i}{direction}", f"w{i % 5}", f"v{i % 3}")
        for i in range(COUNT)
        for direction in ("out", "in")
    ]
    vectors = np.random.default_rng(3).normal(size=(len(queries), 8))
    return queries, unit_norm(vectors.astype(np.float32))


class Stopping:
    """Raises when so many questions have been matched."""

    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(self, count: int) -> None:
        self.left -= count
        if self.left < 0:
            raise Cancelled


def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Gets an entry for each block that is matched."""
    blocks, best_of = [], edges.best_of

    def noted(out, *rest):
        blocks.append(len(out))
        return best_of(out, *rest)

    monkeypatch.setattr(edges, "best_of", noted)
    return blocks


@pytest.mark.parametrize("probes", [0, 1])
def test_only_missing_blocks_are_made_and_the_graph_is_the_same(
    questions, probes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    whole = merge_edges(*questions, probes=probes)
    kept = Unfinished(tmp_path)
    with pytest.raises(Cancelled):
        merge_edges(*questions, probes=probes, kept=kept, progress=Stopping(9))
    blocks, told = made(monkeypatch), []
    again = merge_edges(*questions, probes=probes, kept=kept, progress=told.append)
    assert again == whole
    assert blocks == [4, 4, 4, 4]  # the first two were kept
    assert sum(told) == COUNT
    kept.forget()
    assert not (tmp_path / FOLDER).exists()


def test_other_questions_vectors_and_lists_find_nothing(questions, tmp_path, monkeypatch):
    queries, vectors = questions
    kept = Unfinished(tmp_path)
    merge_edges(queries, vectors, kept=kept)
    blocks = made(monkeypatch)
    merge_edges(queries, vectors, kept=kept)
    assert blocks == []
    turned = vectors.copy()
    turned[1] = turned[3]  # of an in-coming question, which every block meets
    for other in ((queries[:-1], vectors[:-1], 0), (queries, turned, 0), (queries, vectors, 1)):
        blocks.clear()
        again = merge_edges(other[0], other[1], probes=other[2], kept=kept)
        assert len(blocks) == 6
        assert again == merge_edges(other[0], other[1], probes=other[2])


def test_a_block_that_was_cut_off_is_made_again(questions, tmp_path, monkeypatch):
    kept = Unfinished(tmp_path)
    whole = merge_edges(*questions, kept=kept)
    some = sorted((tmp_path / FOLDER).iterdir())[2]
    some.write_bytes(some.read_bytes()[:-20])
    blocks = made(monkeypatch)
    assert merge_edges(*questions, kept=kept) == whole
    assert len(blocks) == 1
