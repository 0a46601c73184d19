"""The words and the names of the passages of an index."""

from sys import intern

from core.artefacts.base import Artefact, Bench, Tables
from core.artefacts.lexical.stored_names import StoredNames
from core.store.schema import passage_text
from core.text.entities.keywords import Keywords
from core.text.entities.passage_names import Bearers, Called
from core.text.tokens import words


def _words(bench: Bench, _: Tables) -> list[list[str]]:
    # Each word once in memory, however often it stands in the corpus.
    texts = (passage_text(p.title, p.text) for p in bench.index.passages)
    return [[intern(word) for word in words(text)] for text in texts]


WORDS = Artefact("words", "The words of each passage, in order.", _words)


def _keywords(bench: Bench, _: Tables) -> Keywords:
    if bench.index.large:
        return Keywords(known=StoredNames(bench.index.tables))
    return Keywords(bench.index.names)


def keywords_of_many(bench: Bench) -> Keywords:
    """Return the keyword finder for callers that read every passage: all names in memory."""
    return Keywords(bench.index.names) if bench.index.large else bench.get(KEYWORDS)


def _bearers(bench: Bench, _: Tables) -> Called:
    return StoredNames(bench.index.tables) if bench.index.large else Bearers(bench.index.names)


KEYWORDS = Artefact(
    "keywords",
    "Finds names, dates and numbers in a text, using the names of this corpus.",
    _keywords,
)
BEARERS = Artefact("bearers", "Which passages have a name as their title.", _bearers)
