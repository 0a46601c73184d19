"""Content of an index after files are added to it, for the preview and for the addition."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.corpus.chunking.chunker import Chunking, chunk
from core.corpus.file_contents import fingerprint, fingerprint_in
from core.corpus.gold.given_evidence import as_given, gold_as_given
from core.corpus.gold.linking import Linker
from core.corpus.ids.document_ids import Identities
from core.corpus.types import Brought, Corpus
from core.corpus.updates.added import Added
from core.corpus.updates.file_changes import Known, find_clashes, merge_files
from core.corpus.updates.messages import with_change_notes
from core.corpus.updates.questions import joined_questions, with_current_gold
from core.store.index import Index
from core.store.source_documents import read_brought
from core.types import Document, Evidence, Passage, Query


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """The documents and questions of an index and of files that are added to it.

    Parameters
    ----------
    corpus : the files, with duplicates and notes that compare them with the index.
    brought : the documents of both, as files brought them.
    known : the documents of both, each text once.
    questions : the questions of both, with the ids that `known` has.
    asked : those of the files alone, as their files have them, with the same ids.
    new : the documents that the index does not have.
    added : how much of it is new.
    is_unchanged : whether the index stays as it is.
    """

    corpus: Corpus
    brought: Sequence[Brought]
    known: Identities
    questions: Sequence[Query]
    asked: Sequence[Query]
    new: Sequence[Document]
    added: Added
    is_unchanged: bool


def join(index: Index, corpus: Corpus, known: Known) -> Joined:
    """Join the documents and questions of `corpus` with those of `index`; nothing is written.

    Parameters
    ----------
    known : what is done with a file of a known name that brings other documents.

    Raises
    ------
    InputError : there is such a file, and `known` is to ask.
    """
    there = read_brought(index)
    clashing = find_clashes(there, corpus.claims)
    brought = merge_files(there, corpus.claims, known)
    before, after = Identities(there), Identities(brought)
    left = {clash.name for clash in clashing} if known == "leave" else set()
    texts = {made.id: fingerprint(made.title, made.text) for made in corpus.documents}
    linker = Linker(after)
    earlier = with_current_gold(index.questions, texts_of(index), linker)
    asked = with_current_gold(
        [one for one in corpus.queries if one.origin not in left], texts, linker
    )
    questions, doubled = joined_questions(earlier, asked, replaced=known == "replace")
    new = [
        made
        for text, made in zip(after.kept, after.documents, strict=True)
        if text not in before.kept
    ]
    said = with_change_notes(corpus, before, after, clashing, known)
    return Joined(
        replace(said, notes=tuple(dict.fromkeys((*said.notes, *doubled)))),
        brought,
        after,
        questions,
        asked,
        new,
        _count_added(new, earlier, asked, questions),
        brought == there and _contents(questions) == _contents(index.questions),
    )


def passages_after(index: Index, joined: Joined) -> list[Passage]:
    """Return the passages of an index once `joined` is added: a document of both counts once."""
    stored: dict[str, list[Passage]] = {}
    for passage in index.passages:
        stored.setdefault(passage.document_id, []).append(passage)
    texts, known = texts_of(index), joined.known
    chunking = Chunking.parse(index.meta.chunking)
    return [
        passage
        for text, document in zip(known.kept, known.documents, strict=True)
        for passage in (
            stored.get(document.id, ())
            if texts.get(document.id) == text
            else chunk([document], chunking, known.separators)
        )
    ]


def texts_of(index: Index) -> dict[str, str]:
    """Return the fingerprint of the text of each document of `index`, by document id."""
    return {document.id: fingerprint_in(document.content_hash) for document in index.documents}


def _contents(questions: Iterable[Query]) -> list[tuple[Query, object, list[Evidence]]]:
    """Return questions with what their equality leaves out: grades, details and evidence."""
    return [
        (query, (dict(query.grades), dict(query.details)), list(map(as_given, query.evidence)))
        for query in questions
    ]


def _count_added(
    new: Sequence[Document],
    earlier: Sequence[Query],
    asked: Sequence[Query],
    questions: Sequence[Query],
) -> Added:
    """Count the documents and questions that are new, and the questions whose gold changed.

    Changed gold was replaced by the gold in the new files, or else changed with the passages.
    """
    gold_after = {query.id: gold_as_given(query) for query in questions}
    gold_in_files = {query.id: gold_as_given(query) for query in asked}
    ids = {query.id for query in earlier}
    changed = [query.id for query in earlier if gold_as_given(query) != gold_after.get(query.id)]
    replaced = sum(gold_after.get(name) == gold_in_files.get(name) for name in changed)
    return Added(len(new), len(gold_after.keys() - ids), replaced, len(changed) - replaced)
