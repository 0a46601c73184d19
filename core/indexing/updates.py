"""Corpus to index: built, added to, taken from.

Whatever was put in and taken out, an index is what a build from scratch makes of what is left.
"""

from collections.abc import Callable, Collection, Sequence
from functools import partial

from core.corpus.chunking.chunker import Chunking
from core.corpus.extraction_files import NO_EXTRACTION, Extract, Extraction
from core.corpus.gold.linking import Linker
from core.corpus.ids.document_ids import Identities
from core.corpus.types import Brought, Corpus
from core.corpus.updates.added import Added
from core.corpus.updates.file_changes import Known, remove_documents
from core.corpus.updates.questions import with_current_gold
from core.edits import forget_edits
from core.errors import IndexIncompatible, InputError
from core.hop_graph.given_graph import GivenGraph
from core.hop_graph.pseudo_queries import RULES, Maker, limits_of
from core.indexing.builder import Content, Cut, Make, unheard, write_index
from core.indexing.joining import join, texts_of
from core.marks.texts import keep_texts
from core.models.embedder import Embedder
from core.places import Place
from core.progress import Progress, Report
from core.store.extraction_table import Matched, kept_extraction
from core.store.index import Index
from core.store.locking.writer_lock import writer_lock
from core.store.metadata import Meta
from core.store.source_documents import read_brought
from core.store.tables import check_embedder, last_meta
from core.store.writer import discard_damaged
from core.types import Query

FIT = Chunking()
Account = Callable[[Corpus], None]


def _unheard(_: list[str]) -> None:
    """Ignore the notes."""


def _uncounted(_: Added) -> None:
    """Ignore how much is new."""


def _require_match(
    tell: Callable[[list[str]], None], extraction: Extraction, fits: Matched, total: int
) -> None:
    """Raise InputError if no record matches a passage; else tell how many do."""
    if not fits.found:
        raise InputError(
            f"No record in {extraction.source} matches any of the {total:,} passages. Each "
            "record needs the id, title, text or text hash of a passage. Keep whole "
            "documents (--chunk as-is)."
        )
    tell(fits.told(extraction, total))


def build(
    folder: Place,
    corpus: Corpus,
    embedder: Embedder,
    report: Report,
    *,
    chunking: Chunking = FIT,
    maker: Maker = RULES,
    restart: bool = False,
    cut: Cut = unheard,
    make: Make | None = None,
    extraction: Extraction | Extract = NO_EXTRACTION,
    tell: Callable[[list[str]], None] = _unheard,
) -> Meta:
    """Make `folder` an index of `corpus`, replacing what it held.

    Parameters
    ----------
    maker : makes the pseudo-queries.
    cut : is told what the chunking did.
    restart : build over an index that another embedder made or that is damaged, which is refused
        otherwise.
    make : does the stages, in this process if nothing else is said.
    extraction : entities and triples from elsewhere, or what extracts them; `tell` is told which of
        them fit.

    Raises
    ------
    InputError : the corpus holds no passage, nothing of `extraction` fits one, or an engine is
        given vectors or edges.
    IndexLocked : another process is writing this index.
    IndexIncompatible : another embedder made it and `restart` is not set.
    """
    if make and any(made.vector for made in corpus.documents):
        raise InputError(
            "A build with --on embeds all passages itself, but these passages already have "
            "vectors. Build without --on."
        )
    if make and isinstance(maker, GivenGraph):
        raise InputError(
            "A build with --on creates the edges itself. To use a given graph, build without --on."
        )
    with writer_lock(folder, "a build"):
        keep_texts(folder)
        if restart:
            discard_damaged(folder)
        elif meta := last_meta(folder):
            check_embedder(meta, embedder.info, folder.name)
        forget_edits(folder)
        match_or_tell = partial(_require_match, tell)
        content = Content(corpus.claims, corpus.queries, chunking, extraction, match_or_tell)
        return write_index(folder, content, embedder, report, maker, cut, make)


def add(
    folder: Place,
    corpus: Corpus,
    embedder: Embedder,
    report: Report,
    *,
    maker: Maker = RULES,
    extract: Extract | None = None,
    known: Known = "ask",
    again: bool = False,
    account: Account | None = None,
    cut: Cut = unheard,
    counted: Callable[[Added], None] = _uncounted,
) -> Meta:
    """Add what files bring, as if they had been read together with those that are there.

    A file that is there already, unchanged, changes nothing.

    Parameters
    ----------
    maker : the one that made the index; one that asks a model asks about what is new.
    extract : extracts the entities and triples of all passages; without it, known passages keep
        theirs, and rules extract those of new ones.
    known : what is done with a file of a known name that brings other documents.
    again : have the maker make all questions, though nothing is new.
    cut : is told what the index's chunking did to all documents.
    account : is told the corpus as it is taken, with duplicates and ids that changed.
    counted : is told how much of it is new.

    Raises
    ------
    InputError : there is such a file, and `known` is to ask.
    IndexIncompatible : another embedder or another maker made the index.
    """
    with writer_lock(folder, "adding documents"):
        index = Index.open(folder, embedder.info)
        check_maker(index.meta, maker, folder.name)
        after = join(index, corpus, known)
        if account:
            account(after.corpus)
        counted(after.added)
        if after.is_unchanged and not again and index.repeated_id is None:
            report(Progress("write", 1, 1))
            return index.meta
        chunking = Chunking.parse(index.meta.chunking)
        extraction = extract or kept_extraction(index)
        content = Content(after.brought, after.questions, chunking, extraction)
        return write_index(folder, content, embedder, report, maker, cut)


def remove(
    folder: Place,
    document_ids: Collection[str],
    embedder: Embedder,
    report: Report,
    *,
    maker: Maker = RULES,
    account: Account | None = None,
) -> Meta:
    """Take documents out, with their passages, questions and edges.

    A text that another file has brought too stays as that one's.

    Parameters
    ----------
    account : is told so, in the notes of a corpus that is otherwise empty.

    Raises
    ------
    InputError : one of them is not in the index; nothing is removed then.
    IndexIncompatible : another embedder or another maker made the index.
    """
    with writer_lock(folder, "removing documents"):
        index = Index.open(folder, embedder.info)
        check_maker(index.meta, maker, folder.name)
        unknown = sorted(set(document_ids) - {document.id for document in index.documents})
        if unknown:
            raise InputError(
                f"{folder.name} has no document {', '.join(map(repr, unknown[:5]))}. Find ids "
                "on the Build page or with python -m core info --json"
            )
        brought, notes = remove_documents(read_brought(index), document_ids)
        if account:
            account(Corpus((), (), notes=tuple(notes)))
        chunking, kept = Chunking.parse(index.meta.chunking), kept_extraction(index)
        content = Content(brought, asked_again(index, brought), chunking, kept)
        return write_index(folder, content, embedder, report, maker)


def asked_again(index: Index, brought: Sequence[Brought]) -> list[Query]:
    """Return the questions of `index`, with their gold among the documents of `brought`."""
    return with_current_gold(index.questions, texts_of(index), Linker(Identities(brought)))


def check_maker(meta: Meta, maker: Maker, name: str) -> None:
    """Raise IndexIncompatible unless `maker`, with its limits, made the index called `name`."""
    made, limits = meta.maker or RULES.name, limits_of(maker)
    if made != maker.name:
        raise IndexIncompatible(
            f"{name} has pseudo-queries generated by {made}, but {maker.name} is selected. Select "
            f"{made}, or rebuild the index with {maker.name}."
        )
    if meta.limits != limits:
        raise IndexIncompatible(
            f"{name} has {str(meta.limits) or 'automatic limits'}, but "
            f"{str(limits) or 'automatic limits'} are selected. Select those of the "
            "index, or rebuild it."
        )
