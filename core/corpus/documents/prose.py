"""Plain text files, and what all files that are one document share."""

import re
from collections.abc import Iterable

from core.corpus.documents.references import without_references
from core.corpus.encodings.decode import decode
from core.corpus.file_contents import Contents, Limits, document
from core.corpus.layout import Block, is_generated_title, lay_out, pieces_of
from core.corpus.text_cleaning import readable
from core.errors import FileRejected
from core.types import Metadata

_RANKS = {"part": 1, "book": 1, "volume": 1, "teil": 1, "buch": 1, "band": 1}
# 'CHAPTER IV.', 'Part 2: The sea', 'Kapitel 3'; a blank line on both sides.
_CHAPTER = re.compile(
    r"(?:(?<=\n\n)|(?<![\s\S]))(part|book|volume|teil|buch|band|chapter|section|act|scene|kapitel|"
    r"chapitre|cap[ií]tulo|capitolo)[ \t]+(?:[ivxlcdm]{1,7}|\d{1,3})\b[^\n]{0,100}(?=\n\s*\n)",
    re.IGNORECASE,
)
# A first line that a blank one follows, and that ends in no sign of a sentence or a list.
_TITLE = re.compile(r"(?:#{1,6}[ \t]+)?([^\n]{3,200}?(?<![\s.,;:…。]))[ \t]*\n[ \t]*\n\s*\S")
_TITLE_WORDS = 20
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")


def one_document(
    name: str,
    kind: str,
    blocks: Iterable[Block],
    title: str = "",
    *,
    limits: Limits,
    headed: bool = True,
    markers: bool = False,
    by_author: bool = False,
    metadata: Metadata | None = None,
) -> Contents:
    """Make the contents of a file that is one document.

    Its id is the file's name, its title as `lay_out` finds it. Reference lists are left out unless
    `limits` say otherwise.

    Parameters
    ----------
    markers : whether markers such as [1] point to such lists; other formats know them by markup.
    by_author : whether `title` was written for this file, so that it is no program's.

    Raises
    ------
    FileRejected : there is no word in it.
    """
    kept = list(blocks) if limits.references else without_references(blocks, markers=markers)
    parsed = lay_out(kept, name, title, headed=headed, by_author=by_author)
    made = document(
        parsed.title, parsed.text, name, given=name, layout=parsed.layout, metadata=metadata
    )
    if not made.text:
        raise FileRejected(name, "it contains no text")
    return Contents(kind, (made,))


def read_text(data: bytes, name: str, limits: Limits) -> Contents:
    """Read a plain text file; headings are lines numbered like chapters.

    The title is the first line if it stands alone and is not a sentence.
    """
    text = readable(decode(data, name))
    headings = [
        (match.start(), match.end(), _RANKS.get(match[1].casefold(), 2), match[0])
        for match in _CHAPTER.finditer(text)
    ]
    if (begins := title_line(text)) and not (headings and headings[0][0] < begins.end()):
        headings.insert(0, (*begins.span(1), 1, begins[1]))
        # Also where the file is called the same: the line has the capitals.
        headed = not is_generated_title(begins[1])
        pieces = pieces_of(text, headings)
        return one_document(name, "Text", pieces, begins[1], limits=limits, headed=headed)
    return one_document(name, "Text", pieces_of(text, headings), limits=limits, headed=False)


def title_line(text: str) -> re.Match[str] | None:
    r"""Match the first line of a text, as group 1, if it is a title.

    A title is short, is followed by a blank line and does not end like a sentence. A single word
    counts only if the text that follows mentions it.

    >>> texts = ("Eddering\n\nEddering is a village.", "Memo\n\nEddering is a village.")
    >>> [bool(title_line(text)) for text in texts]
    [True, False]
    """
    match = _TITLE.match(text, len(text) - len(text.lstrip()))
    if match is None:
        return None
    number = len(match[1].split())
    is_subject = number > 1 or _is_told_of(match[1], text[match.end(1) :])
    return match if is_subject and number <= _TITLE_WORDS else None


def _is_told_of(word: str, text: str) -> bool:
    """Return whether `word` is written as a name is, and `text` has it again."""
    if not _WORD.fullmatch(word) or word[0].islower():
        return False
    return bool(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text))
