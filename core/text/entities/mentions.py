"""Mentions of entities in a text, and the normal form by which entities are compared."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from core.text.tokens import Token, normal, tokens

Kind = Literal["title", "name", "quoted", "number"]

_ARTICLES = frozenset(("the", "a", "an"))
_BRACKETED = re.compile(r"[(\[（][^()\[\]（）]*[)\]）]\s*$")


@dataclass(frozen=True, slots=True)
class Mention:
    """An occurrence of an entity, at `text[start:end]`; `key` is the entity's normal form."""

    key: str
    start: int
    end: int
    kind: Kind


def entity_label(key: str) -> str:
    """Return the display name of an entity; a bare number is quoted.

    >>> entity_label("0"), entity_label("lindry")
    ('"0"', 'lindry')
    """
    return f'"{key}"' if key.isnumeric() else key


def is_number(label: str) -> bool:
    """Return whether a label is a bare number in quotes, as `entity_label` writes it.

    >>> is_number('"1998"'), is_number("1998"), is_number('"ten"')
    (True, False, False)
    """
    return label != (key := label.strip('"')) and entity_label(key) == label


def entity_key(name: str) -> str:
    """Return the normal form of a name; empty if no word is left.

    `The Lion King (film)` becomes `lion king`. Words without a space between them stay joined.

    >>> entity_key("The Lion King (film)"), entity_key("鲁迅故居"), entity_key("Москве")
    ('lion king', '鲁迅故居', 'москв')
    """
    return run_key(tokens(_BRACKETED.sub("", name)) or tokens(name))


def run_key(run: Sequence[Token]) -> str:
    """Return the normal form of `run`, consecutive tokens of a text, without leading articles."""
    parts = [normal(token.text) for token in run]
    first = 0
    while len(parts) - first > 1 and parts[first] in _ARTICLES:
        first += 1
    gaps = ["" if left.end == right.start else " " for left, right in pairwise(run)]
    joined = zip(gaps[first:], parts[first + 1 :], strict=True)
    return "".join((*parts[first : first + 1], *(gap + part for gap, part in joined)))
