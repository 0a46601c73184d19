"""What is known of a finished index: who made it, from what, with which settings."""

import json
from dataclasses import asdict, dataclass

from core.errors import IndexMissing
from core.places import Place
from core.store.database import is_made
from core.store.integrity.damage import reading
from core.store.records.json_values import moment, stored
from core.store.records.record import PUBLISHED, Record, read_record
from core.types import EmbedderInfo

OLD_TABLE = "meta"
"""Holds a row for each finished version of an index that has no record of it yet."""


@dataclass(frozen=True, slots=True)
class Counts:
    """`vertices` are passages; `dropped_edges` were cut by the cap of n ln n (A.4).

    `hubs` are names that more than `hub_limit` passages contain: they raise no questions.
    `hub_names` are the most frequent of them. `near_duplicates` and `overlapping` are those of
    `core.text.near_duplicates.RepeatCounts`; None of an index that was made before they were
    counted.

    `certified` is the share of out-coming questions that are surely matched as a search of all
    pairs matches them.
    """

    documents: int
    vertices: int
    edges: int
    dropped_edges: int
    in_coming: int
    out_coming: int
    questions: int
    text_length: float  # characters of a passage, on average
    short_in_coming: int  # passages with fewer than 2 in-coming questions (3.2)
    short_out_coming: int  # passages with fewer than 4 out-coming ones (3.2)
    fallbacks: int = 0  # passages whose questions the rules made, for want of a readable reply
    certified: float = 1.0
    hub_limit: int = 0
    hubs: int = 0
    hub_names: tuple[str, ...] = ()
    near_duplicates: int | None = None
    overlapping: int | None = None

    @property
    def out_degree(self) -> float:
        """Edges a vertex, on average."""
        return self.edges / self.vertices if self.vertices else 0.0


@dataclass(frozen=True, slots=True)
class Supplied:
    """Vectors of passages that came with their texts.

    Parameters
    ----------
    passages : how many passages have one.
    sources : the files that they are from.
    probed, agreement : for so many of them, the mean cosine of the vector that was given and the
        one that the embedder of the index makes, in [-1, 1].
    """

    passages: int
    sources: tuple[str, ...]
    probed: int
    agreement: float


@dataclass(frozen=True, slots=True)
class ExtractionCounts:
    """How many passages have entities or triples from the file `source`, and how many they are."""

    source: str
    passages: int
    entities: int
    triples: int


@dataclass(frozen=True, slots=True)
class Meta:
    """One finished version. `versions` are the Lance versions of the tables that belong to it.

    `hub_limit` is the setting of the build, 0 for the automatic limit. `supplied` says which
    passages have vectors that `embedder` did not make, and `extraction` which have entities and
    triples from a file.
    """

    schema: int
    graph_version: str
    finished_at: str
    seconds: float
    chunking: str
    maker: str
    embedder: EmbedderInfo
    counts: Counts
    versions: dict[str, int]
    hub_limit: int = 0
    supplied: Supplied | None = None
    extraction: ExtractionCounts | None = None

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(content: str) -> "Meta":
        """What `to_json` wrote. ValueError if it is damaged."""
        meta = stored(Meta, content)
        moment(meta.finished_at)
        return meta


def require_finished(folder: Place) -> None:
    """Raise IndexMissing unless a build has finished in `folder`."""
    with reading(folder):
        finished = is_finished(folder, read_record(folder, PUBLISHED).record)
    if not finished:
        raise not_finished(folder)


def is_finished(folder: Place, published: Record | None) -> bool:
    """Return whether a build has finished in `folder`, by its record or its older table."""
    record = published or Record()
    return bool(record.content) or (not record.gone and is_made(folder, OLD_TABLE))


def not_finished(folder: Place) -> IndexMissing:
    """The error for an index that has not been built."""
    return IndexMissing(
        f"There is no finished index in {folder}. Build one: "
        f"python -m core build CORPUS... --index {folder}"
    )
