"""What of a reply is only copied from the form that its instructions show.

Instructions show either a worked example or a template. A reply that is the whole example of its
prompt is an echo; one that shares some values with it may well be honest. A template has phrases in
the place of values, such as "the new note": where one of them stands in its own field, that field
was not filled in.
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
    """The form that the instructions of a prompt show.

    Parameters
    ----------
    examples : the gists of the worked examples, and of templates that are JSON.
    phrases : of a template, the gists of what stands in each field.
    """

    examples: frozenset[Any]
    phrases: Mapping[str, frozenset[str]]

    def is_echoed_by(self, found: Mapping[str, Any]) -> bool:
        """Whether an object of a reply is the example, or the template with a phrase left in it."""
        if gist(found) in self.examples:
            return True
        return any(
            gist(text) in self.phrases.get(field, frozenset()) for field, text in _texts(found)
        )


@lru_cache(maxsize=64)
def shown_form(instructions: str) -> ShownForm:
    """The form that `instructions` show, which is empty if they show none."""
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
        frozenset(examples), {field: frozenset(found) for field, found in phrases.items()}
    )


def gist(value: Any) -> Any:
    """What `value` holds, to be compared: of texts only letters and digits count.

    Spaces, signs and the order of names change when an object is repeated.
    """
    if isinstance(value, dict):
        return frozenset((key, gist(inner)) for key, inner in value.items())
    if isinstance(value, list):
        return tuple(map(gist, value))
    return _SIGNS.sub("", clean(value)).casefold() if isinstance(value, str) else value


def _phrases(template: str) -> Iterator[tuple[str, str]]:
    """The phrases of a template, which need not be JSON, each with its field."""
    field = ""
    for text, colon in _QUOTED.findall(template):
        if colon:
            field = text
        elif phrase := gist(text):
            yield field, phrase


def _texts(value: Any, field: str = "") -> Iterator[tuple[str, str]]:
    """The texts in `value`, each with the field that it or its list stands in."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _texts(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner, field)
    elif isinstance(value, str):
        yield field, value
