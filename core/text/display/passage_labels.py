"""Short labels of passages: the document, and the heading or page within it.

The title of a part of a document is that of the document with the headings above the part. Where
the first is long the second is cut off, and it alone tells one part from another; so it stays:
'Internal phosphorus… › 4 Results'.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import takewhile

from core.types import Passage

BEHIND = " › "
"""Stands between the document and the heading; drawings do not cut what comes after it."""
LONGEST, SHORT = 40, 34
"""Characters of a name of both that stays as it is; of a longer one, if the heading allows it."""
_DOCUMENT, _HEADING = 10, 25  # characters of the one at least, of the other at most
_PAGE = re.compile(r"^\((page \d+)\)$")
_SEPARATOR = re.compile(r": |(?= \(page \d+\)$)")


def shown_names(parts: Iterable[Passage]) -> dict[str, str]:
    """Return a distinct name for each passage, by id.

    Equal names in one document are followed by the position there: 'Ports of Ash · 2'. A passage
    without a title is named by its id.
    """
    of_document: dict[str, list[Passage]] = {}
    for part in parts:
        of_document.setdefault(part.document_id, []).append(part)
    return {name: label for met in of_document.values() for name, label in _named(met).items()}


def _named(parts: Sequence[Passage]) -> dict[str, str]:
    """Return the names of the parts of one document."""
    document = _document([part.title for part in parts])
    names = {part.id: _label(part, document) for part in parts}
    met = Counter(names.values())
    alike = {part.id: part.position + 1 for part in parts if met[names[part.id]] > 1}
    return {one: f"{name} · {alike[one]}" if one in alike else name for one, name in names.items()}


def _document(titles: Sequence[str]) -> str:
    """Return the common prefix of the titles of parts; empty for one title."""
    split = [_SEPARATOR.split(title) for title in {*titles}]
    if len(split) < 2:
        return ""
    pieces = takewhile(lambda pieces: len({*pieces}) == 1, zip(*split, strict=False))
    shared = len(list(pieces))
    return titles[0][: _end(titles[0], shared)] if shared else ""


def _end(title: str, count: int) -> int:
    """Return the end of the first `count` pieces of a title."""
    ends = [match.start() for match in _SEPARATOR.finditer(title)]
    return [*ends, len(title)][count - 1]


def _label(part: Passage, document: str) -> str:
    """Return a passage's label: its document and its heading, both cut to fit in `LONGEST`."""
    heading = _PAGE.sub(r"\1", part.title[len(document) :].removeprefix(":").strip())
    if not document or not heading:
        return part.title or part.id
    if len(document) + len(BEHIND) + len(heading) > LONGEST:
        heading = shortened(heading, _HEADING)
        document = shortened(document, max(_DOCUMENT, SHORT - len(BEHIND) - len(heading)))
    return document + BEHIND + heading


def shortened(text: str, length: int) -> str:
    """Return at most `length` characters, cut between words if that leaves half of them."""
    if len(text) <= length:
        return text
    cut = text[: length - 1]
    words = cut if text[length - 1].isspace() else cut.rpartition(" ")[0]
    return f"{(words if len(words) >= length / 2 else cut).rstrip(' ,.:;-–')}…"
