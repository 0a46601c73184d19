"""Split documents into passages: by length, whole, by paragraph, sentence or window of tokens.

A heading is in no passage's text. It is part of the passage's title, since the text below a heading
often does not repeat its subject: 'Ports of Ash: Selby'.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from core.corpus.chunking.document_parts import Part, sections_of, split_document
from core.corpus.chunking.length_limit import split_by_length
from core.corpus.chunking.word_count import words_in
from core.corpus.ids.passage_ids import passage_id, separators
from core.errors import InputError
from core.text.sentences import paragraphs, sentences
from core.types import Document, Passage

Kind = Literal["fit", "as-is", "paragraph", "sentence", "tokens"]
FORMS = "fit, as-is, paragraph, sentence, or tokens:SIZE:OVERLAP such as tokens:256:32"

_SPEC = re.compile(r"tokens:(\d{1,6}):(\d{1,6})")
# A block of fewer words than this is a heading and belongs to what follows it.
_HEADING_WORDS = 8


@dataclass(frozen=True, slots=True)
class Chunking:
    """How documents are split. `size` and `overlap` count tokens, separated by spaces."""

    kind: Kind = "fit"
    size: int = 0
    overlap: int = 0

    @classmethod
    def parse(cls, spec: str) -> "Chunking":
        """Return the chunking that `spec` names; `str` of it gives `spec` again.

        >>> Chunking.parse("tokens:256:32")
        Chunking(kind='tokens', size=256, overlap=32)

        Raises
        ------
        InputError : no such chunking, or an overlap that is not smaller than the size.
        """
        spec = spec.strip()
        match spec:
            case "fit" | "as-is" | "paragraph" | "sentence":
                return cls(spec)
        numbers = _SPEC.fullmatch(spec)
        if not numbers:
            raise InputError(f"Unknown chunking '{spec}'. Use {FORMS}.")
        size, overlap = int(numbers[1]), int(numbers[2])
        if overlap >= size:
            raise InputError(
                f"In '{spec}', the overlap must be smaller than the size. Use {FORMS}."
            )
        return cls("tokens", size, overlap)

    def __str__(self) -> str:
        return f"tokens:{self.size}:{self.overlap}" if self.kind == "tokens" else self.kind


def chunk(
    documents: Iterable[Document], chunking: Chunking, apart: Mapping[str, str] | None = None
) -> list[Passage]:
    """Return the passages of `documents` in order; a document without a word has none.

    A passage's id is its document's id if the document is kept whole (`as-is`, and `fit` if it is
    short), else `document#position` (`core.corpus.ids.passage_ids`). Its title is the document's,
    followed by its headings and its first page, if there are any.

    Parameters
    ----------
    apart : the `separators` of the whole corpus, if `documents` are only a part of it.
    """
    whole = list(documents)
    known = separators(document.id for document in whole) if apart is None else apart
    return [passage for document in whole for passage in _passages(document, chunking, known)]


def _passages(
    document: Document, chunking: Chunking, apart: Mapping[str, str]
) -> Iterator[Passage]:
    """Yield the passages of one document in order; a whole document keeps its own id."""
    parts = list(_split_by_kind(document, chunking))
    whole = chunking.kind == "as-is" or (chunking.kind == "fit" and len(parts) == 1)
    for position, part in enumerate(parts):
        yield Passage(
            id=document.id if whole else passage_id(document.id, position, apart),
            document_id=document.id,
            position=position,
            title=part.title,
            text=part.text,
            name=part.name,
        )


def _split_by_kind(document: Document, chunking: Chunking) -> Iterator[Part]:
    """Split a document into parts by the kind of chunking."""
    match chunking.kind:
        case "fit":
            return split_document(document, split_by_length)
        case "as-is":
            return iter(
                [Part(document.title, _text_with_headings(document), "")]
                if document.text.strip()
                else []
            )
        case "paragraph":
            return split_document(document, _paragraphs_with_headings)
        case "sentence":
            return split_document(document, sentences)
        case "tokens":
            size, overlap = chunking.size, chunking.overlap
            return split_document(document, lambda text: _windows(text, size, overlap))


def _text_with_headings(document: Document) -> str:
    """Return the whole text with each section's heading as a line of its own.

    A passage of several sections has no heading in its title.
    """
    texts = [
        "\n\n".join([*path[-1:], document.text[start:end].strip()])
        for start, end, path in sections_of(document)
    ]
    return "\n\n".join(texts) if document.layout.sections else document.text


def _paragraphs_with_headings(text: str) -> list[str]:
    """Split a text into paragraphs, each with its heading.

    A heading at the end of the text joins the paragraph before it.
    """
    blocks: list[str] = []
    heading = ""
    for paragraph in paragraphs(text):
        heading = f"{heading}\n{paragraph}" if heading else paragraph
        if len(words_in(heading)) >= _HEADING_WORDS:
            blocks.append(heading)
            heading = ""
    if heading and blocks:
        blocks[-1] += f"\n{heading}"
    elif heading:
        blocks.append(heading)
    return blocks


def _windows(text: str, size: int, overlap: int) -> Iterator[str]:
    """Yield windows of `size` words; each repeats the last `overlap` words of the one before."""
    spans = words_in(text)
    for start in range(0, max(len(spans) - overlap, min(len(spans), 1)), size - overlap):
        last = min(start + size, len(spans)) - 1
        yield text[spans[start][0] : spans[last][1]]
