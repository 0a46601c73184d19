"""Fields of documents, such as source and date, and the passages with each of their values."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.artefacts.base import Artefact, Bench, Tables
from core.text.dates import Span, span_of

Numbers = NDArray[np.int64]
FILE = "file"
"""The field of where a document was read from, which every document has."""
_NONE = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """A field by its name; `values` are those that not all passages have, each as one line, with
    the numbers of the passages that do, most passages first.

    `days` are the same values where they are dates, empty of another field.
    """

    name: str
    values: Mapping[str, Numbers]
    days: Mapping[str, Span]

    def passages_with(self, text: str) -> Numbers:
        """Return the passages whose value equals `text`, ignoring case."""
        wanted = _plain(text)
        return _all_of(have for value, have in self.values.items() if _plain(value) == wanted)

    def within(self, span: Span) -> Numbers:
        """Return the passages with a date in `span`."""
        return _all_of(self.values[value] for value, day in self.days.items() if day.meets(span))


@dataclass(frozen=True, slots=True, eq=False)
class Fields:
    """The fields whose values differ between passages, by name; `passages` is their number."""

    passages: int
    by_name: Mapping[str, Field]


def _open(bench: Bench, _: Tables) -> Fields:
    """Collect the values of each field that only some of the passages have."""
    index = bench.index
    passages: defaultdict[str, list[int]] = defaultdict(list)
    document_ids = index.tables.select("passages", ["document_id"])["document_id"].to_pylist()
    for number, document_id in enumerate(document_ids):
        passages[document_id].append(number)
    passages_by_value: defaultdict[str, defaultdict[str, list[int]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for document in index.documents:
        numbers = passages[document.id]
        for name, value in {FILE: document.source, **document.metadata}.items():
            if text := _one_line(value):
                passages_by_value[name][text] += numbers
    count = len(index.passages)
    fields = (_field(name, values, count) for name, values in sorted(passages_by_value.items()))
    return Fields(count, {field.name: field for field in fields if field.values})


def _field(name: str, found: Mapping[str, list[int]], count: int) -> Field:
    """Build a field with its values, most frequent first, without values of all passages."""
    narrowing = {value: numbers for value, numbers in found.items() if 0 < len(numbers) < count}
    order = sorted(narrowing, key=lambda value: (-len(narrowing[value]), value))
    values = {value: np.array(sorted(narrowing[value]), np.int64) for value in order}
    return Field(name, values, _days(name, order))


def _days(name: str, values: Iterable[str]) -> dict[str, Span]:
    """Parse all `values` as dates; return an empty dict unless all of them are dates.

    Four digits count as a year only if the name of the field says so.
    """
    spans = {}
    for value in values:
        span = span_of(value)
        if not span or (value.isdigit() and not {"year", "date"} & set(name.casefold().split())):
            return {}
        spans[value] = span
    return spans


def _one_line(value: object) -> str:
    if value is None:
        return ""
    return " ".join((str(value).lower() if isinstance(value, bool) else str(value)).split())


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _all_of(parts: Iterable[Numbers]) -> Numbers:
    return np.unique(np.concatenate([_NONE, *parts]))


FIELDS = Artefact(
    "fields",
    "The documents' fields, such as source and date, and which passages have which value.",
    _open,
)
