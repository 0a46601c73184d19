"""Edge merging on Ray: groups of out-coming questions meet groups of in-coming ones.

Each task has one group of the passages that ask, and takes the groups that answer one after the
other from the object store. The functions are those of `core.hop_graph`; see there why neither
groups nor order change the graph.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import ray

from core.cluster.session import TICK
from core.cluster.waiting import task
from core.hop_graph import cap
from core.hop_graph.blocks import Met, digest_of
from core.hop_graph.blocks import met as matched
from core.hop_graph.bounds import FEW, axes_of
from core.hop_graph.cap import Key, Pairs
from core.hop_graph.edges import best_of, edges_of
from core.hop_graph.lists import Drawn, Lists, drawn, lists_of
from core.hop_graph.sides import Side, side_of
from core.settings import settings
from core.store import schema
from core.store.build_checkpoints import Unfinished
from core.types import Direction, PseudoQuery
from core.vectors import Vectors

RAISED = 32_768  # out-coming questions of a task, at most about
ANSWERED = 65_536  # in-coming questions that it holds at a time, about
LEAST = 2_048  # out-coming questions of a task, so that turning the others' vectors pays
TOGETHER = 32  # blocks that are looked through at a time
TASKS = 4  # for each processor, if there are enough questions

Tell = Callable[[int], None]
"""Is told how many more out-coming questions are matched, and now and then 0; it may raise."""
Reference = Any
"""A `ray.ObjectRef`."""


def side(direction: Direction, *blocks: pa.Table) -> Side:
    """The questions of one direction in tables of questions with vectors."""
    rows = pa.concat_tables(blocks).filter(pc.field("direction") == direction)
    passages, ids, keywords = (rows[n].to_pylist() for n in ("passage_id", "id", "keywords"))
    vectors = schema.vector_matrix(rows["vector"])
    return side_of(passages, ids, keywords, vectors, range(len(rows)))


def axes(*blocks: pa.Table) -> Vectors:
    """The axes of the bounds of all pairs, found with some."""
    return axes_of(np.concatenate([schema.vector_matrix(rows["vector"]) for rows in blocks]))


def lists(questions: int, probes: int, *blocks: Drawn) -> Lists:
    """The lists of so many in-coming questions, of which `probes` are looked through for each."""
    return lists_of(blocks, questions, probes)


def match_groups(
    by: Vectors | Lists,
    into: Sequence[Reference],
    known: Sequence[bytes],
    probes: int,
    kept: Unfinished,
    *blocks: pa.Table,
) -> Met:
    """Whom the passages of `blocks` meet, of all their questions, in the groups `into`, whose
    digests are `known`; and how many of these matches are certified."""
    out = side("out", *blocks)

    return matched(out, known, probes, kept, lambda: best_of(out, LazySides(into), by))


@dataclass(frozen=True, slots=True)
class LazySides(Sequence[Side]):
    """Sides of which each is fetched when it is looked at."""

    references: Sequence[Reference]

    def __len__(self) -> int:
        return len(self.references)

    def __getitem__(self, number: Any) -> Any:
        return ray.get(self.references[number])


def edge_rows(pairs: Pairs, last: Key | None, asked: Sequence[Reference]) -> pa.Table:
    """The edges of `pairs` that stay, as rows; their questions are somewhere in `asked`."""
    kept = cap.kept(pairs, last)
    wanted = pa.array([*kept.question.tolist(), *kept.answer.tolist()], pa.string())
    queries: dict[str, PseudoQuery] = {}
    for start in range(0, len(asked), TOGETHER):
        rows = pa.concat_tables(ray.get(list(asked[start : start + TOGETHER])))
        found = map(schema.to_pseudo_query, rows.filter(pc.is_in(rows["id"], wanted)).to_pylist())
        queries.update((query.id, query) for query in found)
    return schema.edges_table(list(edges_of(kept, queries)))


def group_blocks(counts: Sequence[int], size: int) -> Iterator[slice]:
    """Runs of blocks that have about `size` questions together, of `counts` each."""
    start = total = 0
    for end, count in enumerate(counts, 1):
        total += count
        if total >= size or end == len(counts):
            yield slice(start, end)
            start, total = end, 0


def sample_blocks(blocks: Sequence[Reference], counts: Sequence[int]) -> list[Reference]:
    """Blocks from everywhere with vectors enough to find axes with."""
    step = max(1, sum(counts) // (2 * FEW))
    return list(blocks[::step])


def match_all(
    vectors: Sequence[Reference],
    raised: Sequence[int],
    answered: Sequence[int],
    processors: int,
    kept: Unfinished,
    tell: Tell,
) -> tuple[list[Reference], int]:
    """The pairs of each group of blocks, and how many matches are certified.

    Parameters
    ----------
    vectors : blocks of questions with their vectors, a passage in one of them.
    raised, answered : how many out-coming and in-coming questions each has.
    kept : has the groups that were finished before, and is given those that are now.
    """
    into = [task(side).remote("in", *vectors[g]) for g in group_blocks(answered, ANSWERED)]
    both = [a + b for a, b in zip(raised, answered, strict=True)]
    probes = settings().merge_lists
    if probes:
        few = [task(drawn).remote(group, sum(answered)) for group in into]
        by = task(lists).remote(sum(answered), probes, *few)
    else:
        by = task(axes).remote(*sample_blocks(vectors, both))
    digests = [task(digest_of).remote(group) for group in into]
    wait_for(digests, lambda _: tell(0))
    known = ray.get(digests)
    size = min(RAISED, max(LEAST, sum(raised) // (TASKS * processors)))
    asking = list(group_blocks(raised, size))
    meeting = task(match_groups, returns=2)
    tasks, certified = zip(
        *(meeting.remote(by, into, known, probes, kept, *vectors[g]) for g in asking), strict=True
    )
    done_of = {reference: sum(raised[g]) for reference, g in zip(tasks, asking, strict=True)}
    wait_for(tasks, lambda reference: tell(done_of[reference] if reference else 0))
    return list(tasks), sum(ray.get(list(certified)))


def wait_for(tasks: Sequence[Reference], each: Callable[[Reference | None], None]) -> None:
    """Until all are done; `each` is called with each that is, and with None twice a second."""
    left = list(tasks)
    while left:
        done, left = ray.wait(left, timeout=TICK, fetch_local=False)
        for reference in done or [None]:
            each(reference)


def last_kept_edge(pairs: Sequence[Reference], passages: int) -> tuple[Key | None, int]:
    """The last edge that stays, of `passages` that have questions, and how many go.

    None where all stay.
    """
    found: list[cap.Counted] = ray.get([task(cap.counted).remote(each) for each in pairs])
    counts, limit = sum(found, cap.NONE), cap.most_edges(passages)
    place, room = cap.bin_of_last(counts, limit)
    if not room:
        return None, 0
    keys = ray.get([task(cap.keys_in).remote(each, place) for each in pairs])
    last = cap.last_of((key for some_keys in keys for key in some_keys), room)
    return last, int(counts.sum()) - limit
