"""The stages of a build as functions of a batch, and what is known of all batches together.

One process (`core.indexing.builder`) calls them with everything at once; a cluster with a batch at
a time, in any order. What they make of batches is put together by adding.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from hashlib import blake2b

import pyarrow as pa

from core.edits import HAND
from core.store import schema
from core.text.entities.keywords import Keywords
from core.types import Passage

LEAST_IN, LEAST_OUT = 2, 4
"""Questions of a kind that a passage should have (HopRAG 3.2)."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What passages and their questions come to; of several batches tallies are added.

    `characters` are those of all passages. `well_answered` and `well_raising` are passages with
    as many in-coming and out-coming questions as there should be, `fallbacks` those whose
    questions the rules made for want of a readable reply, `asked` those that have questions.
    """

    passages: int = 0
    characters: int = 0
    in_coming: int = 0
    out_coming: int = 0
    well_answered: int = 0
    well_raising: int = 0
    fallbacks: int = 0
    asked: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(*map(sum, zip(astuple(self), astuple(other), strict=True)))

    @staticmethod
    def of(texts: Iterable[str]) -> "Tally":
        """Of the texts of passages, without their questions."""
        lengths = list(map(len, texts))
        return Tally(passages=len(lengths), characters=sum(lengths))


def tally(queries: Iterable[tuple[str, str, str]], maker: str) -> Tally:
    """Of the questions of some passages, all that each has: passage, direction, and maker.

    `maker` is who was to make them.
    """
    made: dict[str, Counter[str]] = {"in": Counter(), "out": Counter()}
    fallbacks = set()
    for passage, direction, by in queries:
        made[direction][passage] += 1
        if by not in (maker, HAND):
            fallbacks.add(passage)
    return Tally(
        in_coming=made["in"].total(),
        out_coming=made["out"].total(),
        well_answered=sum(count >= LEAST_IN for count in made["in"].values()),
        well_raising=sum(count >= LEAST_OUT for count in made["out"].values()),
        fallbacks=len(fallbacks),
        asked=len(made["in"].keys() | made["out"].keys()),
    )


@dataclass(frozen=True, slots=True)
class Merging:
    """How many edges there are and were dropped, and the share of matches that is certified."""

    edges: int
    dropped: int
    certified: float


def texts_of(passages: Iterable[Passage]) -> list[str]:
    """What is embedded of them."""
    return [schema.passage_text(passage.title, passage.text) for passage in passages]


def passage_rows(
    passages: Sequence[Passage], called: Sequence[str], keywords: Keywords
) -> pa.Table:
    """`passages`, whose names are `called`, as an index keeps them; without their vectors."""
    found = [keywords.of(text) for text in texts_of(passages)]
    return schema.passages_table(passages, called, found)


def graph_version(passages: Iterable[str], edges: Iterable[str]) -> str:
    """Of the ids of passages, in any order, and of edges in theirs: two indexes with the same graph
    have the same version, in whatever order their documents came."""
    digest = blake2b(digest_size=8)
    for ids in (sorted(passages), edges):
        for name in ids:
            digest.update(name.encode() + b"\x1f")
    return digest.hexdigest()
