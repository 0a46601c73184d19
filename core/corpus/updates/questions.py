"""The questions of an index when files are added: gold ids follow renamed documents."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from core.corpus.assembly import unique_questions
from core.corpus.gold.linking import Linker, with_gold
from core.corpus.ids.passage_ids import passage_id, split_passage_id
from core.types import Query


def with_current_gold(
    queries: Iterable[Query],
    texts: Mapping[str, str],
    linker: Linker,
    is_current_id: Callable[[str], bool] = lambda _: False,
) -> list[Query]:
    """Return `queries` with gold and evidence under the current ids of the documents.

    Parameters
    ----------
    texts : fingerprint of the text of each document that the gold may name, by the earlier id.
    linker : finds the current ids.
    is_current_id : whether a reference is a current id already; such references are kept.
    """
    known = linker.known

    def current_ids(reference: str, origin: str) -> tuple[str, ...]:
        """Return the current ids of a gold reference; a passage keeps its position."""
        if (text := texts.get(reference)) in known.ids:
            return (known.ids[text],)
        if is_current_id(reference):
            return (reference,)
        document, position = split_passage_id(reference) or ("", "")
        if (text := texts.get(document)) in known.ids:
            return (passage_id(known.ids[text], position, known.separators),)
        return linker.find(reference, origin)

    return [with_gold(query, current_ids, known) for query in queries]


def joined_questions(
    there: Sequence[Query], fresh: Sequence[Query], *, replaced: bool
) -> tuple[list[Query], list[str]]:
    """Return the questions of an index and the added ones, each once, and notes on the changes.

    A question that is added again from the same file replaces the earlier one in its place; if its
    text differs, only when the file is `replaced`. Otherwise, a different text with the same id is
    kept under a new id.
    """
    added = {query.id: query for query in fresh}
    joined = []
    for query in there:
        other = added.get(query.id)
        same = other and other.origin == query.origin and (replaced or other.text == query.text)
        joined.append(added.pop(query.id) if same else query)
    return unique_questions([*joined, *added.values()])
