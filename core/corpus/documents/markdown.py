"""Markdown files: their headings by the rules of CommonMark, their text without links and comments.

Emphasis, code and lists stay as they are written. Obsidian's links, embeds and comments are known.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import PurePosixPath

from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.corpus.documents.front_matter import front_matter
from core.corpus.documents.prose import one_document
from core.corpus.documents.raised import subscript, superscript
from core.corpus.documents.tables import table_text
from core.corpus.encodings.decode import decode
from core.corpus.file_contents import Contents, Limits
from core.corpus.layout import pieces_of
from core.corpus.omissions import count
from core.corpus.text_cleaning import readable
from core.types import Metadata

_CODE = (
    r"(?P<code>^[ ]{0,3}(?P<fence>`{3,}|~{3,})[^\n]*\n(?:.*?^[ ]{0,3}(?P=fence)[`~]*[ \t]*$|.*\Z)"
    r"|(?P<ticks>`{1,2})[^`\n]+(?P=ticks))"
)
_LONGEST = 2_000  # characters of the names of linked notes
_FLAGS = re.DOTALL | re.MULTILINE
_COMMENT = re.compile(rf"{_CODE}|%%(?:(?!%%).)*%%|<!--(?:(?!<!--).)*?-->", _FLAGS)
_ADDRESS = (
    r"<?[^()\s<>]{0,2000}(?:\([^()\s]{0,200}\)[^()\s<>]{0,200})?>?"
    r"(?:\s+[\"'(][^\"\n)]{0,500}[\"')])?"
)
_LINK = re.compile(
    rf"{_CODE}"
    r"|(?P<embed>!?)\[\[(?P<target>[^\[\]|\n]{1,300})(?:\|(?P<alias>[^\[\]\n]{0,300}))?\]\]"
    rf"|(?P<image>!?)\[(?P<text>(?:[^\[\]\n]|\n(?!\n)){{0,500}})\]"
    rf"(?:\(\s*{_ADDRESS}\s*\)|\[(?P<label>[^\[\]\n]{{0,200}})\])",
    _FLAGS,
)
_SCRIPT = re.compile(rf"{_CODE}|<(?P<kind>su[pb])>(?P<inner>[^<>\n]{{1,40}})</(?P=kind)>", _FLAGS)
_DEFINITION = re.compile(r"^ {0,3}\[(?!\^)([^\[\]\n]{1,200})\]:[ \t]+\S+[^\n]{0,500}$", re.M)
_RULE = re.compile(r"^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$", re.M)
_GAP = re.compile(r"(?<=\S)[ \t]{2,}(?=\S)")
_FILE = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|bmp|avif|pdf|mp[34]|m4a|wav|ogg|webm|mov|mkv|flac|canvas)$", re.I
)


def read_markdown(data: bytes, name: str, limits: Limits) -> Contents:
    """Read a Markdown file. The front matter gives its title, if it has one."""
    title, metadata, text = front_matter(readable(decode(data, name)))
    links = _Links()
    text = _with_tables_as_text(links.resolved(_with_small_scripts(_without_comments(text))))
    return one_document(
        name,
        "Markdown",
        pieces_of(text, _headings(text)),
        title,
        limits=limits,
        by_author=True,
        metadata={**metadata, **links.metadata()},
    )


def _without_comments(text: str) -> str:
    """Return `text` without comments, which Obsidian and browsers do not show either."""

    def drop_comment(found: re.Match[str]) -> str:
        """Replace a comment by nothing, and count it; code stays as it is."""
        if found["code"]:
            return found[0]
        count("Markdown comment{s} left out")
        return ""

    return _COMMENT.sub(drop_comment, text)


def _with_small_scripts(text: str) -> str:
    """Return `text` with superscripts and subscripts in small letters."""

    def replace_script(found: re.Match[str]) -> str:
        """Return the replacement of one superscript or subscript; code stays as it is."""
        if found["code"]:
            return found[0]
        before = text[found.start() - 1 : found.start()]
        return (superscript if found["kind"] == "sup" else subscript)(found["inner"], before)

    return _SCRIPT.sub(replace_script, text) if "<su" in text else text


@dataclass(slots=True)
class _Links:
    """Links to other notes, which a text without brackets no longer shows."""

    targets: list[str] = field(default_factory=list)

    def resolved(self, text: str) -> str:
        """Return `text` with each link as the words that it shows."""
        defined = {label.casefold() for label in _DEFINITION.findall(text)}
        used: set[str] = set()

        def link_text(found: re.Match[str]) -> str:
            """Return the text that replaces one link; a link without a definition stays."""
            if found["code"]:
                return found[0]
            if found["target"] is not None:
                return self._note_link_text(found)
            label = found["label"]
            if label is not None:
                wanted = (label or found["text"]).casefold()
                if wanted not in defined:
                    return found[0]
                used.add(wanted)
            if found["image"]:
                count("image{s} left out, with the description kept")
            else:
                count("link{s} kept as text without the address")
            return found["text"]

        resolved = "\n".join(
            _GAP.sub(" ", line) if line != old else line
            for line, old in _pairs(_LINK.sub(link_text, text), text)
        )
        if not used:
            return resolved
        return _DEFINITION.sub(lambda each: "" if each[1].casefold() in used else each[0], resolved)

    def _note_link_text(self, found: re.Match[str]) -> str:
        """Return the alias of a link to a note, else its name and heading, and record the note."""
        target = found["target"].strip()
        if found["embed"]:
            kind = "image{s} or other file{s}" if _FILE.search(target) else "note{s}"
            count(f"embedded {kind} left out")
            return ""
        count("link{s} to notes written without brackets; a link itself makes no edge")
        note, _, heading = target.partition("#")
        if note and note not in self.targets:
            self.targets.append(note)
        alias = (found["alias"] or "").strip()
        return alias or " > ".join(filter(None, (PurePosixPath(note).name, heading.lstrip("^"))))

    def metadata(self) -> Metadata:
        """Return the names of the linked notes as metadata, cut at `_LONGEST` characters."""
        lengths = accumulate(len(target) + len(", ") for target in self.targets)
        kept = [
            target for target, end in zip(self.targets, lengths, strict=True) if end <= _LONGEST
        ]
        count("linked note{s} left out of the field 'links'", len(self.targets) - len(kept))
        return {"links": ", ".join(kept)} if kept else {}


def _pairs(new: str, old: str) -> Iterator[tuple[str, str]]:
    """Pair each new line with its old line, or "" if the line counts differ."""
    lines, before = new.split("\n"), old.split("\n")
    if len(lines) != len(before):
        before = [""] * len(lines)
    return zip(lines, before, strict=True)


def _reader() -> MarkdownIt:
    reader = MarkdownIt().enable("table")
    reader.core.ruler.enableOnly(["normalize", "block"])
    return reader


def _starts(text: str) -> list[int]:
    """Return the offset of each line, and the end of the text."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts


def _with_tables_as_text(text: str) -> str:
    """Write each table row as a line that names its cells, and drop rules between sections."""
    if "|" not in text and not _RULE.search(text):
        return text
    starts = _starts(text)
    written: list[str] = []
    place = 0
    rows: list[list[str]] = []
    for token in _reader().parse(text):
        if token.map and token.level == 0 and token.type in ("table_open", "hr"):
            first, last = (min(starts[line], len(text)) for line in token.map)
        if token.type == "table_open":
            rows = []
        elif token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            rows[-1].append("")
        elif token.type == "inline" and rows and rows[-1] and not rows[-1][-1]:
            rows[-1][-1] = token.content
        elif token.type == "table_close" and token.level == 0:
            written += [text[place:first], table_text(rows, header=True), "\n\n"]
            place, rows = last, []
        elif token.type == "hr" and token.level == 0:
            count("horizontal rule{s} left out")
            written += [text[place:first].rstrip(), "\n\n"]
            place = len(text) - len(text[last:].lstrip("\n"))
    return "".join([*written, text[place:]])


def _headings(text: str) -> list[tuple[int, int, int, str]]:
    """Return start, end, level and words of each heading; those of quotes and lists are text."""
    reader = _reader()
    starts = _starts(text)
    tokens = reader.parse(text)
    headings = []
    for number, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            first, last = token.map
            words = _words(reader, tokens[number + 1].content)
            headings.append(
                (starts[first], min(starts[last], len(text)), int(token.tag[1:]), words)
            )
    return headings


def _words(reader: MarkdownIt, written: str) -> str:
    """Return a heading without the marks of emphasis, code and links."""
    tokens: list[Token] = []
    reader.inline.parse(written, reader, {}, tokens)
    kept = ("text", "code_inline", "html_inline", "text_special")
    return "".join(
        each.content if each.type in kept else " " * (each.type == "softbreak") for each in tokens
    )
