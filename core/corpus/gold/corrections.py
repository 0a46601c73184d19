"""Gold whose misspelt names a user has corrected."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from core.corpus.gold.linking import Linker, note_on_missing_gold, with_gold
from core.corpus.gold.near_titles import named_in, notes_on_near_titles
from core.corpus.ids.document_ids import Identities
from core.corpus.types import Corpus
from core.types import Query


def with_gold_names(corpus: Corpus, names: Mapping[str, str]) -> Corpus:
    """Return `corpus` with other names for gold, and the notes on gold that follow from them.

    Parameters
    ----------
    names : by a name that gold has and no document, the title that it means. The title may be one
        of an index that the corpus is added to.
    """
    if not any(name in names for query in corpus.queries for name in named_in(query)):
        return corpus
    known = Identities(corpus.claims)
    linker = Linker(known)

    def found(reference: str, source: str) -> Iterable[str]:
        title = names.get(reference)
        return () if title is None else linker.find(title, source) or (title,)

    queries = tuple(with_gold(query, found, known) for query in corpus.queries)
    before = _notes(corpus.queries, linker)
    kept = [note for note in corpus.notes if note not in before]
    return replace(corpus, queries=queries, notes=(*kept, *_notes(queries, linker)))


def questions_naming(queries: Iterable[Query], name: str) -> int:
    """Count the questions that have `name` among their gold."""
    return sum(name in named_in(query) for query in queries)


def _notes(queries: Iterable[Query], linker: Linker) -> list[str]:
    asked = list(queries)
    return [*note_on_missing_gold(asked, linker), *notes_on_near_titles(asked, linker.known)]
