"""Files that are one document: plain text and HTML."""

import re
from collections.abc import Iterable, Iterator

from lxml import etree

from core.corpus.contents import Contents, document
from core.corpus.decode import decode
from core.corpus.layout import Block, is_made_up, laid_out, pieces_of
from core.errors import FileRejected
from core.text.clean import clean

_RANKS = {"part": 1, "book": 1, "volume": 1, "teil": 1, "buch": 1, "band": 1}
# 'CHAPTER IV.', 'Part 2: The sea', 'Kapitel 3'; a blank line on both sides.
_CHAPTER = re.compile(
    r"(?:(?<=\n\n)|(?<![\s\S]))(part|book|volume|teil|buch|band|chapter|section|act|scene|kapitel|"
    r"chapitre|cap[ií]tulo|capitolo)[ \t]+(?:[ivxlcdm]{1,7}|\d{1,3})\b[^\n]{0,100}(?=\n\s*\n)",
    re.IGNORECASE,
)
# A first line that a blank one follows, and that ends in no sign of a sentence or a list.
_TITLE = re.compile(r"([^\n]{3,200}?(?<![\s.,;:…。]))[ \t]*\n[ \t]*\n\s*\S")
_TITLE_WORDS = 20
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_DECLARED = re.compile(rb"(?:charset|encoding)\s{0,9}=\s{0,9}[\"']?([\w.:-]{2,40})")
_NO_CONTENT = frozenset(("script", "style", "nav", "template", "noscript", "iframe", "svg", "head"))
_BLOCKS = frozenset(
    (
        *("address", "article", "aside", "blockquote", "caption", "dd", "details", "div", "dl"),
        *("dt", "fieldset", "figcaption", "figure", "footer", "form"),
        *("header", "hr", "li", "main", "ol", "p", "pre", "section", "table", "tr"),
        "ul",
    )
)

_LEVELS = {f"h{level}": level for level in range(1, 7)}


def one_document(
    name: str, kind: str, blocks: Iterable[Block], title: str = "", *, headed: bool = True
) -> Contents:
    """A file that is one document: its id is the file's name, its title as `laid_out` finds it.

    Raises
    ------
    FileRejected : there is no word in it.
    """
    found = laid_out(blocks, name, title, headed=headed)
    made = document(found.title, found.text, name, given=name, layout=found.layout)
    if not made.text:
        raise FileRejected(name, "no text in it")
    return Contents(kind, (made,))


def read_text(data: bytes, name: str) -> Contents:
    """A plain text file. A heading is a line of its own that is numbered as a chapter is.

    Its title is the line that it begins with, if that stands alone and is no sentence.
    """
    text = clean(decode(data, name))
    headings = [
        (found.start(), found.end(), _RANKS.get(found[1].casefold(), 2), found[0])
        for found in _CHAPTER.finditer(text)
    ]
    if (begins := title_line(text)) and not (headings and headings[0][0] < begins.end()):
        headings.insert(0, (*begins.span(1), 1, begins[1]))
        # Also where the file is called the same: the line has the capitals.
        headed = not is_made_up(begins[1])
        return one_document(name, "Text", pieces_of(text, headings), begins[1], headed=headed)
    return one_document(name, "Text", pieces_of(text, headings), headed=False)


def title_line(text: str) -> re.Match[str] | None:
    """The first line of a text, as group 1, where it is plainly the title of what follows.

    It is short, stands alone and ends as no sentence does; one word alone is a name that the text
    goes on to tell of.

    >>> texts = ("Eddering\\n\\nEddering is a village.", "Memo\\n\\nEddering is a village.")
    >>> [bool(title_line(text)) for text in texts]
    [True, False]
    """
    found = _TITLE.match(text, len(text) - len(text.lstrip()))
    if found is None:
        return None
    number = len(found[1].split())
    told = number > 1 or _is_told_of(found[1], text[found.end(1) :])
    return found if told and number <= _TITLE_WORDS else None


def _is_told_of(word: str, text: str) -> bool:
    """Whether `word` is written as a name is, and `text` has it again."""
    if not _WORD.fullmatch(word) or word[0].islower():
        return False
    return bool(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text))


def read_html(data: bytes, name: str) -> Contents:
    """What an HTML page shows: blocks as paragraphs, no scripts, styles or navigation.

    Raises
    ------
    FileRejected : no text that is shown, or elements nested thousands deep.
    """
    declared = _DECLARED.search(data[:4096])
    markup = clean(decode(data, name, declared[1].decode("ascii", "ignore") if declared else None))
    parser = etree.HTMLParser(
        encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True
    )
    page = etree.fromstring(markup.encode(), parser) if markup.strip() else None
    if any(error.type_name == "ERR_RESOURCE_LIMIT" for error in parser.error_log):
        raise FileRejected(name, "its elements are nested too deeply; save the page as text")
    if page is None:
        raise FileRejected(name, "no text in it")
    titled = next(page.iter("title"), None)
    title = "" if titled is None else "".join(titled.itertext())
    return one_document(name, "HTML", _blocks(page), title)


def _blocks(page: etree._Element) -> Iterator[Block]:
    """What is shown as blocks: its headings, and what stands between them."""
    pieces: list[str] = []
    level = 0
    for piece in _shown(page):
        if isinstance(piece, str):
            pieces.append(piece)
            continue
        yield Block(_tidy("".join(pieces)), level)
        pieces, level = [], piece
    yield Block(_tidy("".join(pieces)), level)


def _tidy(text: str) -> str:
    lines = (line.strip() for line in text.split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))


def _is_frame(tag: etree._Element) -> bool:
    """Whether it is what all pages of a site have at their top or foot, without their heading."""
    above = tag.getparent()
    framing = tag.tag in ("header", "footer") and above is not None and above.tag == "body"
    return framing and tag.find(".//h1") is None


def _shown(page: etree._Element) -> Iterator[str | int]:
    """The text in pieces, and where a heading begins or ends the level of what follows.

    One walk over the page, linear however deep it is nested.
    """
    walk = etree.iterwalk(page, events=("start", "end"))
    pre = 0
    for event, tag in walk:
        pre += (tag.tag == "pre") * (1 if event == "start" else -1)
        text = tag.text if event == "start" else tag.tail
        if event == "start" and (tag.tag in _NO_CONTENT or _is_frame(tag)):
            walk.skip_subtree()
            continue
        if tag.tag in _LEVELS:
            yield _LEVELS[tag.tag] if event == "start" else 0
        elif tag.tag in _BLOCKS:
            yield "\n\n"
        elif event == "end" and tag.tag in ("td", "th"):
            yield " "
        elif event == "end" and tag.tag == "br":
            yield "\n"
        if text:
            yield text if pre else re.sub(r"\s+", " ", text)
