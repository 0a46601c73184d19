"""The cap of n ln n edges on Ray: the edges that are cut are those of one process."""

import math
import random
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from core.cluster.entry import stages_on
from core.corpus.types import Corpus
from core.hop_graph.cap import Key, Pairs, pairs_kept
from core.hop_graph.pseudo_queries import rules_with
from core.indexing.updates import build
from core.store.graph_limits import AUTOMATIC, GraphLimits
from core.store.index import Index
from core.types import Document
from tests.core.fakes import WordEmbedder
from tests.core.five import silent

NAMES = ("Ada Birch", "Bo Cole", "Cy Dunn", "Di East", "Ed Ford")
"""Each meets all the others: 20 edges between 5 passages, of which 5 ln 5 = 8 stay."""


def meetings() -> Corpus:
    def text(name: str) -> str:
        others = (other for other in NAMES if other != name)
        return " ".join(f"{name} met {other} in {len(name) + 1900}." for other in others)

    return Corpus([Document(name, name, text(name)) for name in NAMES], ())


@pytest.mark.usefixtures("ray")
@pytest.mark.parametrize(
    ("limits", "edges", "dropped"), [(AUTOMATIC, 8, 20 - 8), (GraphLimits(2, 3, 1), 5, 15 - 5)]
)
def test_the_cut_graph_is_that_of_one_process(
    limits: GraphLimits, edges: int, dropped: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five passages, and each raises a question about the four others."""
    from core.cluster import meeting  # which needs Ray

    monkeypatch.setattr("core.cluster.making.LEAST", 2)  # documents of a batch: three of them
    monkeypatch.setattr(meeting, "LEAST", 4)  # questions that a task asks
    maker = rules_with(0, limits)
    corpus, embedder, on_ray = meetings(), WordEmbedder(), stages_on("ray")
    here = build(tmp_path / "here", corpus, embedder, silent, maker=maker)
    there = build(tmp_path / "there", corpus, embedder, silent, maker=maker, make=on_ray)
    assert (here.counts.edges, here.counts.dropped_edges) == (edges, dropped)
    assert there.limits == here.limits == limits
    assert there.counts == here.counts
    assert there.graph_version == here.graph_version
    one, other = (Index.open(tmp_path / name).tables.read("edges") for name in ("here", "there"))
    assert other.equals(one)


@pytest.mark.parametrize("passages", [1, 2, 5, 12, 40])
def test_of_any_blocks_those_that_come_first_stay(
    passages: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Similarities are often equal, so that source and target decide."""
    meeting = pytest.importorskip("core.cluster.meeting", reason="needs Ray")
    monkeypatch.setattr(meeting.ray, "get", lambda reference: reference)
    monkeypatch.setattr(meeting, "task", lambda function: SimpleNamespace(remote=function))
    blocks = [pairs(seed, 30) for seed in range(4)]
    everything = sorted(key for block in blocks for key in keys(block))
    limit = math.floor(passages * math.log(passages))
    last, dropped = meeting.last_kept_edge(blocks, passages)
    stay = sorted(key for block in blocks for key in keys(pairs_kept(block, last)))
    if limit:
        assert stay == everything[:limit]
        assert dropped == max(0, len(everything) - limit)


def pairs(seed: int, count: int) -> Pairs:
    some = random.Random(seed)
    ends = sorted({(f"{seed}-{some.randrange(99)}", f"{some.randrange(99)}") for _ in range(count)})
    source, target = (np.array(each, object) for each in zip(*ends, strict=True))
    cosine = np.array([some.choice((-0.5, 0.25, 0.25, 0.5)) for _ in ends])
    return Pairs(source, target, source, target, np.zeros(len(ends)), cosine)


def keys(block: Pairs) -> list[Key]:
    columns = (-block.similarity, block.source, block.target)
    return list(zip(*(each.tolist() for each in columns), strict=True))
