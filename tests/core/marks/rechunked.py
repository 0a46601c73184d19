"""Documents in which no word occurs twice, so that every passage's place is known by its words."""

import re
from pathlib import Path

from core.corpus.chunking.chunker import Chunking
from core.corpus.types import Corpus
from core.indexing.updates import build
from core.store.index import Index
from core.types import Document, Evidence, Layout, Query, Section
from tests.core.fakes import WordEmbedder
from tests.core.five import silent

SENTENCES, WORDS = 4, 7  # of a section, of a sentence
SECTIONS = 3
NAMES = ("harbour", "mill", "quarry", "ferry")
_SYLLABLES = ("ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru")


def word(number: int) -> str:
    """A word of its own for each number."""
    return "".join(_SYLLABLES[int(digit)] for digit in f"{number:04}")


def sentence(document: int, section: int, which: int) -> str:
    first = ((document * SECTIONS + section) * SENTENCES + which) * WORDS
    words = [word(first + at) for at in range(WORDS)]
    return f"{words[0].capitalize()} {' '.join(words[1:])}."


def section(document: int, which: int) -> str:
    return " ".join(sentence(document, which, number) for number in range(SENTENCES))


def document(number: int) -> Document:
    parts = [section(number, which) for which in range(SECTIONS)]
    starts = [sum(len(part) + 2 for part in parts[:at]) for at in range(SECTIONS)]
    layout = Layout(tuple(Section(start, (f"Part {at}",)) for at, start in enumerate(starts)))
    name = NAMES[number]
    return Document(name, name.title(), "\n\n".join(parts), f"{name}.txt", layout=layout)


DOCUMENTS = tuple(document(number) for number in range(len(NAMES)))
BY_DOCUMENT = Query("q1", "What of the mill?", gold=("mill",))
FACTS = (sentence(2, 0, 1), sentence(2, 0, 3), sentence(2, 2, 0))
BY_EVIDENCE = Query(
    "q2",
    "What of the quarry?",
    gold=("quarry",),
    evidence=tuple(Evidence(text, document="quarry") for text in FACTS),
)
CORPUS = Corpus(documents=DOCUMENTS, queries=(BY_DOCUMENT, BY_EVIDENCE))


def cut(folder: Path, chunking: str, corpus: Corpus = CORPUS) -> Index:
    """The index of the documents under a chunking."""
    build(folder, corpus, WordEmbedder(), silent, chunking=Chunking.parse(chunking))
    return Index.open(folder)


def words_of(text: str) -> set[str]:
    """The words of a text that are in no heading."""
    return {found for found in re.findall("[a-z]+", text.lower()) if len(found) == 8}
