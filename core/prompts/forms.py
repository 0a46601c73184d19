"""Schema of a reply, by which small deviations of a reply are corrected."""

import re
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, Field

from core.errors import ReplyUnreadable

LONGEST_TEXT = 4_000
"""Characters of a text in a reply: more than any honest reply has within its limit of tokens."""
_WHOLE = re.compile(r"[+-]?\d{1,9}(?:\.0*)?")
_SLOT = re.compile(r"\s*(?:[.…_?-]\s*)+|<[^<>\d]*\s[^<>\d]*>")
_NOT_FILLED_IN = "The reply repeats the form without filling it in."

Schema = Mapping[str, Any]


def at_most(items: int) -> Any:
    """Return a field whose list has at most so many `items`.

    Those of a reply that come after are cut.
    """
    return Field(json_schema_extra={"maxItems": items})


class Form:
    """The JSON schema of a type of reply.

    Structured output keeps to the bounds of a schema, and other replies are cut to them here.
    Texts, whose length not every server can bound, are cut to `LONGEST_TEXT` characters.
    """

    def __init__(self, reply: type[BaseModel]) -> None:
        self._schema = reply.model_json_schema()

    def filled(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """Return `found` with numbers and words as the schema has them, and within its bounds.

        A slot that was left empty in a list, such as `...`, is an empty text there, so that the
        items behind it stay in their places.

        Raises
        ------
        ReplyUnreadable : a text, or every item of a list, is such a slot.
        """
        properties = self._schema.get("properties", {})
        for name, value in found.items():
            if isinstance(value, str) and is_slot(value) and self._is_text(properties.get(name)):
                raise ReplyUnreadable(_NOT_FILLED_IN)
        return self._settled_object(found, properties)

    def _is_text(self, schema: Schema | None) -> bool:
        kinds = self._kinds(schema or {})
        return any(kind.get("type") == "string" and "enum" not in kind for kind in kinds)

    def _settled_object(self, found: Mapping[str, Any], properties: Schema) -> dict[str, Any]:
        """Correct each field of a reply by its schema; fields that the schema lacks are kept."""
        return {
            str(name): self._settled(value, properties.get(name, {}))
            for name, value in found.items()
        }

    def _settled(self, value: Any, schema: Schema) -> Any:
        """Convert a value of a reply to the types of its schema where the meaning is clear."""
        kinds = self._kinds(schema)
        words = [word for kind in kinds for word in kind.get("enum", _constant(kind))]
        types = {kind.get("type") for kind in kinds}
        if isinstance(value, list) and "array" in types:
            return self._listed(value, kinds)
        if isinstance(value, dict) and "object" in types:
            properties = next(kind for kind in kinds if kind.get("type") == "object")
            return self._settled_object(value, properties.get("properties", {}))
        if "null" in types and isinstance(value, str) and value.strip().casefold() == "null":
            return None
        if "integer" in types:
            return _number(value)
        if isinstance(value, str):
            return _word(value, words) if words else value[:LONGEST_TEXT]
        return value

    def _listed(self, values: list[Any], kinds: list[Schema]) -> list[Any]:
        """Convert the items of a list; raise ReplyUnreadable if all are unfilled slots."""
        kind = next(kind for kind in kinds if kind.get("type") == "array")
        empty = [isinstance(value, str) and is_slot(value) for value in values]
        if values and all(empty):
            raise ReplyUnreadable(_NOT_FILLED_IN)
        filled = ["" if slot else value for value, slot in zip(values, empty, strict=True)]
        items, most = kind.get("items", {}), kind.get("maxItems", len(values))
        # One more than there may be, so that a reader that has to refuse too many can.
        return [self._settled(value, items) for value in filled[: most + 1]]

    def _kinds(self, schema: Schema) -> list[Schema]:
        """Return the alternative schemas of a value, with references resolved."""
        if "$ref" in schema:
            schema = self._schema["$defs"][schema["$ref"].rpartition("/")[2]]
        if "anyOf" in schema:
            return [kind for each in schema["anyOf"] for kind in self._kinds(each)]
        return [schema]


def is_slot(text: str) -> bool:
    """Return whether `text` only marks a place where something is to be written.

    >>> is_slot("..."), is_slot("<the question>"), is_slot("Who was Ada?"), is_slot("<main>")
    (True, True, False, False)
    """
    return bool(_SLOT.fullmatch(text))


def _constant(kind: Schema) -> list[Any]:
    return [kind["const"]] if "const" in kind else []


def _number(value: Any) -> Any:
    """Return a whole number that is written as text or with a point; anything else as it is."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e9:
        return int(value)
    if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
        return int(float(value))
    return value


def _word(value: str, words: list[Any]) -> Any:
    """Return the one of `words` that `value` is but for its case, spaces and a stop."""
    said = _plain(value)
    return next((word for word in words if _plain(str(word)) == said), value)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold().strip(" .'\"`")
