"""Edge merging on Ray: match groups of out-questions with groups of in-questions.

Each task holds one group of out-questions and fetches the groups of in-questions from the object
store, one after the other. `core.hop_graph` explains why neither the groups nor their order
change the graph.
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
from core.hop_graph.blocks import BlockPairs, digest_of
from core.hop_graph.blocks import load_or_match as matched
from core.hop_graph.bounds import FEW, axes_of
from core.hop_graph.cap import Key, Pairs
from core.hop_graph.edges import best_of, edges_of
from core.hop_graph.lists import Drawn, Lists, lists_of, sample_for_centres
from core.hop_graph.sides import Side, side_of
from core.settings import settings
from core.store import schema
from core.store.build_checkpoints import Unfinished
from core.types import Direction, PseudoQuery
from core.vectors import Vectors

RAISED = 32_768  # approximate maximum of out-questions per task
ANSWERED = 65_536  # approximate number of in-questions that a task holds at a time
LEAST = 2_048  # minimum of out-questions per task; fewer do not repay rotating the vectors
TOGETHER = 32  # blocks that are searched at a time
TASKS = 4  # per processor, if there are enough questions

Tell = Callable[[int], None]
"""Called with the number of newly matched out-questions, or 0 as a heartbeat; may raise."""
Reference = Any
"""A `ray.ObjectRef`."""


def side(direction: Direction, *blocks: pa.Table) -> Side:
    """Return the questions of one direction, from tables of questions with vectors."""
    rows = pa.concat_tables(blocks).filter(pc.field("direction") == direction)
    passages, ids, keywords = (rows[n].to_pylist() for n in ("passage_id", "id", "keywords"))
    vectors = schema.vector_matrix(rows["vector"])
    return side_of(passages, ids, keywords, vectors, range(len(rows)))


def axes(*blocks: pa.Table) -> Vectors:
    """Return the axes on which score bounds are computed, fitted to a sample of the vectors."""
    return axes_of(np.concatenate([schema.vector_matrix(rows["vector"]) for rows in blocks]))


def lists(questions: int, probes: int, *blocks: Drawn) -> Lists:
    """Return the inverted lists for approximate matching.

    Parameters
    ----------
    questions : total number of in-questions.
    probes : number of lists that are searched for each out-question.
    blocks : the sampled questions from which the centres of the lists are fitted.
    """
    return lists_of(blocks, questions, probes)


def match_groups(
    by: Vectors | Lists,
    into: Sequence[Reference],
    known: Sequence[bytes],
    probes: int,
    kept: Unfinished,
    *blocks: pa.Table,
) -> BlockPairs:
    """Match the out-questions in `blocks` with all in-questions.

    Parameters
    ----------
    by : axes for exact matching, or inverted lists for approximate matching.
    into : groups of in-questions.
    known : digest of each group in `into`.
    probes : number of lists that are searched, 0 for exact matching.
    kept : checkpoint of finished groups, so that a resumed build skips them.

    Returns
    -------
    The pairs, and how many of the matches are certified to be exact.
    """
    out = side("out", *blocks)

    return matched(out, known, probes, kept, lambda: best_of(out, LazySides(into), by))


@dataclass(frozen=True, slots=True)
class LazySides(Sequence[Side]):
    """Groups of questions that are fetched from the object store when they are accessed."""

    references: Sequence[Reference]

    def __len__(self) -> int:
        return len(self.references)

    def __getitem__(self, number: Any) -> Any:
        return ray.get(self.references[number])


def edge_rows(pairs: Pairs, last: Key | None, question_blocks: Sequence[Reference]) -> pa.Table:
    """Return the edges of `pairs` that remain under the cap, as a table.

    Parameters
    ----------
    last : the lowest edge that is kept, None to keep all.
    question_blocks : all blocks of questions, which are searched for the questions of the edges.
    """
    kept = cap.pairs_kept(pairs, last)
    wanted = pa.array([*kept.question.tolist(), *kept.answer.tolist()], pa.string())
    queries: dict[str, PseudoQuery] = {}
    for start in range(0, len(question_blocks), TOGETHER):
        rows = pa.concat_tables(ray.get(list(question_blocks[start : start + TOGETHER])))
        needed = map(schema.to_pseudo_query, rows.filter(pc.is_in(rows["id"], wanted)).to_pylist())
        queries.update((query.id, query) for query in needed)
    return schema.edges_table(list(edges_of(kept, queries)))


def group_blocks(counts: Sequence[int], size: int) -> Iterator[slice]:
    """Yield slices of consecutive blocks that have about `size` questions each.

    Parameters
    ----------
    counts : number of questions in each block.
    """
    start = total = 0
    for end, count in enumerate(counts, 1):
        total += count
        if total >= size or end == len(counts):
            yield slice(start, end)
            start, total = end, 0


def sample_blocks(blocks: Sequence[Reference], counts: Sequence[int]) -> list[Reference]:
    """Return evenly spaced blocks with enough vectors to fit the axes."""
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
    """Match all out-questions with all in-questions.

    Parameters
    ----------
    vectors : blocks of questions with vectors; all questions of a passage are in one block.
    raised, answered : number of out-questions and in-questions in each block.
    kept : checkpoint of finished groups, read and extended.

    Returns
    -------
    References to the pairs of each group, and how many matches are certified to be exact.
    """
    into = [task(side).remote("in", *vectors[g]) for g in group_blocks(answered, ANSWERED)]
    both = [a + b for a, b in zip(raised, answered, strict=True)]
    probes = settings().merge_lists
    if probes:
        few = [task(sample_for_centres).remote(group, sum(answered)) for group in into]
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
    """Wait until all tasks are done.

    Call `each` with every finished task, and with None every `TICK` seconds in between.
    """
    left = list(tasks)
    while left:
        done, left = ray.wait(left, timeout=TICK, fetch_local=False)
        for reference in done or [None]:
            each(reference)


def last_kept_edge(
    pairs: Sequence[Reference], passages: int, edge_cap: int = 0
) -> tuple[Key | None, int]:
    """Return the lowest edge that the cap keeps, and how many edges it drops.

    The edge is None if all are kept.

    Parameters
    ----------
    passages : number of passages that have questions; the cap depends on it.
    edge_cap : maximum of edges per passage, on average; 0 for the automatic cap.
    """
    histograms: list[cap.Counted] = ray.get([task(cap.histogram).remote(each) for each in pairs])
    counts, limit = sum(histograms, cap.NONE), cap.most_edges(passages, edge_cap)
    place, room = cap.bin_of_last(counts, limit)
    if not room:
        return None, 0
    keys = ray.get([task(cap.keys_in).remote(each, place) for each in pairs])
    last = cap.last_kept((key for some_keys in keys for key in some_keys), room)
    return last, int(counts.sum()) - limit
