"""Ids of passages, which never equal the id of a document or of another passage.

A passage of a document that is split is called `DOCUMENT#POSITION`. Where a document of the corpus
has an id of that form, as `log#1` beside `log`, the passages of `log` are called `log#~0`,
`log#~1` and so on, with as many tildes as it takes.

An id of that form splits at its last `#` in one way only. So two passages have the same id only if
they have the same document and position, and `separators` keeps them apart from documents.
"""

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from types import MappingProxyType

_PASSAGE_ID = re.compile(r"(.+)(#~*)([0-9]+)", re.DOTALL)
SEPARATOR = "#"
NO_SEPARATORS: Mapping[str, str] = MappingProxyType({})


def separators(document_ids: Iterable[str]) -> dict[str, str]:
    """Return the separator of each document whose passages cannot have the usual one.

    >>> separators(["log", "log#1", "mill"])
    {'log': '#~'}
    """
    ids = set(document_ids)
    taken = defaultdict(set)
    for name in sorted(ids):
        if (parts := split_passage_id(name)) and parts[0] in ids:
            taken[parts[0]].add(name[len(parts[0]) :].rstrip("0123456789"))
    separators_of = {}
    for document, used in taken.items():
        separator = SEPARATOR
        while separator in used:
            separator += "~"
        if separator != SEPARATOR:
            separators_of[document] = separator
    return separators_of


def passage_id(document: str, position: int | str, apart: Mapping[str, str] = NO_SEPARATORS) -> str:
    """Return the id of a passage of a document that is split.

    Parameters
    ----------
    position : counts from 0 within the document.
    apart : `separators` of the corpus.
    """
    return f"{document}{apart.get(document, SEPARATOR)}{position}"


def split_passage_id(name: str) -> tuple[str, str] | None:
    """Return the document and the position that `name` has if it is the id of a passage.

    >>> split_passage_id("log#~12")
    ('log', '12')
    """
    match = _PASSAGE_ID.fullmatch(name)
    return (match[1], match[3]) if match else None


def unique_ids(
    ids: Sequence[str], documents: Sequence[str], positions: Sequence[int]
) -> dict[int, str]:
    """Return new ids, by their numbers, for passages of an index whose id is another one's too.

    Earlier versions of this program allowed that. A document that is one passage keeps its id, and
    otherwise the last of the passages does.

    >>> unique_ids(["log#0", "log#1", "log#0"], ["log", "log", "log#0"], [0, 1, 0])
    {0: 'log#~0'}

    Parameters
    ----------
    ids, documents, positions : of all passages, in order of their numbers.
    """
    keeper: dict[str, int] = {}
    for number, (name, document) in enumerate(zip(ids, documents, strict=True)):
        if document == name or name not in keeper or documents[keeper[name]] != name:
            keeper[name] = number
    taken = {*ids, *documents}
    id_of = {}
    for number, name in enumerate(ids):
        if keeper[name] != number:
            id_of[number] = _free_id(documents[number], positions[number], taken)
            taken.add(id_of[number])
    return id_of


def _free_id(document: str, position: int, taken: Container[str]) -> str:
    """Return a passage id that is not in `taken`, with as many tildes as that needs."""
    separator = f"{SEPARATOR}~"
    while (name := f"{document}{separator}{position}") in taken:
        separator += "~"
    return name
