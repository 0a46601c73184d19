"""Turn the blocks of a file into a title, a text, and the positions of its sections and pages."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from core.corpus.omissions import count
from core.corpus.text_cleaning import readable
from core.text.clean import one_line
from core.types import Layout, Section

_LONGEST = 200  # characters of a heading; what is longer is text that was set large
_DEEPEST = 3  # headings of a path
# What programs write as a title when nobody has given one.
_MADE_UP = re.compile(
    r"(?:untitled|unknown|anonymous|no title|title|document|dokument|doc|powerpoint|presentation|"
    r"slide|book|sheet|new|print|scanned|scan|image|img|microsoft|word|[\W\d_])*",
    re.IGNORECASE,
)
_PROGRAM = re.compile(r"^Microsoft (?:Word|PowerPoint|Excel)\s*-\s*", re.IGNORECASE)
_FILE = re.compile(
    r"\.(?:doc[xm]?|dot[xm]?|odt|rtf|pdf|tex|dvi|ps|indd|qxd|pptx?|xlsx?|txt|md|html?)$", re.I
)
_PATH = re.compile(r"^(?:[a-z]:\\|/|\\\\|file:|https?:|about:)", re.IGNORECASE)
_SEPARATOR = r"\s+[-–—|·»:]\s+|[:,]\s+"
_DIVIDED = re.compile(r"[^\W\d_]{2}[-‐\u00ad]\s*$")
_SENTENCE_END = re.compile(r"[.!?:;…。！？][\"'”’)\]]*$")


@dataclass(frozen=True, slots=True)
class Block:
    """A run of text (`level` 0) or a heading, whose `level` is 1 if it is the outermost.

    `page` counts from 1, and is 0 where there are no pages.
    """

    text: str
    level: int = 0
    page: int = 0


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A document's title, text and layout."""

    title: str
    text: str
    layout: Layout


def lay_out(
    blocks: Iterable[Block],
    name: str,
    title: str = "",
    *,
    headed: bool = True,
    by_author: bool = False,
) -> LaidOut:
    """Make a document of the blocks of the file `name`: its title, text and layout.

    The title is `title`, unless a program generated it; else the first heading, if `headed`; else
    the name of the file. A heading that says more than `title`, or that `title` contains among
    others ('Ports – My site'), becomes the title. A title `by_author` counts even if it equals the
    file name.

    Headings are not part of the text, except those without text below them, so that no word is
    lost.
    """
    filled = _cleaned_blocks(blocks)
    first = next((number for number, each in enumerate(filled) if each.level), None)
    heading = filled[first].text if headed and first is not None else ""
    given = "" if is_generated_title(title, "" if by_author else name) else one_line(title)
    if heading and (not given or _are_same_title(heading.casefold(), given.casefold())):
        given = heading
    writing = _Writing()
    for number, block in enumerate(filled):
        following = filled[number + 1] if number + 1 < len(filled) else None
        if not block.level:
            writing.write(block)
            continue
        is_title = number == first and block.text.casefold() == given.casefold()
        writing.head(block, is_title)
        nothing_below = following is None or 0 < following.level <= block.level
        if nothing_below and not (is_title and following):
            writing.write(block)
    return LaidOut(given or _spaced(PurePosixPath(name).stem), writing.text, writing.layout)


def is_generated_title(title: str, name: str = "") -> bool:
    r"""Return whether a program generated the title, so that it says nothing: 'Microsoft Word -
    a.docx'.

    >>> titles = ("untitled", "Document1", "C:\\a\\b", "Ports of Ash")
    >>> [is_generated_title(title) for title in titles]
    [True, True, True, False]
    """
    plain = _PROGRAM.sub("", one_line(title))
    stem = PurePosixPath(name).stem.casefold()
    return bool(
        _MADE_UP.fullmatch(plain)
        or _FILE.search(plain)
        or _PATH.match(plain)
        or plain.casefold() in (name.casefold(), stem)
    )


def _spaced(stem: str) -> str:
    return " ".join(stem.replace("_", " ").split()) or stem


def _are_same_title(heading: str, title: str) -> bool:
    parts = rf"(?:^|{_SEPARATOR}){re.escape(heading)}(?:$|{_SEPARATOR})"
    return title in heading or bool(re.search(parts, title))


def layout_to_json(layout: Layout) -> dict[str, Any]:
    """Convert a layout to JSON values; empty if it has no sections and pages."""
    sections = [[each.start, list(each.path)] for each in layout.sections]
    pages = [list(page) for page in layout.pages]
    return {key: value for key, value in (("sections", sections), ("pages", pages)) if value}


def layout_from_json(values: Mapping[str, Any]) -> Layout:
    """Parse the values of `layout_to_json`; raise ValueError if they are malformed."""
    try:
        entries = values.get("sections", ())
        sections = [Section(_start(start), _path(path)) for start, path in entries]
        pages = [(_start(start), _start(page)) for start, page in values.get("pages", ())]
    except TypeError as error:
        raise ValueError("not a layout") from error
    return Layout(tuple(sections), tuple(pages))


def _start(value: object) -> int:
    if not isinstance(value, int):
        raise ValueError("not a position in the text")
    return value


def _path(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ValueError("not a list of headings")
    return tuple(value)


def _cleaned_blocks(blocks: Iterable[Block]) -> list[Block]:
    """Return the blocks with text, cleaned; a heading that is too long becomes text."""
    filled = []
    for block in blocks:
        text = one_line(block.text) if block.level else readable(block.text).strip()
        if text:
            level = block.level if len(text) <= _LONGEST else 0
            filled.append(Block(text, level, block.page))
    return filled


class _Writing:
    """A text that grows block by block, with the positions of its sections and pages."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._above: list[tuple[int, str]] = []  # level and text of the headings it stands under
        self._sections: list[Section] = []
        self._pages: list[tuple[int, int]] = []
        self._begins = False

    @property
    def text(self) -> str:
        return "".join(self._parts)

    @property
    def layout(self) -> Layout:
        plain = len(self._sections) == 1 and not self._sections[0].path
        return Layout(() if plain else tuple(self._sections), tuple(self._pages))

    def head(self, block: Block, is_title: bool) -> None:
        """Start a section under this heading, which is left out of paths if it `is_title`."""
        self._above = [each for each in self._above if each[0] < block.level]
        self._above.append((block.level, "" if is_title else block.text))
        self._begins = True

    def write(self, block: Block) -> None:
        """Append a block to the text, and record the section and page that begin with it."""
        if self._parts and self._is_divided(block):
            # A word that the end of a page divides.
            self._parts[-1] = self._parts[-1].rstrip()[:-1]
            self._length = sum(map(len, self._parts))
            count("word{s} split across lines joined")
        elif self._parts:
            continues = not self._begins and self._continues_sentence(block)
            self._add("\n" if continues else "\n\n")
        if self._begins or not self._sections:
            path = tuple(text for _, text in self._above if text)[-_DEEPEST:]
            self._sections.append(Section(self._length, path))
            self._begins = False
        if block.page and (not self._pages or self._pages[-1][1] != block.page):
            self._pages.append((self._length, block.page))
        self._add(block.text)

    def _is_divided(self, block: Block) -> bool:
        """Return whether a page break splits a word that continues in this block."""
        begins = not self._begins and self._is_turned(block) and block.text[:1].islower()
        return begins and bool(_DIVIDED.search(self._parts[-1]))

    def _is_turned(self, block: Block) -> bool:
        """Return whether a block is the first of its page."""
        return bool(self._pages) and self._pages[-1][1] != block.page

    def _continues_sentence(self, block: Block) -> bool:
        """Return whether a sentence runs over from one page to the next."""
        turned = self._is_turned(block)
        return turned and block.text[:1].islower() and not _SENTENCE_END.search(self._parts[-1])

    def _add(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)


def pieces_of(text: str, headings: Sequence[tuple[int, int, int, str]]) -> list[Block]:
    """Split a text at its headings, each given as (start, end, level, heading)."""
    blocks, place = [], 0
    for start, end, level, heading in headings:
        blocks += [Block(text[place:start]), Block(heading, level)]
        place = end
    return [*blocks, Block(text[place:])]
