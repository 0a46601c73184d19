"""Documents to passages: as given, by paragraph, by sentence, or in windows of tokens."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from core.errors import InputError
from core.text.sentences import paragraphs, sentences
from core.types import Document, Passage

Kind = Literal["as-is", "paragraph", "sentence", "tokens"]
FORMS = "as-is, paragraph, sentence, or tokens:SIZE:OVERLAP such as tokens:256:32"

# A word between spaces; Chinese and Japanese write none, so each of their characters counts.
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_CJK}]|[^\s{_CJK}]+")
_SPEC = re.compile(r"tokens:(\d{1,6}):(\d{1,6})")
# A block of fewer words than this is a heading and belongs to what follows it.
_HEADING_WORDS = 8


@dataclass(frozen=True, slots=True)
class Chunking:
    """How documents are cut. `size` and `overlap` count tokens: words as spaces divide them."""

    kind: Kind = "as-is"
    size: int = 0
    overlap: int = 0

    @classmethod
    def parse(cls, spec: str) -> "Chunking":
        """The chunking that `spec` names; `str` of it gives `spec` again.

        >>> Chunking.parse("tokens:256:32")
        Chunking(kind='tokens', size=256, overlap=32)

        Raises
        ------
        InputError : no such chunking, or an overlap that is not smaller than the size.
        """
        spec = spec.strip()
        match spec:
            case "as-is" | "paragraph" | "sentence":
                return cls(spec)
        numbers = _SPEC.fullmatch(spec)
        if not numbers:
            raise InputError(f"No chunking is called '{spec}'. Use {FORMS}.")
        size, overlap = int(numbers[1]), int(numbers[2])
        if overlap >= size:
            raise InputError(f"In '{spec}' the overlap must be smaller than the size. Use {FORMS}.")
        return cls("tokens", size, overlap)

    def __str__(self) -> str:
        return f"tokens:{self.size}:{self.overlap}" if self.kind == "tokens" else self.kind


def chunk(documents: Iterable[Document], chunking: Chunking) -> list[Passage]:
    """The passages of `documents` in order; a document without a word has none.

    A passage's id is its document's id when the document is kept whole (`as-is`), else
    `document#position`.
    """
    whole = chunking.kind == "as-is"
    return [
        Passage(
            id=document.id if whole else f"{document.id}#{position}",
            document_id=document.id,
            position=position,
            title=document.title,
            text=text,
        )
        for document in documents
        for position, text in enumerate(_parts(document.text, chunking))
    ]


def _parts(text: str, chunking: Chunking) -> Iterable[str]:
    match chunking.kind:
        case "as-is":
            return [text] if text.strip() else []
        case "paragraph":
            return _blocks(text)
        case "sentence":
            return sentences(text)
        case "tokens":
            return _windows(text, chunking.size, chunking.overlap)


def _blocks(text: str) -> list[str]:
    """Paragraphs, a heading together with what follows it; a last one alone joins what it ends."""
    blocks: list[str] = []
    heading = ""
    for paragraph in paragraphs(text):
        heading = f"{heading}\n{paragraph}" if heading else paragraph
        if len(_TOKEN.findall(heading)) >= _HEADING_WORDS:
            blocks.append(heading)
            heading = ""
    if heading and blocks:
        blocks[-1] += f"\n{heading}"
    elif heading:
        blocks.append(heading)
    return blocks


def _windows(text: str, size: int, overlap: int) -> Iterator[str]:
    spans = [match.span() for match in _TOKEN.finditer(text)]
    for start in range(0, max(len(spans) - overlap, min(len(spans), 1)), size - overlap):
        last = min(start + size, len(spans)) - 1
        yield text[spans[start][0] : spans[last][1]]
