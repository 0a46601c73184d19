"""Questions to evaluate with, from a file."""

from pathlib import Path

from core.corpus.files import read_files
from core.corpus.types import Corpus
from core.errors import InputError
from core.types import Query


def read_questions(path: Path) -> list[Query]:
    """Return questions of a file, with gold as the file names it (`core.runs.question_sets` looks
    it up).

    The file is read as it is for a build: JSON Lines of `{id, question, answer, gold: [ids],
    dataset, type}`, CSV with such columns, or a benchmark. All but `question` may be missing.

    Raises
    ------
    InputError : the file cannot be read, or holds no question.
    """
    return list(questions_of_file(path).queries)


def questions_of_file(path: Path, name: str = "") -> Corpus:
    """Read a file of questions, with at least one question.

    Parameters
    ----------
    name : what the user calls the file, if not by its own name.

    Raises
    ------
    InputError : the file cannot be read, or holds no question.
    """
    corpus = read_files([path], names={path: name} if name else None)
    if corpus.queries:
        return corpus
    if corpus.rejected:
        raise InputError(str(corpus.rejected[0]))
    raise InputError(
        f"{name or path.name} contains no questions. Provide a question file, such as JSONL "
        'with {"question": ..., "gold": [...]} on each line.'
    )
