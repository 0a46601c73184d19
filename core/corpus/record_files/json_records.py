"""Read JSON and JSON Lines as lists of records."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from core.corpus.encodings.decode import decode
from core.corpus.file_contents import Row
from core.corpus.omissions import count
from core.corpus.record_formats import field_names
from core.errors import FileRejected

_LISTS = ("docs", "documents", "passages", "corpus", "articles", "data", "rows", "questions")
_DOCSTORE = "docstore/data"
_DECODER = json.JSONDecoder(parse_constant=lambda _: None)


def json_records(data: bytes, name: str) -> list[Row]:
    """Return the records of a JSON file: an array, an object with records, or concatenated objects.

    Of an object that has records by id, as LightRAG's and LlamaIndex's stores, each record gets
    its id. `{title: [sentence, ...]}` (HippoRAG's HotpotQA corpus) gives a record a title.
    """
    value = _parse_json(decode(data, name), name)
    if isinstance(value, dict):
        value = _records_in(value)
    if not value:
        raise FileRejected(name, "it contains no records; it needs a list of objects")
    if all(isinstance(row, str) for row in value):
        return [{"text": row} for row in value]
    for number, row in enumerate(value, start=1):
        if not isinstance(row, dict):
            raise FileRejected(name, f"record {number} is not an object like {{id, title, text}}")
    return list(value)


def _parse_json(text: str, name: str) -> Any:
    """Parse JSON or JSON Lines; raise FileRejected, with the line, if it is invalid."""
    try:
        return _parse_values(text, name)
    except json.JSONDecodeError as error:
        raise FileRejected(name, f"invalid JSON in line {error.lineno}: {error.msg}") from error
    except RecursionError as error:
        raise FileRejected(name, "its JSON is nested too deeply") from error
    except ValueError as error:
        raise FileRejected(name, "invalid JSON: a number with thousands of digits") from error


def _parse_values(text: str, name: str) -> Any:
    """Parse a text as one JSON value, or as JSON Lines if there are several values."""
    try:
        value = _loads(text)
    except json.JSONDecodeError as error:
        # A second value behind the first whole one: an object a line.
        if error.msg != "Extra data" or "\n" not in text.strip():
            raise
        return _parse_lines(text, name)
    return value if isinstance(value, dict | list) else [value]


def _parse_lines(text: str, name: str) -> list[Any]:
    """Return the value of each line; of objects over several lines, one after another."""
    values = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            values.append(_loads(line))
        except json.JSONDecodeError as error:
            if line.rstrip().endswith(","):
                why = "remove the comma after the object"
            elif not values and (spread := _concatenated_values(text)) is not None:
                return spread
            else:
                why = f"{error.msg}. Each line must contain one complete object"
            raise FileRejected(name, f"invalid JSON in line {number}: {why}") from error
    return values


def _concatenated_values(text: str) -> list[Any] | None:
    """Return the values of a text of concatenated JSON, or None if it contains anything else."""
    return None if (values := list(_values(text)))[-1:] == [_BROKEN] else values


_BROKEN = object()


def _values(text: str) -> Iterator[Any]:
    """Yield the concatenated JSON values of a text, and `_BROKEN` where the text is invalid."""
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        try:
            value, at = _DECODER.raw_decode(text, at)
        except json.JSONDecodeError:
            yield _BROKEN
            return
        yield value


def _loads(text: str) -> Any:
    # NaN and Infinity are no JSON, yet pandas writes them for missing values.
    return json.loads(text, parse_constant=lambda _: None)


def _records_in(value: dict[str, Any]) -> list[Any]:
    """Return the records inside a JSON object: a docstore, a list field, or a mapping by id or
    title.
    """
    if isinstance(store := value.get(_DOCSTORE), dict):
        return _by_id(store)
    for key in _LISTS:
        if isinstance(value.get(key), list):
            count("field{s} beside the list of records left out", len(value) - 1)
            return list(value[key])
    if value and all(_is_sentences(item) for item in value.values()):
        return [{"title": title, "text": item} for title, item in value.items()]
    records = sum(map(_is_record, value.values()))
    if records and not _is_record(value) and 2 * records >= len(value):
        return _by_id(value)
    return [value]


def _is_sentences(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_record(value: object) -> bool:
    names = (*field_names.TEXTS, *field_names.QUESTIONS)
    return isinstance(value, Mapping) and field_names.has(value, names)


def _by_id(records: Mapping[str, Any]) -> list[Any]:
    """Return the records of a mapping from ids, each with its id as a field.

    Other values are left out and counted.
    """
    objects = {name: record for name, record in records.items() if isinstance(record, dict)}
    count("value{s} beside the records left out", len(records) - len(objects))
    return [
        record if _has_id(record) else {**record, "id": name} for name, record in objects.items()
    ]


def _has_id(record: Row) -> bool:
    return field_names.value(record, field_names.IDS) is not None
