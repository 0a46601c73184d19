"""What a reply of one type looks like, and what was only copied from the form that was shown."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from core.errors import ReplyUnreadable

_BLOCK = re.compile(r"\{[^{}]*\}")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"(\s*:)?')  # a name of a value has a colon behind it
_WHOLE = re.compile(r"[+-]?\d{1,9}(?:\.0*)?")
_SLOT = re.compile(r"\s*(?:[.…_?-]\s*)+|<[^<>\d]+>")
_REPEATED = "The reply repeats the form that it was shown, with nothing filled in."

Schema = Mapping[str, Any]


class Form:
    """The JSON schema of a type of reply, by which a reply's small liberties are put right."""

    def __init__(self, reply: type[BaseModel]) -> None:
        self._schema = reply.model_json_schema()

    def filled(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """`found` with numbers and words as the schema has them, without slots left empty.

        Raises
        ------
        ReplyUnreadable : a text or a whole list is what the instructions show of it.
        """
        properties = self._schema.get("properties", {})
        return {
            str(name): self._settled(value, properties.get(name, {}))
            for name, value in found.items()
        }

    def _settled(self, value: Any, schema: Schema) -> Any:
        kinds = self._kinds(schema)
        words = [word for kind in kinds for word in kind.get("enum", _constant(kind))]
        types = {kind.get("type") for kind in kinds}
        if isinstance(value, list) and "array" in types:
            return self._listed(value, kinds)
        if "null" in types and isinstance(value, str) and value.strip().casefold() == "null":
            return None
        if "integer" in types:
            return _number(value)
        if isinstance(value, str) and words:
            return _word(value, words)
        if isinstance(value, str) and "string" in types and is_slot(value):
            raise ReplyUnreadable(_REPEATED)
        return value

    def _listed(self, values: list[Any], kinds: list[Schema]) -> list[Any]:
        items = next(kind.get("items", {}) for kind in kinds if kind.get("type") == "array")
        left = [value for value in values if not (isinstance(value, str) and is_slot(value))]
        if values and not left:
            raise ReplyUnreadable(_REPEATED)
        return [self._settled(value, items) for value in left]

    def _kinds(self, schema: Schema) -> list[Schema]:
        """What a value may be, each alternative by itself."""
        if "$ref" in schema:
            schema = self._schema["$defs"][schema["$ref"].rpartition("/")[2]]
        if "anyOf" in schema:
            return [kind for each in schema["anyOf"] for kind in self._kinds(each)]
        return [schema]


def is_slot(text: str) -> bool:
    """Whether `text` is what stands in a form where something is to be written.

    >>> is_slot("..."), is_slot("<the question>"), is_slot("Who was Ada?")
    (True, True, False)
    """
    return bool(_SLOT.fullmatch(text)) or _plain(text) in _shown()


def _constant(kind: Schema) -> list[Any]:
    return [kind["const"]] if "const" in kind else []


def _number(value: Any) -> Any:
    """A whole number that is written as text or with a point; anything else as it is."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e9:
        return int(value)
    if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
        return int(float(value))
    return value


def _word(value: str, words: list[Any]) -> Any:
    """The one of `words` that `value` is but for its case, spaces and a stop."""
    said = _plain(value)
    return next((word for word in words if _plain(str(word)) == said), value)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold().strip(" .'\"`")


@cache
def _shown() -> frozenset[str]:
    """The texts that stand as values in the objects that our instructions show."""
    files = sorted(Path(__file__).parent.glob("*.txt"))
    blocks = [block for file in files for block in _BLOCK.findall(file.read_text("utf-8"))]
    quoted = [found for block in blocks for found in _QUOTED.findall(block)]
    return frozenset({_plain(text) for text, colon in quoted if not colon} - {""})
