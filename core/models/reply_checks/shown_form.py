"""Detect replies that copy the example or template in the instructions of a prompt.

A reply that equals the whole example is an echo; one that shares some values with it may be
honest. A template has placeholder phrases as values, such as "the new note". A field that still
has its placeholder was not filled in.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from core.models.server.sound_json import parse
from core.text.clean import clean

_BLOCK = re.compile(r"^\{.*\}$", re.MULTILINE)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"(\s*:)?')  # a name of a value has a colon behind it
_ASKED = "Reply with"
_WORKED = re.compile(r'\bFor "|\bexample\b')
_SIGNS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class ShownForm:
    """The example and template in the instructions of a prompt.

    Parameters
    ----------
    examples : normalised worked examples, and templates that are valid JSON (see `gist`).
    phrases : the normalised placeholders of each field of a template.
    """

    examples: frozenset[Any]
    phrases: Mapping[str, frozenset[str]]

    def is_echoed_by(self, found: Mapping[str, Any]) -> bool:
        """Check whether an object of a reply is an example or contains a placeholder."""
        if gist(found) in self.examples:
            return True
        return any(
            gist(text) in self.phrases.get(field, frozenset()) for field, text in _texts(found)
        )


@lru_cache(maxsize=64)
def shown_form(instructions: str) -> ShownForm:
    """Extract the example and template from `instructions`; empty if there are none."""
    examples: set[Any] = set()
    phrases: dict[str, set[str]] = {}
    for block in _BLOCK.finditer(instructions):
        introduction = instructions[: block.start()].rpartition(_ASKED)[2]
        with suppress(ValueError):  # a template need not be JSON
            examples.add(gist(parse(block[0])))
        if not _WORKED.search(introduction):
            for field, phrase in _phrases(block[0]):
                phrases.setdefault(field, set()).add(phrase)
    return ShownForm(
        frozenset(examples), {field: frozenset(texts) for field, texts in phrases.items()}
    )


def gist(value: Any) -> Any:
    """Normalise a JSON value for comparison: keep only letters and digits, ignore key order.

    Models change spaces, punctuation and the order of keys when they repeat an object.
    """
    if isinstance(value, dict):
        return frozenset((key, gist(inner)) for key, inner in value.items())
    if isinstance(value, list):
        return tuple(map(gist, value))
    return _SIGNS.sub("", clean(value)).casefold() if isinstance(value, str) else value


def _phrases(template: str) -> Iterator[tuple[str, str]]:
    """Yield field and placeholder of a template, which need not be valid JSON."""
    field = ""
    for text, colon in _QUOTED.findall(template):
        if colon:
            field = text
        elif phrase := gist(text):
            yield field, phrase


def _texts(value: Any, field: str = "") -> Iterator[tuple[str, str]]:
    """Yield each string in `value` with the name of the field that contains it."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _texts(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner, field)
    elif isinstance(value, str):
        yield field, value
