"""Turn questions and their answers into documents if the files have no documents."""

from dataclasses import replace

from core.corpus.file_contents import document
from core.corpus.ids.document_ids import Identities
from core.corpus.types import Brought, Corpus
from core.types import Document, Query


def is_faq(query: Query) -> bool:
    """Return whether a question has answers but no gold, evidence, type, data set or details."""
    measured = query.gold or query.evidence or query.type or query.dataset or query.details
    return bool(query.answers) and not measured


def with_faqs(corpus: Corpus) -> Corpus:
    """Return `corpus` with a document for each question and its answers, if it has no document.

    The question is the title, the answers are the text. The questions stay, and their gold is the
    document. `assemble` notes how many there are.
    """
    faqs = {query.id: query for query in corpus.queries if is_faq(query)}
    if corpus.documents or not faqs:
        return corpus
    brought = tuple(Brought(_document(query)) for query in faqs.values())
    known = Identities(brought)

    def answered(query: Query) -> Query:
        passage = known.find(query.id, query.origin) if query.id in faqs else None
        return replace(query, gold=(passage,)) if passage else query

    return replace(
        corpus,
        documents=known.documents,
        queries=tuple(map(answered, corpus.queries)),
        brought=brought,
    )


def _document(query: Query) -> Document:
    """Make a document of a question: its text is the title, its answers are the lines."""
    return document(
        query.text,
        "\n".join(query.answers),
        query.origin,
        given=query.id,
        metadata=dict(query.fields),
    )
