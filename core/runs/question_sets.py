"""Question sets: the index's own, and those of files in any format the corpus readers support."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.corpus.file_contents import fingerprint
from core.corpus.gold.linking import Linker, ambiguous
from core.corpus.ids.document_ids import Identities
from core.corpus.types import Corpus
from core.corpus.updates.questions import with_current_gold
from core.errors import InputError
from core.evaluation.questions import questions_of_file
from core.evidence import GoldLevel, evidence_by_id, with_evidence_as_gold, with_passages
from core.marks.marking import marked_questions
from core.store.index import Index
from core.store.source_documents import read_brought
from core.types import Query

OWN = "index"
"""What the index's own question set is called."""


def own_questions(index: Index, level: GoldLevel = "evidence") -> list[Query]:
    """Return the questions of the index and typed questions with marks, with their gold.

    Parameters
    ----------
    level : what counts as gold.

    Raises
    ------
    InputError : there is none.
    """
    questions = [
        replace(query, gold=gold.ids, grades=_grades(query, gold.ids), marked=gold.marked)
        for query, gold in marked_questions(index, level)
    ]
    if not questions:
        raise InputError(
            f"{index.name} has no questions. Provide a question file, or add questions to the "
            "index."
        )
    return questions


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions of a file; `notes` are sentences on what of them was changed or left out."""

    questions: list[Query]
    notes: tuple[str, ...]


def _grades(query: Query, gold: Sequence[str]) -> dict[str, float]:
    """Return the grades of gold ids that are not 1."""
    own = {name: each.grade for name, each in evidence_by_id(query).items()}
    grades = {name: own.get(name, query.grades.get(name, 1.0)) for name in gold}
    return {name: grade for name, grade in grades.items() if grade != 1}


def questions_in(
    path: Path, index: Index, name: str = "", level: GoldLevel = "evidence"
) -> QuestionSet:
    """Read the questions of a file, whose gold names evidence, passages or documents.

    A reference to gold is resolved as at a build (`core.corpus.gold.linking`). For a benchmark with
    its paragraphs, gold is found in the index by its text.

    Parameters
    ----------
    name : what the user calls the file, if not by its own name.
    level : what counts as gold.

    Raises
    ------
    InputError : it cannot be read, or holds no question.
    """
    corpus = questions_of_file(path, name)
    linked = _linked(corpus, index)
    if level == "document":
        return linked
    mapped = with_passages(linked.questions, index.passages)
    asked = map(with_evidence_as_gold, mapped)
    graded = [replace(query, grades=_grades(query, query.gold)) for query in asked]
    return QuestionSet(graded, linked.notes)


def _linked(corpus: Corpus, index: Index) -> QuestionSet:
    """Return questions with their gold linked to the index."""
    texts = {each.id: fingerprint(each.title, each.text) for each in corpus.documents}
    named = all(index.holds(each) for query in corpus.queries for each in query.gold)
    placed = all(
        each.text and index.holds(each.document)
        for query in corpus.queries
        for each in query.evidence
    )
    if named and placed and not texts:
        return QuestionSet(list(corpus.queries), corpus.question_notes)
    linker = Linker(Identities(read_brought(index)))
    linked = with_current_gold(corpus.queries, texts, linker, index.holds)
    notes = (*corpus.question_notes, *ambiguous(linked, linker))
    return QuestionSet(linked, notes)
