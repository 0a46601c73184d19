"""Read HTML pages: their visible text as headings, paragraphs and tables."""

import re
from collections.abc import Iterator

from lxml import etree

from core.corpus.documents.prose import one_document
from core.corpus.documents.raised import subscript, superscript
from core.corpus.documents.references import MARKER, left_out
from core.corpus.documents.tables import Cell, expand_spans, table_text
from core.corpus.encodings.decode import decode
from core.corpus.file_contents import Contents, Limits, check_rows
from core.corpus.layout import Block
from core.corpus.omissions import count
from core.corpus.text_cleaning import readable
from core.errors import FileRejected

_DECLARED = re.compile(rb"(?:charset|encoding)\s{0,9}=\s{0,9}[\"']?([\w.:-]{2,40})")
_NO_TEXT = frozenset(("script", "style", "head", "template", "noscript"))
_LEFT_OUT = {
    "nav": "navigation block{s} left out",
    "iframe": "embedded page{s} left out",
    "img": "picture{s} left out",
    "svg": "drawing{s} with text left out",
    **dict.fromkeys(
        ("button", "select", "textarea", "datalist", "input", "option"),
        "form control{s} left out",
    ),
}
_BLOCKS = frozenset(
    (
        *("address", "article", "aside", "blockquote", "caption", "dd", "details", "div", "dl"),
        *("dt", "fieldset", "figcaption", "figure", "footer", "form", "hgroup", "search"),
        *("header", "hr", "li", "main", "ol", "p", "pre", "section", "summary", "table", "tr"),
        "ul",
    )
)
_LEVELS = {f"h{level}": level for level in range(1, 7)}
_HIDDEN = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_MOST_SPANNED = 1_000
_NAVIGATION = frozenset(("mw-editsection", "navbox", "mw-jump-link"))  # of MediaWiki


def read_html(data: bytes, name: str, limits: Limits) -> Contents:
    """Read what an HTML page shows: no scripts, navigation, form controls or hidden elements.

    Raises
    ------
    FileRejected : no text that is shown, or elements nested thousands deep.
    """
    blocks, title = html_blocks(data, name, limits)
    return one_document(name, "HTML", blocks, title, limits=limits)


def html_blocks(data: bytes, name: str, limits: Limits) -> tuple[list[Block], str]:
    """Return the blocks of a page, and its title.

    Raises
    ------
    FileRejected : there is no markup, or elements are nested thousands deep.
    """
    declared = _DECLARED.search(data[:4096])
    markup = readable(
        decode(data, name, declared[1].decode("ascii", "ignore") if declared else None)
    )
    parser = etree.HTMLParser(
        encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True
    )
    page = etree.fromstring(markup.encode(), parser) if markup.strip() else None
    if any(error.type_name == "ERR_RESOURCE_LIMIT" for error in parser.error_log):
        raise FileRejected(name, "its elements are nested too deeply; save it as text")
    if page is None:
        raise FileRejected(name, "it contains no text")
    titled = next(page.iter("title"), None)
    title = "" if titled is None else "".join(titled.itertext())
    return list(_Page(page, name, limits).blocks()), title


class _Page:
    """Reads one page and counts its table cells."""

    def __init__(self, page: etree._Element, name: str, limits: Limits) -> None:
        self._page = page
        self._name = name
        self._limits = limits
        self._cells = 0
        # Tables that hold other tables or headings lay out a page, and are no data.
        holders = (each.iterancestors("table") for each in page.iter("table", *_LEVELS))
        self._layout_tables = {table for each in holders for table in [next(each, None)]}

    def blocks(self) -> Iterator[Block]:
        """Yield the headings (level 1 to 6) and the text between them (level 0), in order."""
        pieces: list[str] = []
        level = 0
        for piece in self._visible_pieces(self._page):
            if isinstance(piece, str):
                pieces.append(piece)
                continue
            yield Block(_tidy("".join(pieces)), level)
            pieces, level = [], piece
        yield Block(_tidy("".join(pieces)), level)

    def _visible_pieces(self, root: etree._Element) -> Iterator[str | int]:
        """Yield pieces of visible text, the level of a heading where it starts, 0 where it ends.

        One walk over the page, linear however deep it is nested.
        """
        walk = etree.iterwalk(root, events=("start", "end"))
        pre = 0
        for event, tag in walk:
            pre += (tag.tag == "pre") * (1 if event == "start" else -1)
            if event == "start":
                instead = None if tag is root else self._replacement(tag)
                if instead is not None:
                    yield instead
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
            text = tag.text if event == "start" else tag.tail
            if event == "end" and tag is root:
                return
            if text:
                yield text if pre else re.sub(r"\s+", " ", text)

    def _replacement(self, tag: etree._Element) -> str | None:
        """Return the text that replaces an element; None if its own text is read."""
        kind = tag.tag
        if kind in _NO_TEXT:
            return ""
        why = _LEFT_OUT.get(kind) or _why_left_out(tag)
        if why:
            count(why, kind == "img" or _says_something(tag))
            return ""
        if kind == "sup":
            return self._superscript(tag)
        if kind == "sub":
            return subscript("".join(tag.itertext()), _before(tag))
        if kind == "table" and tag not in self._layout_tables:
            return f"\n\n{self._table(tag)}\n\n"
        return None

    def _superscript(self, tag: etree._Element) -> str:
        """Return a superscript: a power as ², a marker of a reference as nothing."""
        text = "".join(tag.itertext()).strip()
        links = any((link.get("href") or "").startswith("#") for link in tag.iter("a"))
        if MARKER.fullmatch(text) or (links and re.fullmatch(r"\W*\w{1,4}\W*", text)):
            if self._limits.references:
                return text
            left_out(text.count("[") or 1)
            return ""
        return superscript(text, _before(tag))

    def _table(self, table: etree._Element) -> str:
        """Return a table as text, captions first, and count its cells against the limits."""
        header_rows: list[bool] = []

        def rows() -> Iterator[list[Cell]]:
            """Yield the cells of each visible row, with the columns and rows that each spans."""
            for row in table.iter("tr"):
                cells = [each for each in row if each.tag in ("td", "th")]
                if not cells or _why_left_out(row):
                    count("hidden table row{s} left out", _says_something(row))
                    continue
                if len(cells) > 1:
                    header_rows.append(all(each.tag == "th" for each in cells))
                yield [
                    (self._text(each), _span_count(each, "colspan"), _span_count(each, "rowspan"))
                    for each in cells
                ]

        texts = []
        for row in expand_spans(rows()):
            self._cells += len(row)
            check_rows(0, self._cells, self._name, self._limits)
            texts.append(row)
        captions = [self._text(each) for each in table.iter("caption")]
        text = table_text(texts, header=True if header_rows[:1] == [True] else None)
        return "\n".join(filter(None, [*captions, text]))

    def _text(self, cell: etree._Element) -> str:
        return "".join(piece for piece in self._visible_pieces(cell) if isinstance(piece, str))


def _before(tag: etree._Element) -> str:
    """Return the text right before an element, in any element of the same paragraph."""
    while tag is not None and tag.tag not in _BLOCKS:
        previous = tag.getprevious()
        if previous is None:
            tag = tag.getparent()
            text = tag.text if tag is not None else ""
        else:
            tag = previous
            text = tag.tail or "".join(tag.itertext())
        if text:
            return text
    return ""


def _why_left_out(tag: etree._Element) -> str:
    """Return why an element is not read, for `count`; empty if it is."""
    framing = tag.tag in ("header", "footer") and tag.getparent().tag == "body"
    if framing and tag.find(".//h1") is None:
        return "site header{s} or footer{s} left out"
    classes = (tag.get("class") or "").split()
    if tag.get("role") == "navigation" or not _NAVIGATION.isdisjoint(classes):
        return _LEFT_OUT["nav"]
    hidden = tag.get("hidden")
    closed = tag.tag == "dialog" and tag.get("open") is None
    shown = hidden is None or hidden.casefold() == "until-found"
    if closed or not shown or _HIDDEN.search(tag.get("style") or ""):
        return "hidden element{s} left out"
    return ""


def _says_something(tag: etree._Element) -> bool:
    return any(text.strip() for text in tag.itertext()) or bool(tag.get("value"))


def _span_count(cell: etree._Element, attribute: str) -> int:
    given = (cell.get(attribute) or "1").strip()
    return min(int(given), _MOST_SPANNED) if given.isdecimal() and len(given) < 9 else 1


def _tidy(text: str) -> str:
    lines = (line.strip() for line in text.split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))
