"""Entities and triples that were extracted elsewhere, read from a file.

Two shapes are read: HippoRAG's OpenIE results, `{"docs": [{title, text, passage, idx,
extracted_entities, extracted_triples}]}`, and lists of entities, JSON Lines of `{passage, entities,
triples}`, where `passage` is an id, a title, or a hash of the text, or where `text` has the text.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.corpus.artefact_files import artefact_records
from core.corpus.text_cleaning import readable
from core.errors import FileRejected
from core.text.clean import one_line
from core.types import Passage

Triple = tuple[str, str, str]
MOST = 1_000  # entities, and triples, of a passage
LONGEST = 500  # characters of an entity, and of each part of a triple
_ENTITIES = ("extracted_entities", "entities")
_TRIPLES = ("extracted_triples", "triples")
_IDS = ("id", "passage_id", "idx", "hash")
_SHAPE = "records need a passage (id, title or hash of the text) or a text, and entities or triples"


@dataclass(frozen=True, slots=True)
class Extracted:
    """The entities and triples extracted from a passage.

    Parameters
    ----------
    names : ids, titles or hashes of the passage.
    texts : forms of its text, with or without a title.
    """

    names: tuple[str, ...]
    texts: tuple[str, ...]
    entities: tuple[str, ...]
    triples: tuple[Triple, ...]


@dataclass(frozen=True, slots=True)
class Extraction:
    """The entities and triples of all passages.

    Parameters
    ----------
    source : name of the file, or of the model that extracted them.
    left_out : triples of a file that have not three texts.
    by_model : whether `source` is a model.
    """

    source: str
    records: tuple[Extracted, ...]
    left_out: int = 0
    by_model: bool = False


NO_EXTRACTION = Extraction("", ())
Extract = Callable[[Sequence[Passage], Callable[[int], None]], Extraction]
"""Extracts from passages, and calls a function with the number of passages done since its last
call."""


def read_extraction(path: Path, name: str = "") -> Extraction:
    """Read a file of entities and triples.

    Parameters
    ----------
    name : what the user calls the file, if not by its own name.

    Raises
    ------
    FileRejected : it is no such file, or too large; the message names the record.
    """
    name = name or path.name
    left_out: Counter[str] = Counter()
    records = tuple(
        _record(row, f"record {number:,}", name, left_out)
        for number, row in enumerate(artefact_records(path, name), start=1)
    )
    if not any(one.entities or one.triples for one in records):
        raise FileRejected(name, f"it contains no entities or triples; {_SHAPE}")
    return Extraction(name, records, left_out["triples"])


def _record(row: Mapping[str, Any], where: str, name: str, left_out: Counter[str]) -> Extracted:
    """Parse one row of an extraction file; count what it leaves out in `left_out`."""
    given = _texts(row, ("passage", "text", "contents"))
    title = "".join(_texts(row, ("title",)))
    names = (*_texts(row, _IDS), *given[:1], title)
    texts = (*given, *(f"{title} {text}" for text in given if title))
    if not any(names) or not any(key in row for key in (*_ENTITIES, *_TRIPLES)):
        raise FileRejected(name, f"{where} does not fit; {_SHAPE}")
    entities = [_text(value) for value in _list_of(row, _ENTITIES, where, name)]
    parts = [_triple(value) for value in _list_of(row, _TRIPLES, where, name)]
    triples = [triple for triple in parts if triple]
    left_out["triples"] += len(parts) - len(triples)
    return Extracted(
        tuple(filter(None, names)),
        texts,
        tuple(dict.fromkeys(filter(None, entities))),
        tuple(dict.fromkeys(triples)),
    )


def _texts(row: Mapping[str, Any], keys: Sequence[str]) -> list[str]:
    values = (row.get(key) for key in keys)
    texts = (readable(str(value)).strip() for value in values if isinstance(value, str | int))
    return list(filter(None, texts))


def _list_of(
    row: Mapping[str, Any], keys: Sequence[str], where: str, name: str
) -> Sequence[object]:
    """Return the list under the first of `keys` that has a value; empty if none has."""
    key = next((key for key in keys if row.get(key) is not None), "")
    values = row[key] if key else []
    if not isinstance(values, list) or len(values) > MOST:
        raise FileRejected(name, f"{where}: '{key}' must be a list of at most {MOST:,} values")
    return values


def _text(value: object) -> str:
    """Return an entity, or nothing if it is no text or too long."""
    if isinstance(value, Mapping):
        value = value.get("text", value.get("name"))
    line = one_line(value) if isinstance(value, str) else ""
    return line if len(line) <= LONGEST else ""


def _triple(value: object) -> Triple | None:
    """Parse a triple; None without three parts, a subject and an object."""
    if not isinstance(value, list) or len(value) != 3:
        return None
    subject, predicate, object_ = map(_text, value)
    return (subject, predicate, object_) if subject and object_ else None
