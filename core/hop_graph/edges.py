"""Edge merging (HopRAG 3.2): match each out-question with its best in-question.

The match is exact over the whole corpus (`core.hop_graph.matching`) and does not depend on blocks
or machine. Ties are decided by passage id, then question id.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b

from core.hop_graph import cap
from core.hop_graph.best import Best
from core.hop_graph.blocks import digest_of, load_or_match
from core.hop_graph.bounds import axes_of
from core.hop_graph.cap import Pairs
from core.hop_graph.lists import Lists, best_listed, lists_of, sample_for_centres
from core.hop_graph.matching import Counted, best_answers, bounds_of_side
from core.hop_graph.sides import Side, side_of
from core.store.build_checkpoints import Unfinished
from core.text.display.question_wording import spoken
from core.types import Direction, Edge, PseudoQuery
from core.vectors import Vectors

BLOCK = 512  # out-questions that are matched with a block of in-questions at a time
CELLS = 2**26  # maximum number of bounds at a time: 500 MB with everything derived from them
RAISED = 32_768  # approximate number of out-questions per block
ANSWERED = 131_072  # approximate number of in-questions per block


@dataclass(frozen=True, slots=True)
class Merged:
    """The edges of the graph, sorted by source, target and id.

    Attributes
    ----------
    dropped : number of edges above the cap.
    certified : share of out-questions whose match is certainly that of an exact search.
    """

    edges: tuple[Edge, ...]
    dropped: int
    certified: float = 1.0


def merge_edges(
    queries: Sequence[PseudoQuery],
    vectors: Vectors,
    *,
    block: int = BLOCK,
    probes: int = 0,
    edge_cap: int = 0,
    progress: Counted | None = None,
    kept: Unfinished | None = None,
) -> Merged:
    """Build the edges of the graph (HopRAG 3.2, A.4).

    Each out-question is matched with the in-question of another passage that has the largest SIM
    (Equation 1). Of several edges from one passage to another only the best is kept, and of all
    edges the best ``n ln n`` or ``n edge_cap``, where n is the number of passages that have
    questions.

    Parameters
    ----------
    queries : questions of both directions, in any order.
    vectors : (len(queries), d) float32, unit-norm.
    block : number of out-questions per block, reduced if the block would have more than `CELLS`
        bounds. The result does not depend on it.
    probes : number of lists that are searched per question (`core.hop_graph.lists`); 0 for an
        exact search.
    edge_cap : maximum of edges per passage, on average; 0 for ``ln n``.
    progress : called with the number of out-questions matched since its last call.
    kept : checkpoints of finished blocks, read and extended.
    """
    into = list(_sides(queries, vectors, "in", ANSWERED))
    by = _lists(into, probes) if probes and into else axes_of(vectors)
    known = list(map(digest_of, into)) if kept else []
    blocks, certified, asked = [], 0, 0
    for out in _sides(queries, vectors, "out", RAISED):
        find = partial(best_of, out, into, by, block, progress)
        pairs, sure = load_or_match(out, known, probes, kept, find, progress)
        blocks.append(pairs)
        certified, asked = certified + sure, asked + len(out)
    limit = cap.most_edges(len({query.passage_id for query in queries}), edge_cap)
    place, room = cap.bin_of_last(sum(map(cap.histogram, blocks), cap.NONE), limit)
    last = cap.last_kept((key for pairs in blocks for key in cap.keys_in(pairs, place)), room)
    named = {query.id: query for query in queries}
    edges = [edge for pairs in blocks for edge in edges_of(cap.pairs_kept(pairs, last), named)]
    dropped = sum(map(len, blocks)) - len(edges)
    return Merged(tuple(edges), dropped, certified / asked if asked else 1.0)


def _lists(into: Sequence[Side], probes: int) -> Lists:
    questions = sum(map(len, into))
    return lists_of((sample_for_centres(side, questions) for side in into), questions, probes)


def best_of(
    out: Side,
    into: Sequence[Side],
    by: Vectors | Lists,
    block: int = BLOCK,
    progress: Counted | None = None,
) -> Best:
    """Match each question in `out` over all blocks of `into`.

    Parameters
    ----------
    by : axes of the bounds for an exact search, or lists for an approximate search.
    """
    best, look = Best.none(len(out)), _matcher(out, by, block)
    for number, answers in enumerate(into, 1):
        # A question is done after the last block. Earlier blocks only report that work goes on.
        tell = progress if number == len(into) or not progress else _heartbeat(progress)
        best = best.better_of(look(answers, tell))
    return best


def _matcher(out: Side, by: Vectors | Lists, block: int) -> Callable[[Side, Counted | None], Best]:
    """Return a function that matches `out` with a block of in-questions."""
    if isinstance(by, Lists):
        return lambda answers, tell: best_listed(out, answers, by, tell)
    asking = bounds_of_side(out, by)

    def look(answers: Side, tell: Counted | None) -> Best:
        fitting = max(1, min(block, CELLS // max(1, len(answers))))
        return best_answers(out, answers, asking, by, fitting, tell)

    return look


def _heartbeat(progress: Counted) -> Counted:
    return lambda _: progress(0)


def _sides(
    queries: Sequence[PseudoQuery], vectors: Vectors, direction: Direction, size: int
) -> Iterator[Side]:
    """Yield the questions of a direction in blocks of about `size`, without splitting passages."""
    chosen = [i for i, query in enumerate(queries) if query.direction == direction]
    chosen.sort(key=lambda i: queries[i].passage_id)
    start = 0
    while start < len(chosen):
        end = min(start + size, len(chosen))
        last = queries[chosen[end - 1]].passage_id
        while end < len(chosen) and queries[chosen[end]].passage_id == last:
            end += 1
        yield _side(queries, vectors, chosen[start:end])
        start = end


def _side(queries: Sequence[PseudoQuery], vectors: Vectors, chosen: Sequence[int]) -> Side:
    """Collect the questions with the numbers `chosen` in columns."""
    picked = [queries[i] for i in chosen]
    return side_of(
        [query.passage_id for query in picked],
        [query.id for query in picked],
        [query.keywords for query in picked],
        vectors,
        chosen,
    )


def jaccard(a: set[str], b: set[str]) -> float:
    """Compute the Jaccard similarity of two sets, in [0, 1]; 0 if both are empty."""
    return len(a & b) / len(a | b) if a or b else 0.0


def edges_of(pairs: Pairs, queries: Mapping[str, PseudoQuery]) -> Iterator[Edge]:
    """Yield the edges of `pairs`, in order.

    Parameters
    ----------
    queries : the questions by id.
    """
    ids = zip(pairs.question.tolist(), pairs.answer.tolist(), strict=True)
    parts = zip(pairs.jaccard.tolist(), pairs.cosine.tolist(), strict=True)
    for (question, answer), scores in zip(ids, parts, strict=True):
        yield make_edge(queries[question], queries[answer], *scores)


def edge_id(out: PseudoQuery, into: PseudoQuery) -> str:
    """Return the id of the edge between two questions."""
    parts = (out.passage_id, into.passage_id, out.text, into.text)
    return blake2b("\x1f".join(parts).encode(), digest_size=12).hexdigest()


def make_edge(out: PseudoQuery, into: PseudoQuery, shared: float, cosine: float) -> Edge:
    """Build the edge from an out-question to an in-question (HopRAG, Equation 1).

    Parameters
    ----------
    shared : Jaccard similarity of their keywords, in [0, 1].
    cosine : cosine of their embeddings; the similarity of the edge is the mean of both.
    """
    return Edge(
        id=edge_id(out, into),
        source=out.passage_id,
        target=into.passage_id,
        out_query_id=out.id,
        in_query_id=into.id,
        question=spoken(into),
        keywords=tuple(sorted({*out.keywords, *into.keywords})),
        jaccard=shared,
        cosine=cosine,
        similarity=(shared + cosine) / 2,
    )
