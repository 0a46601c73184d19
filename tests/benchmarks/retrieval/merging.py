"""Edge merging beside simpler ways to do it, and at sizes that no corpus at hand has.

    python tests/benchmarks/retrieval/merging.py --index DIR [--passages 100000]

Takes the questions of an index and prints each figure beside its limit. The ratios come from one
run. With `--passages` the questions are copied until there are as many passages: each copy has
keywords of its own, and its vectors lie between those of two questions.
"""

import argparse
import os
import platform
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[3]))

from ways_to_merge import Best, World, candidates_first, cross_join, numpy_loop

from core.hop_graph.edges import Merged, merge_edges
from core.store.embeddings.vector_cache import VectorCache
from core.store.index import Index
from core.types import PseudoQuery
from core.vectors import unit_norm

Row = tuple[str, str, str]
FEW_PASSAGES = 300
MIXED = 0.5  # weight of the other question in a copy's vector
T = TypeVar("T")


def load(folder: Path) -> World:
    index = Index.open(folder)
    queries = sorted(index.graph.all_pseudo_queries, key=lambda query: (query.passage_id, query.id))
    texts = [query.text for query in queries]
    return World(queries, VectorCache(folder, index.meta.embedder).take(texts))


def enlarged(world: World, passages: int) -> World:
    """`world` copied to that many passages; the first copy is as it was."""
    copies = -(-passages // len(world.passages()))
    rng = np.random.default_rng(0)
    sides = [np.array(world.side(direction)) for direction in ("in", "out")]
    vectors = np.empty((copies * len(world.queries), world.vectors.shape[1]), np.float32)
    queries: list[PseudoQuery] = []
    for copy in range(copies):
        mine = vectors[copy * len(world.queries) :][: len(world.queries)]
        mine[:] = world.vectors
        for side in sides if copy else ():
            mine[side] = unit_norm(mine[side] + MIXED * world.vectors[rng.permutation(side)])
        queries += (_copied(query, copy) for query in world.queries)
    return World(queries, vectors).first(passages)


def _copied(query: PseudoQuery, copy: int) -> PseudoQuery:
    if not copy:
        return query
    return replace(
        query,
        id=f"{copy} {query.id}",
        passage_id=f"{copy} {query.passage_id}",
        keywords=tuple(f"{copy} {word}" for word in query.keywords),
    )


def timed(act: Callable[[], T]) -> tuple[T, float]:
    started = time.perf_counter()
    return act(), time.perf_counter() - started


def peak() -> str:
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GB"


def agreement(merged: Merged, best: Best) -> str:
    same = [best[edge.out_query_id] == edge.in_query_id for edge in merged.edges]
    return f"{100 * np.mean(same):.2f}% of {len(same):,} edges"


def growing(world: World, limit: str) -> tuple[list[Row], Merged, float]:
    """What merging takes in time and memory, and what looking at few candidates would."""
    before = peak()
    merged, seconds = timed(lambda: merge_edges(world.queries, world.vectors))
    memory = f"{peak()}, {before}"
    best, quick = timed(lambda: candidates_first(world))
    name = f"{len(world.passages()):,} passages, {len(world.queries):,} questions"
    rows = [
        (f"{name}: exact", f"{seconds:.1f} s", limit),
        ("  peak memory, and before merging", memory, ""),
        ("  candidates first", f"{quick:.1f} s, {quick / seconds:.2f}x of exact", ""),
        ("  candidates first: the same edge", agreement(merged, best), ""),
    ]
    return rows, merged, seconds


def beside(world: World, merged: Merged, seconds: float) -> list[Row]:
    """The simple ways, at the size they can bear."""
    best, slow = timed(lambda: numpy_loop(world))
    few = world.first(FEW_PASSAGES)
    ours, fast = timed(lambda: merge_edges(few.queries, few.vectors))
    joined, slowest = timed(lambda: cross_join(few))
    return [
        (
            "  NumPy loop over all pairs, float32",
            f"{slow:.1f} s, {slow / seconds:.1f}x of ours",
            "",
        ),
        ("  NumPy loop: the same edge", agreement(merged, best), "100%"),
        (f"{FEW_PASSAGES} passages, {len(few.queries):,} questions: exact", f"{fast:.2f} s", ""),
        ("  pandas cross join", f"{slowest:.1f} s, {slowest / fast:,.0f}x of ours", ""),
        ("  pandas cross join: the same edge", agreement(ours, joined), "100%"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--index", type=Path, required=True, help="an index to take questions of")
    parser.add_argument("--passages", type=int, help="enlarge it to so many passages as well")
    given = parser.parse_args()
    world = load(given.index)
    rows, merged, seconds = growing(world, "30 s at 10,001 passages")
    rows += beside(world, merged, seconds)
    if given.passages:
        many = enlarged(world, given.passages)
        more, _, longer = growing(many, "")
        rows += more
        grown = len(many.queries) / len(world.queries)
        growth = (
            f"{longer / seconds:.0f}x for {grown:.1f}x the questions, {grown**2:.0f}x the pairs"
        )
        rows.append(("  exact: growth", growth, ""))
    machine = f"{platform.machine()}, {os.cpu_count()} cores"
    table = Table("figure", "measured", "limit", title=machine)
    for row in rows:
        table.add_row(*row)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
