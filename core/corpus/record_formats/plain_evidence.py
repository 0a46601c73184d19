"""Evidence in plain records: texts, or objects that also name a document, a hop and a grade."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from core.corpus.file_contents import Row, id_of
from core.corpus.gold.given_evidence import without_repeats
from core.corpus.record_formats import field_names
from core.corpus.record_formats.base import Unreadable
from core.corpus.record_formats.values import CONTEXTS, NEVER, as_list, given_id, grade_of
from core.text.clean import one_line
from core.text.scripts import is_unspaced
from core.types import Evidence, EvidenceKind

_TEXTS: Mapping[str, EvidenceKind] = {
    "text": "fact",
    "fact": "fact",
    "sentence": "sentence",
    "span": "span",
    "paragraph": "paragraph",
    "passage": "paragraph",
    "content": "paragraph",
}
_IDS = tuple(name for name in field_names.IDS if name not in ("id", "_id", "qid", "query_id"))
_KEPT = "document"
"""The field that an export always writes: an empty one says that the document is unknown."""
_DOCUMENTS = (_KEPT, *_IDS, "id", "_id", "url", "title", "source")
_GRADES = ("grade", "relevance")
_MOST_HOPS = 1000


@dataclass(frozen=True, slots=True)
class Found:
    """The evidence of a record; `links` and `remarks` are as in a `Piece`."""

    evidence: tuple[Evidence, ...] = ()
    links: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def evidence_of(row: Row, gold: Sequence[str]) -> Found:
    """Return the evidence of a question's record.

    A field without texts is left out with a remark, since its name may mean anything.

    Parameters
    ----------
    gold : the gold ids of the record. If there is only one id, it is the document of all evidence
        that names none.
    """
    reading = _Reading(gold[0] if len(gold) == 1 else "")
    for key, value in field_names.filled_fields(row, field_names.EVIDENCE):
        reading.add(key, value)
    for _, value in field_names.filled_fields(row, (CONTEXTS,)):
        texts = [one_line(each) for each in as_list(value, NEVER) if isinstance(each, str)]
        # A context is its own reference: gold is looked up by its text too.
        reading.found += [Evidence(text, "paragraph", text) for text in texts if text]
    return Found(without_repeats(reading.found), reading.links, tuple(reading.remarks))


class _Reading:
    """Collects the evidence of one record."""

    def __init__(self, document: str) -> None:
        self.found: list[Evidence] = []
        self.links: dict[str, tuple[str, ...]] = {}
        self.remarks: list[str] = []
        self._document = document

    def add(self, key: str, value: object) -> None:
        """Collect the evidence of one field: texts as they are, objects by their fields."""
        for item in as_list(value, NEVER):
            match item:
                case str() if _is_text(item):
                    self.found.append(Evidence(one_line(item), document=self._document))
                case Mapping():
                    self.found += self._evidence_of_object(key, item)
                case _ if not field_names.is_empty(item):
                    self._remark_no_text(key)

    def _evidence_of_object(self, key: str, item: Mapping[str, Any]) -> Iterator[Evidence]:
        """Yield the evidence of an object; nothing, if its grade is 0 or less."""
        text, kind = _text(item)
        named = _document(item)
        if not text and not named:
            self._remark_no_text(key)
            return
        if named and (title := _value(item, ("title",))) and named == _value(item, ("url",)):
            self.links[named] = (title,)
        grade = self._grade(key, item)
        if grade <= 0:  # judged as not relevant
            return
        given = _value(item, ("kind",))
        known = field_names.has(item, (_KEPT,))
        yield Evidence(
            text,
            kind=next((each for each in get_args(EvidenceKind) if each == given), kind),
            document=named or ("" if known else self._document),
            hop=_hop(field_names.value(item, ("hop",))),
            asks=_value(item, ("asks",)),
            answer=_value(item, ("answer",)),
            grade=grade,
            by=_value(item, ("by",)),
            alternatives=tuple(
                one_line(each)
                for each in as_list(field_names.value(item, ("alternatives",)), NEVER)
                if isinstance(each, str)
            ),
        )

    def _grade(self, key: str, item: Mapping[str, Any]) -> float:
        """Return the grade of an item; 1 if it has none or none that is a number."""
        value = field_names.value(item, _GRADES)
        try:
            return grade_of(value) if isinstance(value, str | int | float) else 1.0
        except Unreadable:
            self.remarks.append(f"'{key}' has a grade that is not a number, so it counts as 1")
            return 1.0

    def _remark_no_text(self, key: str) -> None:
        self.remarks.append(f"'{key}' contains values other than texts, which were ignored")


def _is_text(value: str) -> bool:
    """Return whether a value is running text rather than a label or an id."""
    return len(value.split()) > 1 or is_unspaced(value)


def _text(item: Mapping[str, Any]) -> tuple[str, EvidenceKind]:
    """Return the text of an item; a whole document has none yet (`core.corpus.gold.linking`)."""
    for key, value in field_names.filled_fields(item, tuple(_TEXTS)):
        if isinstance(value, str) and (text := one_line(value)):
            return text, _TEXTS[field_names.folded_name(key)]
    return "", "paragraph"


def _document(item: Mapping[str, Any]) -> str:
    """Return the id or name of the document that an item names; empty if it names none."""
    return next(
        (
            name
            for _, value in field_names.filled_fields(item, _DOCUMENTS)
            if (name := id_of(given_id(value)))
        ),
        "",
    )


def _value(item: Mapping[str, Any], names: Sequence[str]) -> str:
    return id_of(field_names.value(item, names))


def _hop(value: object) -> int:
    """Return a hop from 1 to 1000; 0 for any other value."""
    try:
        hop = int(value) if isinstance(value, str | int | float) else 0
    except (ValueError, OverflowError):
        return 0
    return hop if 0 < hop <= _MOST_HOPS else 0
