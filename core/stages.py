"""The stages of a build as functions of a batch, and what is known of all batches together.

One process (`core.indexing`) calls them with everything at once; a cluster with a batch at a time,
in any order. What they make of batches is put together by adding.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from hashlib import blake2b

import pyarrow as pa

from core.store import schema
from core.store.meta import Counts
from core.store.writer import passage_text
from core.text.keywords import Keywords
from core.types import Passage, PseudoQuery
from core.vectors import Vectors

LEAST_IN, LEAST_OUT = 2, 4
"""Questions of a kind that a passage should have (HopRAG 3.2)."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What passages and their questions come to; of several batches tallies are added.

    `characters` are those of all passages; the last three count passages.
    """

    passages: int = 0
    characters: int = 0
    in_coming: int = 0
    out_coming: int = 0
    short_in_coming: int = 0
    short_out_coming: int = 0
    fallbacks: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(*map(sum, zip(astuple(self), astuple(other), strict=True)))


def tally(passages: Sequence[Passage], queries: Iterable[PseudoQuery], maker: str) -> Tally:
    """Of `passages` and all their questions, which the maker called `maker` was to make."""
    made: dict[str, Counter[str]] = {"in": Counter(), "out": Counter()}
    fallbacks = set()
    for query in queries:
        made[query.direction][query.passage_id] += 1
        if query.maker != maker:
            fallbacks.add(query.passage_id)
    return Tally(
        passages=len(passages),
        characters=sum(len(passage.text) for passage in passages),
        in_coming=made["in"].total(),
        out_coming=made["out"].total(),
        short_in_coming=sum(made["in"][passage.id] < LEAST_IN for passage in passages),
        short_out_coming=sum(made["out"][passage.id] < LEAST_OUT for passage in passages),
        fallbacks=len(fallbacks),
    )


def counts(documents: int, questions: int, tallied: Tally, edges: int, dropped: int) -> Counts:
    """What an index says of itself: `questions` came with its corpus."""
    return Counts(
        documents=documents,
        vertices=tallied.passages,
        edges=edges,
        dropped_edges=dropped,
        in_coming=tallied.in_coming,
        out_coming=tallied.out_coming,
        questions=questions,
        text_length=tallied.characters / tallied.passages,
        short_in_coming=tallied.short_in_coming,
        short_out_coming=tallied.short_out_coming,
        fallbacks=tallied.fallbacks,
    )


def texts_of(passages: Iterable[Passage]) -> list[str]:
    """What is embedded of them."""
    return [passage_text(passage.title, passage.text) for passage in passages]


def passage_rows(
    passages: Sequence[Passage], called: Sequence[str], keywords: Keywords, vectors: Vectors
) -> pa.Table:
    """`passages` as an index keeps them; `called` are their names and `vectors` of their texts."""
    found = [keywords.of(text) for text in texts_of(passages)]
    return schema.passages_table(passages, called, found, vectors)


def graph_version(passages: Iterable[str], edges: Iterable[str]) -> str:
    """Of the ids of passages, in any order, and of edges in theirs: two indexes with the same graph
    have the same version, in whatever order their documents came."""
    digest = blake2b(digest_size=8)
    for ids in (sorted(passages), edges):
        for name in ids:
            digest.update(name.encode() + b"\x1f")
    return digest.hexdigest()
