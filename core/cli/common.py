"""Helpers that several commands share. Heavy modules are imported only where needed."""

import json
import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.errors import InputError
from core.places import Place

if TYPE_CHECKING:
    from rich.console import Console

    from core.artefacts.workbench import Workbench
    from core.evidence import GoldLevel
    from core.store.index import Index
    from core.types import Query

_INDEX = typer.Option(
    "--index",
    metavar="DIR",
    help="Path of the index folder, or the name of an index shown in the app (HOPRAG_HOME).",
)
IndexOption = Annotated[str, _INDEX]
AnyIndexOption = Annotated[str | None, _INDEX]
JsonFlag = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]

_PIPED_WIDTH = 160  # columns of a table that goes into a file or another program


def index_place(text: str) -> Place:
    """Return the place that `--index` names."""
    from core.library import catalogue

    return catalogue.find(text)


def open_workbench(index: str) -> "Workbench":
    """Return the index with its embedder and the language model that is configured, if any."""
    quiet()
    from core.api.opening import open_index

    return open_index(index).workbench


def stored_index(place: str | Place) -> "Index":
    """Return an index without its embedder, which takes seconds to load.

    Parameters
    ----------
    place : what `--index` names, or the place itself.
    """
    from core.store.index import Index

    return Index.open(index_place(place) if isinstance(place, str) else place)


def quiet() -> None:
    """Disable the progress bars of the model library; call this before it is imported."""
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")


def print_json(value: Any) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=1) + "\n")


def note(text: str) -> None:
    """Print a remark on standard error."""
    sys.stderr.write(plain(text) + "\n")


def plain(text: str) -> str:
    """Return corpus text as one line without control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def console() -> "Console":
    """Return the console for tables; corpus text is printed without markup."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else _PIPED_WIDTH
    return Console(width=width, markup=False, highlight=False, emoji=False)


def check_place(path: Path | None) -> None:
    """Raise InputError if `path` cannot be written. An existing file is not changed."""
    if path is None:
        return
    try:
        new = not path.exists()
        with path.open("ab"):
            pass
        if new:
            path.unlink()
    except OSError as error:
        raise _unwritable(path, error) from error


def write_file(path: Path, content: bytes) -> None:
    """Write bytes to a file; raise InputError if that fails."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> InputError:
    return InputError(f"Could not write {path} ({error.strerror}). Use another file name.")


def read_set(questions: Path, index: "Index", level: "GoldLevel" = "evidence") -> "list[Query]":
    """Read the questions of a file with gold in an index, and report what was changed."""
    from core.runs.question_sets import questions_in

    question_set = questions_in(questions, index, level=level)
    for remark in question_set.notes:
        note(f"Note: {remark}")
    return question_set.questions


def check_questions(questions: Path | None) -> None:
    """Raise InputError if the question file does not exist."""
    if questions and not questions.is_file():
        raise InputError(f"Could not read {questions}. Provide a question file.")


def set_of(questions: Path | None, index: "Index", level: "GoldLevel") -> "list[Query]":
    """Return the questions of a file, or the index's own, and print what counts as gold.

    Raises
    ------
    InputError : the file contains no question.
    """
    from core.evidence import gold_told
    from core.runs.question_sets import own_questions

    asked = read_set(questions, index, level) if questions else own_questions(index, level)
    note(gold_told(asked))
    return asked


RunNameOption = Annotated[
    str,
    typer.Option(
        "--run",
        metavar="NAME",
        help="Store the results as a run with this name. Resumes a stopped run.",
    ),
]


class GoldChoice(StrEnum):
    """What counts as gold (`core.marks.gold.GoldLevel`)."""

    evidence = "evidence"
    document = "document"


GoldOption = Annotated[
    GoldChoice,
    typer.Option(
        "--gold",
        help="What counts as gold: each piece of evidence, if questions have evidence, or whole "
        "documents.",
    ),
]
