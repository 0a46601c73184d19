"""Markdown files: the text as it stands, and its headings by the rules of CommonMark."""

import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.corpus.contents import Contents
from core.corpus.decode import decode
from core.corpus.layout import pieces_of
from core.corpus.prose import one_document
from core.text.clean import clean

_FRONT_MATTER = re.compile(r"---[ \t]*\n(.{0,20000}?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL)
_TITLE = re.compile(r"^title:[ \t]*([\"']?)(.+?)\1[ \t]*$", re.MULTILINE)


def read_markdown(data: bytes, name: str) -> Contents:
    """A Markdown file. A title is that of its front matter, if it has one."""
    text = clean(decode(data, name))
    matter = _FRONT_MATTER.match(text)
    titled = _TITLE.search(matter[1]) if matter else None
    text = text[matter.end() :] if matter else text
    return one_document(
        name, "Markdown", pieces_of(text, _headings(text)), titled[2] if titled else ""
    )


def _headings(text: str) -> list[tuple[int, int, int, str]]:
    """Start, end, level and words of each heading; those of quotes and lists are text."""
    reader = MarkdownIt()
    reader.core.ruler.enableOnly(["normalize", "block"])
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    tokens = reader.parse(text)
    found = []
    for number, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            first, last = token.map
            words = _words(reader, tokens[number + 1].content)
            found.append((starts[first], min(starts[last], len(text)), int(token.tag[1:]), words))
    return found


def _words(reader: MarkdownIt, written: str) -> str:
    """A heading without the marks of emphasis, code and links."""
    tokens: list[Token] = []
    reader.inline.parse(written, reader, {}, tokens)
    kept = ("text", "code_inline", "html_inline", "text_special")
    return "".join(
        each.content if each.type in kept else " " * (each.type == "softbreak") for each in tokens
    )
