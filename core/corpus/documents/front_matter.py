"""Front matter of Markdown files: what YAML or TOML says of the document before it begins."""

import re
import tomllib
from collections.abc import Mapping
from datetime import date, time
from typing import Any

import yaml

from core.corpus.omissions import count
from core.text.clean import one_line
from core.types import Metadata

_MATTER = re.compile(
    r"(?P<mark>---|\+\+\+|;;;)[ \t]*\n(?P<text>.{0,20000}?)(?<=\n)(?:(?P=mark)|\.\.\.)"
    r"[ \t]*(?:\n|\Z)",
    re.DOTALL,
)
_TITLE = re.compile(r"^[\"']?title[\"']?[ \t]*[:=][ \t]*([\"']?)(.+?)\1[ \t]*$", re.M | re.I)
_LONGEST = 500  # characters of a value


class _Plain(yaml.SafeLoader):  # type: ignore[misc]
    """YAML without aliases, since a short file of aliases can expand to a huge value."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.events.AliasEvent):
            raise yaml.YAMLError("an alias")
        return super().compose_node(parent, index)


def front_matter(text: str) -> tuple[str, Metadata, str]:
    """Return the title and the other fields of front matter, and the text behind it.

    Without front matter the title is empty. Lists become one value with commas.
    """
    match = _MATTER.match(text)
    if not match:
        return "", {}, text
    rest = text[match.end() :]
    try:
        fields = _parsed(match["mark"], match["text"])
    except (yaml.YAMLError, ValueError, RecursionError, TypeError, AttributeError, OverflowError):
        count("front matter with invalid YAML or TOML left out, except its title")
        titled = _TITLE.search(match["text"])
        return one_line(titled[2]) if titled else "", {}, rest
    if not fields and match["text"].strip():
        return "", {}, text  # a text between two rules
    told = {one_line(str(key)): _value(value) for key, value in fields.items()}
    title = next((told.pop(key) for key in list(told) if key.casefold() == "title"), None)
    left_out = sum(value is None for key, value in told.items() if fields.get(key) is not None)
    count("field{s} of front matter with nested values left out", left_out)
    kept: Metadata = {key: value for key, value in told.items() if value is not None}
    return one_line(str(title)) if title is not None else "", kept, rest


def _parsed(mark: str, text: str) -> Mapping[Any, Any]:
    fields = tomllib.loads(text) if mark == "+++" else yaml.load(text, _Plain)  # noqa: S506
    return fields if isinstance(fields, Mapping) else {}


def _value(value: object) -> str | int | float | bool | None:
    """Return a metadata value as text or number; None for an object or a nested list."""
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, str):
        return _cut(one_line(value))
    if isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, list) and all(isinstance(each, str | int | float) for each in value):
        return _cut(one_line(", ".join(map(str, value))))
    return None


def _cut(value: str) -> str:
    count(f"long value{{s}} of front matter cut after {_LONGEST} characters", len(value) > _LONGEST)
    return value[:_LONGEST]
