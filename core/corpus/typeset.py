"""The lines of a PDF's pages as they are set, and which of them are headings.

A PDF has no headings of its own: what is set larger than most of the text is one, and so is a
line in bold by itself, and what the PDF's outline names.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import hypot
from typing import Any

from pypdf import PageObject

from core.corpus.layout import Block
from core.text.clean import one_line

_LARGER = 1.15  # times the size of most of the text
_HEADING_WORDS = 25
_BOLD_WORDS = 12
_LETTERS = 3  # a heading has as many; a large initial has fewer
_LEVELS = 6
_FULL = 0.75  # of the longest line: one that is shorter ends where its writer ended it
_ENDS = frozenset(".!?:;…。！？")
_REPEATED = 3  # pages on which a line at the edge is furniture
_NUMBER = re.compile(
    r"\W*(?:page|seite|p\.)?\W*\d{1,5}(?:\s*(?:/|of|von)\s*\d{1,5})?\W*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page, from 1. `size` is that of most of its letters, in points."""

    text: str
    size: float
    bold: bool
    page: int


def lines_of(page: PageObject, number: int) -> list[Line]:
    """The lines of a page in the order in which they are drawn, those without a word left out."""
    lines: list[list[tuple[str, float, bool]]] = [[]]

    def visit(text: str, cm: list[float], tm: list[float], font: Any, size: float) -> None:
        scale = hypot(tm[2], tm[3]) * hypot(cm[2], cm[3])
        bold = "bold" in str(font.get("/BaseFont", "") if font else "").casefold()
        first, *others = text.split("\n")
        lines[-1].append((first, size * scale, bold))
        lines.extend([(other, size * scale, bold)] for other in others)

    page.extract_text(visitor_text=visit)
    return [_line(pieces, number) for pieces in lines if any(text.strip() for text, *_ in pieces)]


def without_furniture(pages: Sequence[Sequence[Line]]) -> list[Line]:
    """The lines of all pages but page numbers, and what stands at the top or foot of many."""
    edges = Counter(text for page in pages for text in {_plain(each) for each in _edges(page)})
    often = max(_REPEATED, len(pages) / 2)
    kept: list[Line] = []
    for page in pages:
        furniture = {
            id(line)
            for line in _edges(page)
            if _NUMBER.fullmatch(line.text.strip()) or edges[_plain(line)] >= often
        }
        kept += [line for line in page if id(line) not in furniture]
    return kept


def blocks_of(lines: Sequence[Line], outline: Collection[str]) -> Iterator[Block]:
    """Headings, and the text between them page by page.

    Parameters
    ----------
    outline : the headings that the PDF's outline names, in lower case.
    """
    body = _body_size(lines)
    levels = _levels(lines, body)
    named = len(levels) + 1

    def level(line: Line) -> int:
        text = one_line(line.text)
        if not _may_head(text):
            return 0
        if larger := levels.get(_rounded(line.size)):
            return larger
        alone = line.bold and len(text.split()) <= _BOLD_WORDS and text[-1] not in ".,;"
        return min(named, _LEVELS) if alone or text.casefold() in outline else 0

    for (found, page), run in groupby(lines, key=lambda line: (level(line), line.page)):
        texts = [line.text for line in run]
        yield Block(" ".join(texts) if found else _flowing(texts), found, page)


def _flowing(texts: Sequence[str]) -> str:
    """Lines as a text: a line that was broken where the page is full goes on in the next."""
    full = _FULL * max(map(len, texts))
    joined = [texts[0]]
    for before, text in pairwise(texts):
        broken = len(before) >= full and before.rstrip()[-1:] not in _ENDS
        joined.append(f" {text.lstrip()}" if broken else f"\n{text}")
    return "".join(joined)


def _line(pieces: Sequence[tuple[str, float, bool]], page: int) -> Line:
    sizes: Counter[float] = Counter()
    bold = 0
    for text, size, is_bold in pieces:
        letters = len(text.strip())
        sizes[_rounded(size)] += letters
        bold += letters * is_bold
    text = "".join(text for text, *_ in pieces)
    return Line(text, sizes.most_common(1)[0][0], bold == sizes.total(), page)


def _edges(page: Sequence[Line]) -> Sequence[Line]:
    return page if len(page) < 2 else (page[0], page[-1])


def _plain(line: Line) -> str:
    """What is the same on each page, whatever its number."""
    return re.sub(r"\d+", "#", one_line(line.text).casefold())


def _body_size(lines: Sequence[Line]) -> float:
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[_rounded(line.size)] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _levels(lines: Sequence[Line], body: float) -> dict[float, int]:
    """The level of each size that is larger than the body's, the largest first."""
    larger = {_rounded(each.size) for each in lines if _may_head(one_line(each.text))}
    found = sorted((size for size in larger if size >= _LARGER * body), reverse=True)
    return {size: min(place, _LEVELS) for place, size in enumerate(found, start=1)}


def _may_head(text: str) -> bool:
    return len(text.split()) <= _HEADING_WORDS and sum(map(str.isalpha, text)) >= _LETTERS


def _rounded(size: float) -> float:
    """To half a point: programs scale by fractions."""
    return round(2 * size) / 2
