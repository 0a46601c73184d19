"""The things HopRAG Explorer is about: documents, passages, questions, edges, hits.

Standard library only; every other module may import this one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Direction = Literal["in", "out"]
"""`in`: answered by its passage (r-, in-coming). `out`: raised by it (r+, out-coming)."""

Metadata = Mapping[str, str | int | float | bool | None]


@dataclass(frozen=True, slots=True)
class Section:
    """The text under a heading, which starts at character `start` of its document.

    `path` is the heading with those above it, the outermost first; it is empty before the first
    heading.
    """

    start: int
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """The starts of the parts of a document's text, in order. Headings are not part of the text.

    `pages` are the first character of each page that has text, and its number from 1.
    """

    sections: tuple[Section, ...] = ()
    pages: tuple[tuple[int, int], ...] = ()


PLAIN = Layout()


@dataclass(frozen=True, slots=True)
class Document:
    """One text as it was given. `source` names the file it came from, `id` is stable.

    `vector` is its embedding, where its file has one: unit-norm little-endian float32 numbers.
    """

    id: str
    title: str
    text: str
    source: str = ""
    metadata: Metadata = field(default_factory=dict)
    layout: Layout = PLAIN
    vector: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class Passage:
    """A vertex of the graph: one chunk of a document. `position` counts from 0 within it.

    `name` is what it is called where its title says more, as 'Selby' of 'Ports: Selby (page 3)'.
    It is known while a document is cut; an index has all names in one place (`Index.names`).
    """

    id: str
    document_id: str
    position: int
    title: str
    text: str
    name: str = ""


EvidenceKind = Literal["fact", "sentence", "span", "paragraph"]
"""What a data set gives as evidence. A `paragraph` may hold more than the question needs: when it
is split, one of its passages is enough. All of any other kind is needed."""

MatchStep = Literal["", "exact", "normalised", "fuzzy", "split", "answer", "paragraph", "not found"]
"""How evidence was mapped to passages (`core.evidence.matching`); empty before it is mapped."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A text that a question needs, and the passages of an index that contain it.

    Parameters
    ----------
    text : the fact, sentence, span or paragraph.
    document : id of the document that holds it; empty if that is unknown.
    hop : its position in the reasoning chain, from 1; 0 if the data set gives none.
    asks, answer : the sub-question of that hop and its answer.
    grade : its relevance, at least 0; nDCG gains by it.
    by : who supplied it, if not the data set.
    step : how it was mapped to passages.
    score : similarity of a fuzzy match, in [0, 100].
    parts : ids of passages. One passage of each part is needed: the passages within a part hold
        the same text; several parts are evidence that is split across passages.
    alternatives : other texts, any of which is enough instead, as other annotators' answers.
    """

    text: str
    kind: EvidenceKind = "fact"
    document: str = ""
    hop: int = 0
    asks: str = ""
    answer: str = ""
    grade: float = 1.0
    by: str = ""
    step: MatchStep = ""
    score: float = 0.0
    parts: tuple[tuple[str, ...], ...] = ()
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """A question a user asks; `gold` names the passages or documents that answer it, if known.

    `evidence` are the texts that it needs, where its file gives them; `gold` then names their
    documents. `fields` are the short values that its file has besides; an index does not keep them.
    `grades` are the relevance grades of gold ids, which are 1 unless they are named here. `details`
    are the lists and longer texts of its file by name, such as spans or reference contexts.
    `marked` are texts that people marked as gold, by their ids in `gold`.
    """

    id: str
    text: str
    answers: tuple[str, ...] = ()
    gold: tuple[str, ...] = ()
    type: str = ""
    dataset: str = ""
    origin: str = ""
    fields: Metadata = field(default_factory=dict, compare=False)
    grades: Mapping[str, float] = field(default_factory=dict, compare=False)
    details: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False)
    evidence: tuple[Evidence, ...] = field(default=(), compare=False)
    marked: Mapping[str, Evidence] = field(default_factory=dict, compare=False)

    @property
    def unanswerable(self) -> bool:
        """Whether its file says that it has no answer: to abstain is right then."""
        return self.details.get("answerable") == ("no",)

    @property
    def hops(self) -> int:
        """Number of hops: as stated in its file, else the number of its gold ids."""
        said = str(self.fields.get("hops", ""))
        return int(said) if said.isdecimal() else len(self.gold)

    @property
    def is_answer_known(self) -> bool:
        """Whether an answer can be scored: it is given, or there is none."""
        return bool(self.answers) or self.unanswerable


@dataclass(frozen=True, slots=True)
class PseudoQuery:
    """A question made for one passage (HopRAG 3.2).

    `keywords` is NER(text), sorted; `evidence` is the sentence it was made from;
    `maker` is `rules` or the name of a model.
    """

    id: str
    passage_id: str
    direction: Direction
    text: str
    keywords: tuple[str, ...]
    maker: str
    evidence: str


@dataclass(frozen=True, slots=True)
class Edge:
    """A directed edge: an out-coming question of `source` met an in-coming one of `target`.

    `similarity` is SIM (Eq. 1), the mean of `jaccard` in [0, 1] and `cosine` in [-1, 1].
    `question` is the in-coming question as it is shown and `keywords` the union of both sides.
    """

    id: str
    source: str
    target: str
    out_query_id: str
    in_query_id: str
    question: str
    keywords: tuple[str, ...]
    jaccard: float
    cosine: float
    similarity: float


@dataclass(frozen=True, slots=True)
class Part:
    """A named addend of a score, already weighted: a score is the sum of its parts."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Hit:
    """A ranked passage. Higher is better; `score` is the sum of `parts`."""

    passage_id: str
    score: float
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class EmbedderInfo:
    """The identity of an embedder. `fingerprint` is the SHA-256 of the weights, or the hub's name.

    `version` is of the vector that a server gives a fixed text: it tells whether another model has
    the same name. It is empty for a model of this machine.
    """

    name: str
    fingerprint: str
    dimension: int
    precision: str
    version: str = ""
