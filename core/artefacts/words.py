"""The words and the names of an index's passages."""

from sys import intern

from core.artefacts.base import Artefact, Bench, Tables
from core.store.writer import passage_text
from core.text.keywords import Keywords
from core.text.names import Bearers
from core.text.tokens import words


def _words(bench: Bench, _: Tables) -> list[list[str]]:
    # Each word once in memory, however often it stands in the corpus.
    texts = (passage_text(p.title, p.text) for p in bench.index.passages)
    return [[intern(word) for word in words(text)] for text in texts]


WORDS = Artefact("words", "The words of each passage, in their order.", _words)
KEYWORDS = Artefact(
    "keywords",
    "Finds the names, dates and numbers in a text, with the names of this corpus.",
    lambda bench, _: Keywords(bench.index.names),
)
BEARERS = Artefact(
    "bearers",
    "Which passages are called by a name.",
    lambda bench, _: Bearers(bench.index.names),
)
