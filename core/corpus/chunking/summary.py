"""What a chunking did to documents, in figures and in words."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from statistics import median

from core.corpus.chunking.chunker import Chunking
from core.corpus.chunking.document_parts import sections_of
from core.corpus.chunking.length_limit import WHOLE, WORDS
from core.types import Document, Passage

_LONGEST = 3  # passages that are named
_TITLE = 80  # characters of a title among others
_DESCRIPTIONS = {
    "as-is": "kept as they are",
    "paragraph": "split at paragraphs",
    "sentence": "split at sentences",
    "tokens": "split by number of tokens",
}


@dataclass(frozen=True, slots=True)
class ChunkingSummary:
    """Counts of how documents were split into passages.

    `headed` counts documents that were split at headings, `long` those that were split for length;
    a document may be in both. `longest` has the longest passages, longest first.
    """

    chunking: Chunking
    documents: int
    passages: int
    whole: int
    headed: int
    long: int
    median: int
    longest: tuple[Passage, ...]

    def sentences(self) -> tuple[str, ...]:
        """Return sentences on what was split and why, and how long passages are."""
        if not self.passages:
            return ()
        return (*self._sentences_on_splitting(), self._lengths())

    def longest_sentence(self) -> str:
        """Name the longest passages; empty if there is only one passage."""
        named = "; ".join(
            f"{_crop_title(each.title or each.id)}{_part(each)} ({len(each.text):,} characters)"
            for each in self.longest
        )
        return f"The longest: {named}." if self.passages > 1 else ""

    def _sentences_on_splitting(self) -> list[str]:
        """Write a sentence on the whole documents and one on the split ones, with the reasons."""
        cut = self.documents - self.whole
        if self.chunking.kind != "fit":
            return [f"{_document_count(self.documents)} {_DESCRIPTIONS[self.chunking.kind]}."]
        reasons = (
            (self.headed, f"at {'its' if self.headed == 1 else 'their'} headings"),
            (
                self.long,
                f"into passages of about {WORDS} words where a section has more than {WHOLE} words",
            ),
        )
        why = [f"{n:,} {what}" if n < cut else what for n, what in reasons if n]
        sentences = [f"{_document_count(self.whole)} kept whole."] if self.whole else []
        if not cut:
            return sentences
        numbered = any(0 < n < cut for n, _ in reasons)
        how = f"split: {', '.join(why)}" if numbered else f"split {' and '.join(why)}"
        return [*sentences, f"{_document_count(cut)} {how}."]

    def _lengths(self) -> str:
        if self.passages == 1:
            return f"1 passage of {self.median:,} characters."
        return f"{self.passages:,} passages; the median length is {self.median:,} characters."


def chunking_summary(
    documents: Sequence[Document], passages: Iterable[Passage], chunking: Chunking
) -> ChunkingSummary:
    """Summarise how `chunking` split `documents` into `passages`, which are read once."""
    parts: Counter[str] = Counter()
    lengths: list[int] = []

    def count_passages() -> Iterator[Passage]:
        """Yield the passages, and count them and their lengths in passing."""
        for passage in passages:
            parts[passage.document_id] += 1
            lengths.append(len(passage.text))
            yield passage

    longest = nsmallest(_LONGEST, count_passages(), key=lambda each: (-len(each.text), each.id))
    headed = long = whole = 0
    for document in documents:
        sections = _count_sections(document)
        whole += parts[document.id] == 1
        headed += sections > 1
        long += parts[document.id] > max(1, sections)
    return ChunkingSummary(
        chunking,
        documents=sum(parts[document.id] > 0 for document in documents),
        passages=len(lengths),
        whole=whole,
        headed=headed if chunking.kind == "fit" else 0,
        long=long,
        median=round(median(lengths)) if lengths else 0,
        longest=tuple(longest),
    )


def _count_sections(document: Document) -> int:
    """Count the sections of a document that have text, and the text before the first heading."""
    return sum(bool(document.text[start:end].strip()) for start, end, _ in sections_of(document))


def _document_count(number: int) -> str:
    return f"{number:,} document{'s are' if number != 1 else ' is'}"


def _part(passage: Passage) -> str:
    """Return the part number of a passage as text; empty if it is a whole document."""
    return f", part {passage.position + 1}" if passage.id != passage.document_id else ""


def _crop_title(title: str) -> str:
    return title if len(title) <= _TITLE else f"{title[: _TITLE - 1]}…"
