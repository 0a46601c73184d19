"""Question sets: the index's own, and those of files of any form that the corpus readers know."""

import json
from dataclasses import replace
from pathlib import Path

from core.corpus.contents import fingerprint
from core.corpus.files import read_files
from core.corpus.identity import Identities
from core.corpus.questions import asked_of
from core.errors import InputError
from core.evaluate.questions import read_questions
from core.marks.marking import marked_questions
from core.store.brought import read_brought
from core.store.index import Index
from core.types import Query

OWN = "index"
"""What the index's own question set is called."""


def own_questions(index: Index) -> list[Query]:
    """The questions of the index, and typed ones that have marks, each with the gold it has now.

    Raises
    ------
    InputError : there is none.
    """
    found = [replace(query, gold=gold.ids) for query, gold in marked_questions(index)]
    if not found:
        raise InputError(
            f"{index.name} has no questions of its own. Give a file of questions, or add them to "
            "the index."
        )
    return found


def questions_in(path: Path, index: Index, name: str = "") -> list[Query]:
    """The questions of a file, whose gold names passages or documents of the index.

    A JSONL file of `{id, question, gold, ...}` is read as it is. Of any other form, such as a
    benchmark with its paragraphs, gold is found in the index by the text of what it names.

    Parameters
    ----------
    name : what the user calls the file, if not by its own name.

    Raises
    ------
    InputError : it cannot be read, or holds no question.
    """
    found = read_questions(path) if _is_lines(path) else []
    if not any(query.gold for query in found):
        found = _any_form(path, index, name) or found
    if not found:
        raise InputError(
            f"{name or path.name} holds no question. Give a file of questions, such as JSONL with "
            '{"question": ..., "gold": [...]} on each line.'
        )
    return found


def _is_lines(path: Path) -> bool:
    """Whether a file begins with a line of a question; where it cannot be read, it is to say so."""
    if not path.is_file():
        return True
    try:
        with path.open(encoding="utf-8-sig") as stream:
            first = next((line for line in stream if line.strip()), "")
        found = json.loads(first)
    except (OSError, ValueError, RecursionError):
        return path.suffix.lower() == ".jsonl"
    return isinstance(found, dict) and isinstance(found.get("question"), str)


def _any_form(path: Path, index: Index, name: str) -> list[Query]:
    corpus = read_files([path], names={path: name} if name else None)
    if corpus.rejected and not corpus.queries:
        raise InputError(str(corpus.rejected[0]))
    texts = {each.id: fingerprint(each.title, each.text) for each in corpus.documents}
    return asked_of(corpus.queries, texts, Identities(read_brought(index)))
