"""Metadata of a finished index: how, when and from what it was built."""

import json
from dataclasses import asdict, dataclass

from core.errors import IndexMissing
from core.places import Place
from core.store.database import is_made
from core.store.graph_limits import AUTOMATIC, GraphLimits
from core.store.integrity.damage import reading
from core.store.records.json_values import moment, stored
from core.store.records.record import PUBLISHED, Record, read_record
from core.types import EmbedderInfo

OLD_TABLE = "meta"
"""Holds a row for each finished version of an index that has no record of it yet."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of an index.

    Attributes
    ----------
    vertices : number of passages.
    dropped_edges : number of edges above the cap (HopRAG A.4).
    certified : share of out-questions whose match is certainly that of an exact search.
    hubs : number of names that more than `hub_limit` passages contain; they raise no questions.
    hub_names : the most frequent of these names.
    near_duplicates, overlapping : see `core.text.near_duplicates.RepeatCounts`; None if an
        earlier version built the index.
    """

    documents: int
    vertices: int
    edges: int
    dropped_edges: int
    in_coming: int
    out_coming: int
    questions: int
    text_length: float  # characters of a passage, on average
    short_in_coming: int  # passages with fewer in-questions than `GraphLimits.least_in`
    short_out_coming: int  # passages with fewer out-questions than `GraphLimits.least_out`
    fallbacks: int = 0  # passages whose questions the rules made, for want of a readable reply
    certified: float = 1.0
    hub_limit: int = 0
    hubs: int = 0
    hub_names: tuple[str, ...] = ()
    near_duplicates: int | None = None
    overlapping: int | None = None

    @property
    def out_degree(self) -> float:
        """The mean number of edges that leave a vertex."""
        return self.edges / self.vertices if self.vertices else 0.0


@dataclass(frozen=True, slots=True)
class Supplied:
    """Passage vectors that were supplied with the texts.

    Parameters
    ----------
    passages : number of passages with a supplied vector.
    sources : names of the files that supplied them.
    probed : number of passages that were also embedded, for comparison.
    agreement : mean cosine of supplied and computed vectors of these passages, in [-1, 1].
    """

    passages: int
    sources: tuple[str, ...]
    probed: int
    agreement: float


@dataclass(frozen=True, slots=True)
class ExtractionCounts:
    """Counts of the extracted entities and triples, and of passages with any.

    Parameters
    ----------
    source : name of the file, or of the model that extracted them.
    by_model : whether `source` is a model.
    """

    source: str
    passages: int
    entities: int
    triples: int
    by_model: bool = False

    @property
    def origin(self) -> str:
        """A phrase that follows 'entities and triples'."""
        return f"extracted by {self.source}" if self.by_model else f"from {self.source}"

    @property
    def model(self) -> str:
        """The name of the model that extracted them; empty if they are from a file."""
        return self.source if self.by_model else ""


@dataclass(frozen=True, slots=True)
class Meta:
    """Metadata of one finished version of an index.

    Attributes
    ----------
    versions : Lance version of each of its tables.
    hub_limit : the setting of the build, 0 for the automatic limit.
    limits : limits of the graph; automatic in an index that an earlier version built.
    supplied : passage vectors that `embedder` did not compute; None if there are none.
    extraction : entities and triples from a file or a model; None if rules extract them.
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
    limits: GraphLimits = AUTOMATIC

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(content: str) -> "Meta":
        """Return the metadata that `to_json` wrote; raise ValueError if it is damaged."""
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
    """Check whether a build has finished in `folder`, by its record or its older table."""
    record = published or Record()
    return bool(record.content) or (not record.gone and is_made(folder, OLD_TABLE))


def not_finished(folder: Place) -> IndexMissing:
    """Return the error for an index that has not been built."""
    return IndexMissing(
        f"There is no finished index in {folder}. Build one: "
        f"python -m core build CORPUS... --index {folder}"
    )
