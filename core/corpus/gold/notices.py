"""Sentences on gold and evidence that are not what their files may have meant."""

from collections.abc import Iterable, Sequence

from core.corpus.gold.linking import Linker
from core.corpus.ids.document_ids import Identities
from core.text.display.plurals import counted, number
from core.types import Query


def without_gold(queries: Sequence[Query]) -> list[str]:
    """Return a sentence on questions that name neither gold nor evidence, unless they have no
    answer.
    """
    bare = [q.id for q in queries if not (q.gold or q.evidence or q.unanswerable)]
    if bare and len(bare) == len(queries):
        return [
            "No question has gold, so retrieval cannot be measured. Add a field gold with "
            "the ids or titles of the documents that answer each question, or a field "
            "evidence with the texts"
        ]
    return [
        f"Without gold: {len(bare):,} of {len(queries):,} questions, such as '{bare[0]}'; recall "
        "is measured on the others"
        for _ in bare[:1]
    ]


def renumbered_references(queries: Iterable[Query], linker: Linker) -> list[str]:
    """Return a sentence on references to documents by a number that their ids write otherwise.

    Parameters
    ----------
    queries : as their files have them.
    """
    passages: dict[str, str] = {}
    for query in queries:
        for reference in (*query.gold, *(each.document for each in query.evidence)):
            if reference not in passages and (name := linker.by_number(reference, query.origin)):
                passages[reference] = name
    return [
        f"{counted(len(passages), 'gold reference is a number', 'gold references are numbers')} "
        f"written differently from the ids, such as '{reference}' for '{name}'"
        for reference, name in list(passages.items())[:1]
    ]


def note_on_unknown_documents(queries: Iterable[Query], known: Identities) -> list[str]:
    """Return a sentence about evidence whose document is not in the corpus.

    Without any document nothing is missing: the questions belong to an existing index.
    """
    lost = [
        (query, each.document)
        for query in queries
        for each in query.evidence
        if known.documents and each.document and not known.has(each.document)
    ]
    asked = {query.id for query, _ in lost}
    return [
        f"Evidence of {number(len(asked), 'question')} refers to documents that "
        f"are not in this corpus, such as '{name}'; evidence with a text is searched for "
        "in all documents"
        for _, name in lost[:1]
    ]
