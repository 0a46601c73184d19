"""The questions of an index when files join it: their gold follows the documents that it names."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from core.corpus.assembly import unique
from core.corpus.gold.linking import Linker, with_gold
from core.corpus.ids.passage_ids import passage_id, split_passage_id
from core.types import Query


def asked_of(
    queries: Iterable[Query],
    texts: Mapping[str, str],
    linker: Linker,
    stands: Callable[[str], bool] = lambda _: False,
) -> list[Query]:
    """`queries` with gold and evidence as the documents that `linker` knows are called.

    Parameters
    ----------
    texts : the text (`fingerprint` of it) of each document that the gold may name, by its id.
    stands : whether a reference is an id already; it stays as it is then.
    """
    known = linker.known

    def now(reference: str, origin: str) -> tuple[str, ...]:
        if (text := texts.get(reference)) in known.ids:
            return (known.ids[text],)
        if stands(reference):
            return (reference,)
        document, position = split_passage_id(reference) or ("", "")
        if (text := texts.get(document)) in known.ids:
            return (passage_id(known.ids[text], position, known.separators),)
        return linker.find(reference, origin)

    return [with_gold(query, now, known) for query in queries]


def joined_questions(
    there: Sequence[Query], fresh: Sequence[Query], *, replaced: bool
) -> tuple[list[Query], list[str]]:
    """Questions of an index and those that come, each once, and sentences on what was changed.

    One that comes again from the same file takes its own place, also with another text if the
    file is `replaced`; else another text of the same id is kept under an id of its own.
    """
    coming = {query.id: query for query in fresh}
    joined = []
    for query in there:
        other = coming.get(query.id)
        same = other and other.origin == query.origin and (replaced or other.text == query.text)
        joined.append(coming.pop(query.id) if same else query)
    return unique([*joined, *coming.values()])
