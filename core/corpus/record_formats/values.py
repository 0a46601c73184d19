"""Values of records: texts, answers, gold with grades, and what else a question's record says."""

import ast
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from core.corpus.file_contents import Row, id_of, scalars, strings
from core.corpus.record_formats import field_names
from core.corpus.record_formats.base import Unreadable
from core.corpus.vectors.given_vectors import vector_of
from core.text.clean import clean, one_line

_SHORT, _SAID = 80, 20  # characters of a value by which questions may be told apart, and values
_INNER = ("value", "rendered", "#text", "$t", *field_names.TEXTS)
_GRADES = ("grade", "score", "relevance", "rel")
CONTEXTS = "reference_contexts"
"""Texts that answer a question of ragas; they may have any character in them."""
NEVER = r"(?!)"
"""A separator that no text has."""
_LONGEST_LIST = 200_000  # characters of a list that is written in one cell


def text_of(key: str, value: object) -> str:
    """Convert a value to text: a number, a list of texts (joined), or an object with a text."""
    match value:
        case None | bool():
            return ""
        case str():
            return value
        case int() | float():
            return str(value)
        case list() if all(isinstance(part, str) for part in value):
            return " ".join(value)
        case Mapping() if isinstance(inner := field_names.value(value, _INNER), str):
            return inner
        case Mapping():
            raise Unreadable(f"'{key}' is an object without a text; use a string")
    raise Unreadable(f"'{key}' is a list that contains more than strings; use a string")


def given_id(value: object) -> object:
    """Return an id unchanged; unwrap MongoDB's `{"$oid": ...}`."""
    return value.get("$oid") if isinstance(value, Mapping) and "$oid" in value else value


def given_vector(row: Row) -> bytes:
    """Return the vector that a record gives with its text, or nothing.

    Raises
    ------
    BadVector : it cannot be used.
    """
    key = field_names.key_of(row, field_names.VECTORS)
    value = row[key] if key is not None else None
    if isinstance(value, str):
        value = as_list(value, NEVER) if value.lstrip().startswith("[") else None
    if isinstance(value, str | float) or value in (None, []):  # pandas writes NaN for no list
        return b""
    return vector_of(value)


def as_list(value: object, separator: str) -> list[object]:
    """Return a value as a list; a text, such as a CSV cell, is parsed or split at `separator`.

    >>> as_list("['a', 'b']", "[|;]"), as_list('["a", 1]', "[|;]"), as_list("a; b", "[|;]")
    (['a', 'b'], ['a', 1], ['a', ' b'])
    """
    if not isinstance(value, str):
        return list(value) if isinstance(value, list | tuple) else [value]
    text = value.strip()
    if text[:1] == "[" and text[-1:] == "]" and len(text) <= _LONGEST_LIST:
        for read in (json.loads, ast.literal_eval):
            try:
                value_list = read(text)
            except (ValueError, SyntaxError, RecursionError, MemoryError):
                continue
            return list(value_list)
    return list(re.split(separator, value))


def answers_of(row: Row) -> tuple[str, ...]:
    """Return the different answers of a record, that of the field 'answer' first."""
    answers: list[str] = []
    for key, value in field_names.filled_fields(row, field_names.ANSWERS):
        plain = value.get("text") if isinstance(value, Mapping) else value  # SQuAD's
        many = isinstance(plain, list) or field_names.folded_name(key).endswith("s")
        items = as_list(plain, r"\|") if many else [plain]
        texts = [item.get("text") if isinstance(item, Mapping) else item for item in items]
        if not all(isinstance(text, str | int | float) for text in texts):
            raise Unreadable(f"'{key}' contains values other than strings and numbers")
        answers.extend(strings(texts))
    return tuple(dict.fromkeys(answers))


def gold_of(row: Row) -> tuple[tuple[str, ...], dict[str, float]]:
    """Return the distinct gold ids of a record, and the grades that are not 1."""
    gold: dict[str, float] = {}
    for key, value in field_names.filled_fields(row, field_names.GOLD):
        for name, grade in _ids_with_grades(key, value):
            if name and grade > 0:
                gold[name] = max(gold.get(name, 0.0), grade)
    return tuple(gold), {name: grade for name, grade in gold.items() if grade != 1}


def _ids_with_grades(key: str, value: object) -> Iterator[tuple[str, float]]:
    """Yield each id with its grade from a field of gold: a mapping, or a list of ids or objects."""
    if isinstance(value, Mapping):
        for name, grade in value.items():
            yield one_line(str(name)), _number(key, grade)
        return
    for item in as_list(value, NEVER if field_names.folded_name(key) == CONTEXTS else r"[|;]"):
        match item:
            case Mapping():
                name = field_names.value(item, (*field_names.IDS, *field_names.TITLES))
                grade = field_names.value(item, _GRADES)
                id_ = id_of(given_id(name))
                if not id_:
                    raise Unreadable(f"'{key}' contains an object without an id")
                yield id_, 1.0 if grade is None else _number(key, grade)
            case str() | int() | float():
                yield id_of(item), 1.0
            case None:
                continue
            case _:
                raise Unreadable(f"'{key}' contains a list inside a list; list the ids directly")


def _number(key: str, grade: object) -> float:
    if not isinstance(grade, str | int | float):
        raise Unreadable(f"'{key}' has an id whose grade is not a number")
    return grade_of(grade)


def grade_of(value: str | int | float) -> float:
    """Return a grade as a number; `Unreadable` if it is not finite."""
    try:
        grade = float(value)
    except ValueError:
        grade = math.nan
    if not math.isfinite(grade):
        raise Unreadable(f"{str(value)[:_SHORT]} is not a grade")
    return grade


def other_fields(
    row: Row, known: Iterable[str]
) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Return the other fields of a question's record: short values, and lists and longer texts.

    Parameters
    ----------
    known : lower-case names of the fields that are read elsewhere.
    """
    named = set(known)
    used = {key for key in row if field_names.folded_name(key) in named}
    values = {name: str(value) for name, value in scalars(row, used).items() if value is not None}
    short = {name: value for name, value in values.items() if 0 < len(value) <= _SHORT}
    fields = dict(islice(short.items(), _SAID))
    details = {
        one_line(str(key)): tuple(texts)
        for key, value in row.items()
        if isinstance(value, list | Mapping) and key not in used and (texts := all_texts(value))
    }
    details |= {
        name: (value,) for name, value in values.items() if value.strip() and name not in fields
    }
    return fields, details


def not_empty(details: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Return the details of a question that have at least one text."""
    return {name: texts for name, texts in details.items() if texts}


def all_texts(value: object) -> list[str]:
    """Return every text and number in `value`, however it is nested, in order."""
    texts: list[str] = []
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str() as text:
                texts.append(clean(text).strip())
            case Mapping() as inner:
                waiting.extend(reversed(list(inner.values())))
            case list() | tuple() as inner:
                waiting.extend(reversed(inner))
            case bool() as truth:
                texts.append("yes" if truth else "no")
            case int() | float() as number:
                texts.append(str(number))
    return [text for text in texts if text]
