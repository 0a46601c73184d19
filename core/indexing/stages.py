"""Stages of a build as functions of a batch, and counts that can be added over batches.

A build in one process (`core.indexing.builder`) calls them once with everything, a build on a
cluster once per batch, in any order.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from hashlib import blake2b

import pyarrow as pa

from core.corpus.extraction_files import Extract, Extraction
from core.edits import HAND
from core.hop_graph.edges import Merged, merge_edges
from core.models.embedding import counted
from core.progress import Progress, Report
from core.settings import settings
from core.store import schema
from core.store.build_checkpoints import Unfinished
from core.store.database import Rows
from core.store.graph_limits import AUTOMATIC, GraphLimits
from core.text.entities.keywords import Keywords
from core.text.near_duplicates import RepeatCounts, count_repeats
from core.types import Passage, PseudoQuery
from core.vectors import Vectors

_ROWS = 10_000  # read at a time


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of passages and their questions; the tallies of batches are added.

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
        """Count the characters of passages, without their questions."""
        lengths = list(map(len, texts))
        return Tally(passages=len(lengths), characters=sum(lengths))


def tally(
    queries: Iterable[tuple[str, str, str]], maker: str, limits: GraphLimits = AUTOMATIC
) -> Tally:
    """Count the questions of some passages, all of each.

    Parameters
    ----------
    queries : passage, direction and actual maker of each question.
    maker : the maker that was asked for.
    limits : limits of the build, which decide whether a passage has few questions.
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
        well_answered=sum(count >= limits.least_in for count in made["in"].values()),
        well_raising=sum(count >= limits.least_out for count in made["out"].values()),
        fallbacks=len(fallbacks),
        asked=len(made["in"].keys() | made["out"].keys()),
    )


@dataclass(frozen=True, slots=True)
class Merging:
    """The numbers of edges and dropped edges, and the share of certified matches."""

    edges: int
    dropped: int
    certified: float


def texts_of(passages: Iterable[Passage]) -> list[str]:
    """Return the texts of passages that are embedded."""
    return [schema.passage_text(passage.title, passage.text) for passage in passages]


def passage_rows(
    passages: Sequence[Passage], called: Sequence[str], keywords: Keywords
) -> pa.Table:
    """Return the table of passages with names `called` and keywords, without vectors."""
    keywords_of_passages = [keywords.of(text) for text in texts_of(passages)]
    return schema.passages_table(passages, called, keywords_of_passages)


def extraction_of(
    given: Extraction | Extract, passages: Sequence[Passage], report: Report
) -> Extraction:
    """Return the entities and triples of `passages`, extracted now unless they are given."""
    if isinstance(given, Extraction):
        return given
    report(Progress("extract", 0, len(passages)))
    return given(passages, counted("extract", 0, len(passages), report))


def repeats_in(passages: Rows) -> RepeatCounts | None:
    """Return the number of repeated texts; None for a stream, which can only be read once."""
    if not isinstance(passages, pa.Table):
        return None

    def texts() -> Iterator[str]:
        for batch in passages.select(["title", "text"]).to_batches(_ROWS):
            columns = (batch[name].to_pylist() for name in ("title", "text"))
            yield from map(schema.passage_text, *columns)

    return count_repeats(texts)


def graph_version(passages: Iterable[str], edges: Iterable[str]) -> str:
    """Return a hash of the graph: passage ids in any order, and edge ids in stored order.

    Indexes with the same graph have the same version, whatever the order of their documents.
    """
    digest = blake2b(digest_size=8)
    for ids in (sorted(passages), edges):
        for name in ids:
            digest.update(name.encode() + b"\x1f")
    return digest.hexdigest()


def merge(
    queries: Sequence[PseudoQuery],
    vectors: Vectors,
    edge_cap: int,
    report: Report,
    kept: Unfinished,
) -> Merged:
    """Return the edges of the questions, searched as the settings say."""
    total = sum(query.direction == "out" for query in queries)
    report(Progress("merge", 0, total))
    tell = counted("merge", 0, total, report)
    probes = settings().merge_lists
    return merge_edges(queries, vectors, probes=probes, edge_cap=edge_cap, progress=tell, kept=kept)
