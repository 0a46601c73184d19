"""The lines of a PDF's pages as they are typeset, and which of them are headings.

A PDF does not mark its headings. A line counts as one if it is larger than most of the text, if it
is bold and stands alone, or if the PDF's outline names it.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from math import hypot
from typing import Any

from pypdf import PageObject

from core.corpus.documents.columns import Piece, in_columns
from core.corpus.layout import Block
from core.corpus.omissions import count
from core.text.clean import one_line

_LARGER = 1.15  # times the size of most of the text
_HEADING_WORDS = 25
_BOLD_WORDS = 12
_LETTERS = 3  # a heading has as many; a large initial has fewer
_LEVELS = 6
_ROOM = 0.85  # of the widest line: a word that would have fitted there begins another heading
_NUMBERED = re.compile(r"(?:\d{1,3}(?:\.\d{1,3})*|[IVXLC]{1,6}|[A-Z])[.)]?\s")
_LEADING_ON = frozenset(
    "a an and at by for from in of on or the to und der die das von de la".split()
)
_BROKEN_WORD = re.compile(r"([^\W\d_]+)[-‐\u00ad]\s*$")
_WORD_START = re.compile(r"[^\W\d_]+")
_COMPOUND = re.compile(r"[^\W\d_]+[-‐][^\W\d_]+")
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
    """Return the lines of a page in the order in which they are drawn, without empty ones.

    Two columns that are drawn row by row are read one after the other.
    """
    pieces: list[Piece] = []

    def visit(text: str, cm: list[float], tm: list[float], font: Any, size: float) -> None:
        """Record one piece of text with its size in points, weight and position."""
        scale = hypot(tm[2], tm[3]) * hypot(cm[2], cm[3])
        bold = "bold" in str(font.get("/BaseFont", "") if font else "").casefold()
        x = tm[4] * cm[0] + tm[5] * cm[2] + cm[4]
        y = tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
        pieces.append(Piece(text, size * scale, bold, x, y))

    page.extract_text(visitor_text=visit)
    ordered = in_columns(pieces)
    if ordered is not None:
        count("page{s} in two columns read one column after the other")
        runs = [[_part(each.text.replace("\n", ""), each) for each in row] for row in ordered]
    else:
        runs = [[]]
        for piece in pieces:
            first, *others = piece.text.split("\n")
            runs[-1].append(_part(first, piece))
            runs.extend([_part(other, piece)] for other in others)
    lines = [_line(run, number) for run in runs if any(text.strip() for text, *_ in run)]
    return [replace(each, text=each.text.strip()) for each in lines] if ordered else lines


def _part(text: str, piece: Piece) -> tuple[str, float, bool]:
    return text, piece.size, piece.bold


def without_running_heads(pages: Sequence[Sequence[Line]]) -> list[Line]:
    """Return the lines of all pages without page numbers and repeated headers and footers."""
    edges = Counter(
        text for page in pages for text in {_normalised_line(each) for each in _edge_lines(page)}
    )
    often = max(_REPEATED, len(pages) / 2)
    kept: list[Line] = []
    for page in pages:
        furniture = {
            id(line)
            for line in _edge_lines(page)
            if _NUMBER.fullmatch(line.text.strip()) or edges[_normalised_line(line)] >= often
        }
        kept += [line for line in page if id(line) not in furniture]
        count("page number{s} and running head{s} left out", len(furniture))
    return kept


def blocks_of(lines: Sequence[Line], outline: Collection[str]) -> Iterator[Block]:
    """Yield the headings, and the text between them page by page.

    Parameters
    ----------
    outline : the headings that the PDF's outline names, in lower case.
    """
    body = _body_size(lines)
    levels = _levels(lines, body)
    named = len(levels) + 1

    def level(line: Line) -> int:
        """Return the level of a heading, from its size, bold type or the outline; 0 for text."""
        text = one_line(line.text)
        if not _can_be_heading(text):
            return 0
        if larger := levels.get(_to_half_points(line.size)):
            return larger
        alone = line.bold and len(text.split()) <= _BOLD_WORDS and text[-1] not in ".,;"
        return min(named, _LEVELS) if alone or text.casefold() in outline else 0

    hyphenated = _hyphenated(lines)
    widest = max((_width(line) for line in lines), default=0.0)
    for (heading_level, page), run in groupby(lines, key=lambda line: (level(line), line.page)):
        same = list(run)
        if heading_level:
            for heading in _headings(same, widest, outline):
                yield Block(_join_lines(heading, hyphenated, whole=True), heading_level, page)
        else:
            yield Block(_join_lines([line.text for line in same], hyphenated), heading_level, page)


def _headings(
    lines: Sequence[Line], widest: float, outline: Collection[str]
) -> Iterator[list[str]]:
    """Yield the lines of each heading of a run in one size.

    A heading goes on in the next line only if the next word had no room, if it ends with a word or
    sign that leads on, or if the outline has both lines as one.
    """
    heading: list[str] = []
    for line in lines:
        if heading and not _continues_heading(heading, line, widest, outline):
            yield heading
            heading = []
        heading.append(line.text)
    yield heading


def _continues_heading(
    heading: Sequence[str], line: Line, widest: float, outline: Collection[str]
) -> bool:
    """Return whether a heading continues in `line`: see `_headings` for the rules."""
    before, text = one_line(" ".join(heading)), one_line(line.text)
    if f"{before} {text}".casefold() in outline:
        return True
    if before.casefold() in outline or text.casefold() in outline or _NUMBERED.match(text):
        return False
    if text[0].islower() or before[-1] in ",:-–—&" or before.split()[-1].casefold() in _LEADING_ON:
        return True
    last = one_line(heading[-1])
    return _ROOM * widest < line.size * (len(last) + 1 + len(text.split()[0]))


def _width(line: Line) -> float:
    """Return about how wide a line is, in letters times points."""
    return len(line.text.strip()) * line.size


def _hyphenated(lines: Sequence[Line]) -> frozenset[str]:
    """Return the words that are written with a hyphen within a line, in lower case."""
    compounds = (_COMPOUND.findall(line.text) for line in lines)
    return frozenset(word.casefold() for words in compounds for word in words)


def _join_lines(
    texts: Sequence[str], hyphenated: Collection[str] = frozenset(), *, whole: bool = False
) -> str:
    """Join lines to a text, without the line breaks that are only due to the page width.

    Parameters
    ----------
    hyphenated : words that keep their hyphen at a line break.
    whole : whether all lines are one paragraph.
    """
    full = _FULL * max(map(len, texts))
    joined = texts[0]
    for before, text in pairwise(texts):
        parts, rest = _BROKEN_WORD.search(before), _WORD_START.match(text.lstrip())
        if parts and rest:
            word = _join_word(parts[1], rest[0], hyphenated)
            joined = joined[: len(joined) - len(parts[0])] + word + text.lstrip()[rest.end() :]
            continue
        broken = whole or (len(before) >= full and before.rstrip()[-1:] not in _ENDS)
        joined += f" {text.lstrip()}" if broken else f"\n{text}"
    return joined


def _join_word(first: str, rest: str, hyphenated: Collection[str]) -> str:
    """Join a word that a line end divides; the hyphen stays if the document writes it elsewhere."""
    compound = f"{first}-{rest}"
    if compound.casefold() in hyphenated or not rest[0].islower() or first[-1].isupper():
        return compound
    count("word{s} split across lines joined")
    return first + rest


def _line(pieces: Sequence[tuple[str, float, bool]], page: int) -> Line:
    """Join the pieces of a line: the size is that of most letters; bold means all letters."""
    sizes: Counter[float] = Counter()
    bold = 0
    for text, size, is_bold in pieces:
        letters = len(text.strip())
        sizes[_to_half_points(size)] += letters
        bold += letters * is_bold
    text = "".join(text for text, *_ in pieces)
    return Line(text, sizes.most_common(1)[0][0], bold == sizes.total(), page)


def _edge_lines(page: Sequence[Line]) -> Sequence[Line]:
    return page if len(page) < 2 else (page[0], page[-1])


def _normalised_line(line: Line) -> str:
    """Normalise a line so that it is equal on each page: digits become '#'."""
    return re.sub(r"\d+", "#", one_line(line.text).casefold())


def _body_size(lines: Sequence[Line]) -> float:
    """Return the font size of most letters, in points rounded to a half; 0 without lines."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[_to_half_points(line.size)] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _levels(lines: Sequence[Line], body: float) -> dict[float, int]:
    """Return the level of each size that is larger than the body's, the largest first."""
    larger = {_to_half_points(each.size) for each in lines if _can_be_heading(one_line(each.text))}
    heading_sizes = sorted((size for size in larger if size >= _LARGER * body), reverse=True)
    return {size: min(place, _LEVELS) for place, size in enumerate(heading_sizes, start=1)}


def _can_be_heading(text: str) -> bool:
    return len(text.split()) <= _HEADING_WORDS and sum(map(str.isalpha, text)) >= _LETTERS


def _to_half_points(size: float) -> float:
    """Round a font size to half a point, since programs scale sizes by fractions."""
    return round(2 * size) / 2
