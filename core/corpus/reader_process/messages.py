"""The contents of a file as lines of JSON, which the reader process sends to the server.

JSON cannot execute code, and the parser checks the type of each value. Each line is a list that
begins with a word.

| line | meaning |
| --- | --- |
| begin, name, bytes | a file, or one inside an archive, is read next |
| document, query, judgement, link, retrieved | a part of that file |
| evidence | a part of the last query |
| embedding | the vector of the last document |
| vector | the vector of a document of another file |
| read, name, format, merges, notes, tally | the end of a file, with its format and notes |
| rejected, name, reason | the end of a refused file; its parts are discarded |
| done | the end of the request |
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NoReturn, get_args

from core.corpus.file_contents import Contents, Judgement
from core.corpus.layout import layout_from_json, layout_to_json
from core.errors import FileRejected
from core.types import Document, Evidence, EvidenceKind, Query

Piece = tuple[str, Contents | FileRejected]
"""The display name of a file, or of a file in an archive, and its contents or its rejection."""

DONE = ("done",)
_KINDS: tuple[EvidenceKind, ...] = get_args(EvidenceKind)


def line(*words: Any) -> bytes:
    """Encode `words` as one line of JSON."""
    return json.dumps(words).encode() + b"\n"


def lines(name: str, piece: Contents | FileRejected) -> Iterator[bytes]:
    """Yield the lines that describe a piece completely."""
    if isinstance(piece, FileRejected):
        yield line("rejected", piece.name, piece.reason)
        return
    for kind, documents in (("document", piece.documents), ("retrieved", piece.retrieved)):
        for made in documents:
            words = (made.id, made.title, made.text, made.source, dict(made.metadata))
            yield line(kind, *words, layout_to_json(made.layout))
            if made.vector:
                yield line("embedding", b64encode(made.vector).decode())
    for query in piece.queries:
        about = (query.id, query.text, query.answers, query.gold)
        labels = (query.type, query.dataset, query.origin)
        more = (dict(query.fields), dict(query.grades), dict(query.details))
        yield line("query", *about, *labels, *more)
        for each in query.evidence:
            texts = (each.text, each.asks, each.answer, each.alternatives)
            yield line("evidence", *texts, each.kind, each.document, each.hop, each.grade, each.by)
    for pair in piece.judgements:
        yield line("judgement", *pair)
    for reference, others in piece.links.items():
        yield line("link", reference, others)
    for vector in piece.vectors:
        yield line("vector", b64encode(vector).decode())
    yield line("read", name, piece.format, piece.merges, piece.notes, dict(piece.tally))


class MessageParser:
    """Parses lines to pieces. `name` is the file being read, or empty; `bytes` its size."""

    def __init__(self) -> None:
        self.name = ""
        self.bytes = 0
        self.done = False
        self._discard_parts()

    def take(self, text: bytes) -> Piece | None:
        """Parse one line; return a piece if the line ends it, else None.

        Raises
        ------
        ValueError : the line does not fit the table above.
        """
        match json.loads(text, parse_constant=_refuse):
            case ["begin", str(name), int(size)]:
                self.name, self.bytes = name, size
                self._discard_parts()
            case ["document", str(a), str(b), str(c), str(d), dict(metadata), dict(layout)]:
                self._documents.append(
                    Document(a, b, c, d, _checked_metadata(metadata), layout_from_json(layout))
                )
            case ["embedding", str(vector)] if self._documents:
                document = self._documents[-1]
                self._documents[-1] = replace(document, vector=b64decode(vector, validate=True))
            case ["vector", str(vector)]:
                self._vectors.append(b64decode(vector, validate=True))
            case ["retrieved", str(a), str(b), str(c), str(d), dict(metadata), dict(layout)]:
                self._retrieved.append(
                    Document(a, b, c, d, _checked_metadata(metadata), layout_from_json(layout))
                )
            case ["query", str(a), str(b), list(answers), list(gold), *rest]:
                self._queries.append(_query(a, b, _texts(answers), _texts(gold), rest))
            case ["evidence", *words] if self._queries:
                self._evidence.setdefault(len(self._queries) - 1, []).append(_evidence(words))
            case ["judgement", str(query), str(document), int(grade) | float(grade)]:
                self._judgements.append((query, document, float(grade)))
            case ["link", str(name), list(others)]:
                self._links[name] = _texts(others)
            case ["read", str(name), str(kind), bool(merges), list(notes), dict(tally)]:
                last = self._contents(kind, merges, _texts(notes), _checked_tally(tally))
                return self._finished_piece(name, last)
            case ["rejected", str(name), str(reason)]:
                return self._finished_piece(name, FileRejected(name, reason))
            case ["done"]:
                self.done = True
            case _:
                raise ValueError("not a record written by the reader")
        return None

    def _contents(
        self, kind: str, merges: bool, notes: tuple[str, ...], tally: Mapping[str, int]
    ) -> Contents:
        """Return the parts collected so far as the contents of a file."""
        return Contents(
            kind,
            self._documents,
            self._with_evidence(),
            self._judgements,
            self._links,
            merges,
            self._retrieved,
            notes,
            tally,
            self._vectors,
        )

    def _with_evidence(self) -> list[Query]:
        for number, evidence in self._evidence.items():
            self._queries[number] = replace(self._queries[number], evidence=tuple(evidence))
        return self._queries

    def _finished_piece(self, name: str, outcome: Contents | FileRejected) -> Piece:
        self.name = ""
        self._discard_parts()
        return name, outcome

    def _discard_parts(self) -> None:
        """Discard the collected parts, so that the next file starts empty."""
        self._documents: list[Document] = []
        self._retrieved: list[Document] = []
        self._queries: list[Query] = []
        self._evidence: dict[int, list[Evidence]] = {}
        self._judgements: list[Judgement] = []
        self._links: dict[str, tuple[str, ...]] = {}
        self._vectors: list[bytes] = []


def _query(
    name: str, text: str, answers: tuple[str, ...], gold: tuple[str, ...], rest: list[object]
) -> Query:
    """Parse the fields of a question line; raise ValueError if they do not fit."""
    match rest:
        case [str(kind), str(dataset), str(origin), dict(fields), dict(grades), dict(details)]:
            if not all(isinstance(grade, int | float) for grade in grades.values()):
                raise ValueError("a grade is not a number")
            kept = {name: _texts(texts) for name, texts in details.items()}
            plain = _checked_metadata(fields)
            return Query(name, text, answers, gold, kind, dataset, origin, plain, grades, kept)
        case _:
            raise ValueError("not a question")


def _evidence(words: list[object]) -> Evidence:
    """Parse the fields of an evidence line; raise ValueError if they do not fit."""
    match words:
        case [str(text), str(asks), str(answer), list(others), given, str(place), int(hop), *rest]:
            grade, by = rest
            kind = next((each for each in _KINDS if each == given), None)
            if kind is None or not isinstance(grade, int | float):
                raise ValueError("unknown kind or grade of evidence")
            evidence = Evidence(text, kind, place, hop, asks, answer, float(grade), str(by))
            return replace(evidence, alternatives=_texts(others))
        case _:
            raise ValueError("not a piece of evidence")


def _texts(values: list[object]) -> tuple[str, ...]:
    """Return a list as a tuple of strings; raise ValueError for other values."""
    texts = tuple(value for value in values if isinstance(value, str))
    if len(texts) < len(values):
        raise ValueError("not all values are strings")
    return texts


def _checked_tally(tally: dict[str, Any]) -> Mapping[str, int]:
    if not all(isinstance(number, int) for number in tally.values()):
        raise ValueError("a tally contains something other than numbers")
    return tally


def _checked_metadata(metadata: dict[str, Any]) -> Mapping[str, Any]:
    if not all(isinstance(value, str | int | float | None) for value in metadata.values()):
        raise ValueError("metadata contains something other than plain values")
    return metadata


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not valid JSON")
