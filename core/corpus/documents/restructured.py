"""reStructuredText files, read by docutils. Nothing that they include or run is loaded."""

import re
from collections.abc import Iterator
from itertools import dropwhile, takewhile
from typing import Any

from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import Directive, directives, roles
from docutils.parsers.rst.languages import en as english
from docutils.utils import SystemMessage

from core.corpus.documents.prose import one_document
from core.corpus.documents.references import BY_DEFAULT, left_out
from core.corpus.documents.tables import Cell, expand_spans, table_text
from core.corpus.encodings.decode import decode
from core.corpus.file_contents import Contents, Limits, check_rows
from core.corpus.layout import Block
from core.corpus.omissions import count
from core.corpus.parser_errors import BROKEN
from core.corpus.text_cleaning import readable
from core.errors import FileRejected

_SETTINGS = {
    "_disable_config": True,
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "report_level": 2,
    "warning_stream": False,
    "docinfo_xform": False,
    "halt_level": 5,
    "syntax_highlight": "none",
    "smart_quotes": False,
    "line_length_limit": 1_000_000,
}
_DIRECTIVE = re.compile(
    r"^[ \t]*\.\. +(?:\|[^|\n]{1,80}\| +)?([A-Za-z][\w.:+-]{0,60})::", re.MULTILINE
)
_ROLE = re.compile(r":([A-Za-z][\w.:+-]{0,60}):`")
_NO_TEXT = frozenset("toctree contents index meta highlight currentmodule only raw include".split())
_DEEPEST = 60
_LABELLED = (nodes.field, nodes.option_list_item, nodes.definition_list_item)
_ERROR = 3  # the level at which docutils drops what it cannot parse
_LEFT_OUT: dict[type[nodes.Node], str] = {
    nodes.comment: "comment{s} left out",
    nodes.image: "picture{s} left out",
    nodes.raw: "section{s} in another markup language left out",
    nodes.substitution_definition: "",
    nodes.target: "",
    nodes.pending: "",
    nodes.decoration: "",
    nodes.meta: "",
}


class _Unknown(Directive):  # type: ignore[misc]
    """A directive of Sphinx or another extension: its content is read as text."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec = None

    def run(self) -> list[nodes.Node]:
        """Parse the directive's argument and content as text, without its options."""
        if self.name in _NO_TEXT:
            count("table{s} of contents or instruction{s} left out")
            return []
        container = nodes.container()
        if self.arguments:
            container += nodes.paragraph("", self.arguments[0].partition("\n:")[0])
        options = takewhile(_is_option, self.content)
        first = sum(1 for _ in options)
        self.state.nested_parse(self.content[first:], self.content_offset + first, container)
        return [container]


class _Code(_Unknown):
    """A block of code: Sphinx knows options for it that docutils refuses."""

    def run(self) -> list[nodes.Node]:
        lines = list(dropwhile(_is_option, self.content))
        return [nodes.literal_block("", "\n".join(lines).strip("\n"))]


def _is_option(line: str) -> bool:
    return not line.strip() or bool(re.match(r":[\w-]+:", line))


def _role(_: str, raw: str, text: str, *__: Any, **___: Any) -> tuple[list[nodes.Node], list[Any]]:
    """Return the words of a role of Sphinx: 'title <label>' is the title, '~a.b' is b."""
    shown = re.sub(r"\s*<[^<>]*>$", "", nodes.unescape(text)) or text
    return [nodes.inline(raw, shown.rpartition(".")[2] if shown[:1] == "~" else shown)], []


def read_rst(data: bytes, name: str, limits: Limits) -> Contents:
    """Read headings, paragraphs, lists, code and tables in order.

    Raises
    ------
    FileRejected : it cannot be parsed, or is without text.
    """
    text = readable(decode(data, name))
    for unknown in set(_DIRECTIVE.findall(text)) - _KNOWN_DIRECTIVES:
        directives.register_directive(unknown, _Unknown)
    for unknown in set(_ROLE.findall(text)) - _KNOWN_ROLES:
        roles.register_local_role(unknown, _role)
    try:
        tree = publish_doctree(text, settings_overrides=_SETTINGS)
        reader = _Reader(name, limits)
        blocks = list(reader.blocks(tree, 1))
    except (SystemMessage, *BROKEN) as error:
        raise FileRejected(
            name, "it is not valid reStructuredText; correct it, or rename it to .txt"
        ) from error
    return one_document(name, "reStructuredText", blocks, limits=limits)


def _unparsed_blocks(message: nodes.system_message) -> Iterator[Block]:
    """Yield the markup that docutils could not parse, as plain text; count refused inclusions."""
    if message["level"] < _ERROR:
        count(
            "included file{s} or part{s} in another markup left out", "disabled" in message.astext()
        )
        return
    written = [part for part in message.children if isinstance(part, nodes.literal_block)]
    count("part{s} with an error in the markup read as written", len(written))
    yield from (Block(part.astext()) for part in written)


_CODE = ("code", "code-block", "sourcecode")
_KNOWN_DIRECTIVES = {*directives._directive_registry, *english.directives, *_CODE}
_KNOWN_ROLES = {*roles._role_registry, *english.roles}
for _name in _CODE:
    directives.register_directive(_name, _Code)


class _Reader:
    """Reads one document and counts its table cells."""

    def __init__(self, name: str, limits: Limits) -> None:
        self._name = name
        self._limits = limits
        self._cells = 0

    def blocks(self, parent: nodes.Element, level: int, depth: int = 0) -> Iterator[Block]:
        """Yield the blocks of an element of the document."""
        if depth > _DEEPEST:
            count("part{s} nested too deeply left out")
            return
        for each in parent.children:
            if type(each) in _LEFT_OUT:
                count(_LEFT_OUT[type(each)], bool(_LEFT_OUT[type(each)]))
            elif isinstance(each, nodes.system_message):
                yield from _unparsed_blocks(each)
            elif "system-messages" in each.get("classes", ()):
                continue
            elif isinstance(each, nodes.section):
                yield from self.blocks(each, level + 1, depth + 1)
            elif isinstance(each, nodes.title | nodes.subtitle):
                heads = isinstance(parent, nodes.section | nodes.document)
                yield Block(self._text(each), level if heads else 0)
            elif isinstance(each, nodes.footnote | nodes.citation) and not self._limits.references:
                count(f"line{{s}} of reference lists {BY_DEFAULT}")
            elif isinstance(each, nodes.table):
                yield Block(self._table(each))
            elif isinstance(each, _LABELLED):
                yield from self._labelled_block(each, level, depth)
            elif isinstance(each, nodes.TextElement):
                yield Block(self._text(each))
            elif isinstance(each, nodes.Element):
                yield from self.blocks(each, level, depth + 1)

    def _labelled_block(self, item: nodes.Element, level: int, depth: int) -> Iterator[Block]:
        """Yield a labelled item, such as a footnote, as one block: its label and text."""
        label, *rest = item.children
        body = [block for part in rest for block in self.blocks(part, level, depth + 1)]
        said = "\n".join(block.text for block in body)
        yield Block(f"{self._text(label)}: {said}")

    def _text(self, element: nodes.Node) -> str:
        """Return the words of an element without markers of footnotes."""
        if isinstance(element, nodes.footnote_reference | nodes.citation_reference):
            if self._limits.references:
                return f"[{element.astext()}]"
            left_out()
            return ""
        if isinstance(element, nodes.image):
            count(_LEFT_OUT[nodes.image])
            return ""
        if isinstance(element, nodes.Text) or not element.children:
            return str(element.astext())
        said = ""
        for each in element.children:
            more = self._text(each)
            marker = isinstance(each, nodes.footnote_reference | nodes.citation_reference)
            said = said.rstrip() if marker and not more else said + more
        return said

    def _table(self, table: nodes.table) -> str:
        """Return the titles and rows of a table as text, and count its cells against the limits."""
        rows = list(table.findall(nodes.row))
        row_texts = []
        for row in expand_spans(map(self._row, rows)):
            self._cells += len(row)
            check_rows(0, self._cells, self._name, self._limits)
            row_texts.append(row)
        headed = any(True for _ in table.findall(nodes.thead))
        titles = [self._text(each) for each in table.children if isinstance(each, nodes.title)]
        return "\n".join([*titles, table_text(row_texts, header=True if headed else None)])

    def _row(self, row: nodes.row) -> list[Cell]:
        """Return the cells of a row with the columns and rows that each spans."""
        return [
            (
                "\n".join(block.text for block in self.blocks(entry, 0)),
                1 + entry.get("morecols", 0),
                1 + entry.get("morerows", 0),
            )
            for entry in row.children
        ]
