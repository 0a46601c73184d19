"""The parts of a document, each with the title, headings and page that it belongs to."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from core.types import Document

_NUMBERED = re.compile(r"^(?:\d{1,3}|[IVXLC]{1,6})(?:\.\d{1,3})*[.):]?\s+(?=\S)")
# A line between sections, which says nothing: '---', '* * *', '====='.
_RULE = re.compile(r"[\s*_=~#•·—–-]+")
_NEAR = 10_000  # characters to either side that may mention a heading


@dataclass(frozen=True, slots=True)
class Part:
    """A passage's title and text. `name` is its display name, empty if that is its title."""

    title: str
    text: str
    name: str


def split_document(document: Document, cut: Callable[[str], Iterable[str]]) -> Iterator[Part]:
    """Yield the parts of a document: the text under each heading, split by `cut` in order.

    A part is named after its heading if the text near it mentions that heading by name ('Selby'),
    else after the document's title ('History').
    """
    text = document.text
    pages = [start for start, _ in document.layout.pages]
    for start, end, path in sections_of(document):
        name = _name(document.title, path, text[max(0, start - _NEAR) : start + _NEAR])
        place = start
        for part in cut(text[start:end]):
            if _RULE.fullmatch(part):
                continue
            at = text.find(part[:40], place, end)
            place = max(at, place)
            on = bisect_right(pages, place) - 1
            page = document.layout.pages[on][1] if len(pages) > 1 and on >= 0 else 0
            title = _title(document.title, path, page)
            yield Part(title, part, name if title != document.title else "")


def sections_of(document: Document) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield the start, end and heading path of each section; one section if there are no
    headings.
    """
    sections = document.layout.sections
    if not sections:
        yield 0, len(document.text), ()
        return
    ends = [*(each.start for each in sections[1:]), len(document.text)]
    for each, end in zip(sections, ends, strict=True):
        yield each.start, end, each.path


def _title(title: str, path: tuple[str, ...], page: int) -> str:
    heading = ": ".join(filter(None, (title, *path)))
    return f"{heading} (page {page})" if page else heading


def _name(title: str, path: tuple[str, ...], near: str) -> str:
    """Return the innermost heading, unnumbered, that occurs in `near`; else `title`."""
    for heading in reversed(path):
        name = _NUMBERED.sub("", heading).strip(" .:")
        if name and name in near:
            return name
    return title
