"""What a file brings, as lines of JSON: how it comes out of the process that reads it.

JSON can run nothing, and whoever takes a line believes nothing of it but its types. Each line is a
list that begins with a word.

| line | meaning |
| --- | --- |
| begin, name, bytes | a file, or one inside an archive, is read from now on |
| document, query, judgement, link, retrieved | a part of it |
| evidence | a part of the last query |
| embedding | the vector of the last document |
| vector | that of a document of another file |
| read, name, format, merges, notes, tally | it has ended, and these are its last words |
| rejected, name, reason | it has ended, and what came of it does not count |
| done | there is no more in what was asked for |
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
"""A file, or one inside an archive, by the name that the user knows, and what came of it."""

DONE = ("done",)
_KINDS: tuple[EvidenceKind, ...] = get_args(EvidenceKind)


def line(*words: Any) -> bytes:
    """One line of JSON."""
    return json.dumps(words).encode() + b"\n"


def lines(name: str, piece: Contents | FileRejected) -> Iterator[bytes]:
    """Yield a piece, all of it."""
    if isinstance(piece, FileRejected):
        yield line("rejected", piece.name, piece.reason)
        return
    for kind, documents in (("document", piece.documents), ("retrieved", piece.retrieved)):
        for made in documents:
            words = (made.id, made.title, made.text, made.source, dict(made.metadata))
            yield line(kind, *words, layout_to_json(made.layout))
            if made.vector:
                yield line("embedding", b64encode(made.vector).decode())
    for asked in piece.queries:
        about = (asked.id, asked.text, asked.answers, asked.gold)
        labels = (asked.type, asked.dataset, asked.origin)
        more = (dict(asked.fields), dict(asked.grades), dict(asked.details))
        yield line("query", *about, *labels, *more)
        for each in asked.evidence:
            texts = (each.text, each.asks, each.answer, each.alternatives)
            yield line("evidence", *texts, each.kind, each.document, each.hop, each.grade, each.by)
    for pair in piece.judgements:
        yield line("judgement", *pair)
    for reference, others in piece.links.items():
        yield line("link", reference, others)
    for vector in piece.vectors:
        yield line("vector", b64encode(vector).decode())
    yield line("read", name, piece.format, piece.merges, piece.notes, dict(piece.tally))


class Taking:
    """Lines to pieces. `name` is what is read now, empty between two pieces; `bytes` its size."""

    def __init__(self) -> None:
        self.name = ""
        self.bytes = 0
        self.done = False
        self._forget()

    def take(self, text: bytes) -> Piece | None:
        """Return the piece that ends with this line, if one does.

        Raises
        ------
        ValueError : it is no such line.
        """
        match json.loads(text, parse_constant=_refuse):
            case ["begin", str(name), int(size)]:
                self.name, self.bytes = name, size
                self._forget()
            case ["document", str(a), str(b), str(c), str(d), dict(metadata), dict(layout)]:
                self._documents.append(
                    Document(a, b, c, d, _plain(metadata), layout_from_json(layout))
                )
            case ["embedding", str(vector)] if self._documents:
                held = self._documents[-1]
                self._documents[-1] = replace(held, vector=b64decode(vector, validate=True))
            case ["vector", str(vector)]:
                self._vectors.append(b64decode(vector, validate=True))
            case ["retrieved", str(a), str(b), str(c), str(d), dict(metadata), dict(layout)]:
                self._retrieved.append(
                    Document(a, b, c, d, _plain(metadata), layout_from_json(layout))
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
                last = self._contents(kind, merges, _texts(notes), _numbers(tally))
                return self._ended(name, last)
            case ["rejected", str(name), str(reason)]:
                return self._ended(name, FileRejected(name, reason))
            case ["done"]:
                self.done = True
            case _:
                raise ValueError("not a record written by the reader")
        return None

    def _contents(
        self, kind: str, merges: bool, notes: tuple[str, ...], tally: Mapping[str, int]
    ) -> Contents:
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

    def _ended(self, name: str, outcome: Contents | FileRejected) -> Piece:
        self.name = ""
        self._forget()
        return name, outcome

    def _forget(self) -> None:
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
    match rest:
        case [str(kind), str(dataset), str(origin), dict(fields), dict(grades), dict(details)]:
            if not all(isinstance(grade, int | float) for grade in grades.values()):
                raise ValueError("a grade is not a number")
            kept = {name: _texts(texts) for name, texts in details.items()}
            plain = _plain(fields)
            return Query(name, text, answers, gold, kind, dataset, origin, plain, grades, kept)
        case _:
            raise ValueError("not a question")


def _evidence(words: list[object]) -> Evidence:
    match words:
        case [str(text), str(asks), str(answer), list(others), given, str(place), int(hop), *rest]:
            grade, by = rest
            kind = next((each for each in _KINDS if each == given), None)
            if kind is None or not isinstance(grade, int | float):
                raise ValueError("unknown kind or grade of evidence")
            held = Evidence(text, kind, place, hop, asks, answer, float(grade), str(by))
            return replace(held, alternatives=_texts(others))
        case _:
            raise ValueError("not a piece of evidence")


def _texts(values: list[object]) -> tuple[str, ...]:
    texts = tuple(value for value in values if isinstance(value, str))
    if len(texts) < len(values):
        raise ValueError("not all values are strings")
    return texts


def _numbers(tally: dict[str, Any]) -> Mapping[str, int]:
    if not all(isinstance(number, int) for number in tally.values()):
        raise ValueError("a tally contains something other than numbers")
    return tally


def _plain(metadata: dict[str, Any]) -> Mapping[str, Any]:
    if not all(isinstance(value, str | int | float | None) for value in metadata.values()):
        raise ValueError("metadata contains something other than plain values")
    return metadata


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not valid JSON")
