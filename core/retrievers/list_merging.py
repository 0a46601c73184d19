"""Merge ranked lists, and record the list that each passage comes from."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from core.types import Hit, Part

Lists = Mapping[str, Sequence[str]]
"""Passage ids of each list, best first, by the list's name."""

IN_TURN = "The lists take turns: the top passage of each, then the second of each, and so on."
JOINED = "The lists are concatenated, each with its top {:,} passages."
SUMMED = "A passage scores 1 / ({:g} + rank) for each list it is in."
"""Sentences on how lists are merged."""


def by_turns(lists: Lists) -> tuple[Hit, ...]:
    """Merge lists by round robin, without duplicates.

    The n-th passage has the score 1/n, as a part named after the list that it comes from.

    >>> [hit.passage_id for hit in by_turns({"x": ["a", "b"], "y": ["a", "c"]})]
    ['a', 'b', 'c']
    """
    return _hits_in_order(_in_turn(lists))


def concatenate(lists: Lists, each: int) -> tuple[Hit, ...]:
    """Concatenate the first `each` passages of every list, without duplicates.

    This is the query decomposition that HopRAG is compared with (arXiv 2502.12442, A.4). The n-th
    passage has the score 1/n, as in `by_turns`.

    >>> [hit.passage_id for hit in concatenate({"x": ["a", "b", "d"], "y": ["a", "c"]}, 2)]
    ['a', 'b', 'c']
    """
    return _hits_in_order((name, one) for name, some in lists.items() for one in some[:each])


def _hits_in_order(found: Iterable[tuple[str, str]]) -> tuple[Hit, ...]:
    """Rank passages in their first order of appearance; a hit's part is named after its list."""
    list_of: dict[str, str] = {}
    for name, passage in found:
        list_of.setdefault(passage, name)
    return tuple(
        Hit(passage, 1 / place, (Part(name, 1 / place),))
        for place, (passage, name) in enumerate(list_of.items(), start=1)
    )


def by_reciprocal_ranks(lists: Lists, k0: float) -> tuple[Hit, ...]:
    """Merge lists by reciprocal rank fusion, the sum of 1/(k0 + rank) (Cormack et al., 2009).

    Ties are in the order of `by_turns`.

    >>> by_reciprocal_ranks({"x": ["a"], "y": ["b", "a"]}, 0)[0].score
    1.5
    """
    parts: defaultdict[str, list[Part]] = defaultdict(list)
    for _, passage in _in_turn(lists):
        parts[passage] = []
    for name, passages in lists.items():
        for rank, passage in enumerate(passages, start=1):
            parts[passage].append(Part(name, 1 / (k0 + rank)))
    hits = (Hit(one, sum(part.value for part in of), tuple(of)) for one, of in parts.items())
    return tuple(sorted(hits, key=lambda hit: -hit.score))


def _in_turn(lists: Lists) -> Iterator[tuple[str, str]]:
    """Yield list name and passage: the first of every list, then the second of every list."""
    longest = max(map(len, lists.values()), default=0)
    for place in range(longest):
        for name, passages in lists.items():
            if place < len(passages):
                yield name, passages[place]
