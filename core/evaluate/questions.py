"""Questions to evaluate with, from a file."""

import json
from pathlib import Path

from core.errors import InputError
from core.text.clean import clean, one_line
from core.types import Query

_KNOWN = {"id", "question", "answer", "answers", "gold", "type", "dataset"}
_LONGEST = 80  # characters of a value by which questions may be told apart


def read_questions(path: Path) -> list[Query]:
    """Questions of a JSONL file: `{id, question, answer, gold: [ids], dataset, type}` a line.

    All but `question` may be missing; the id then is the number of the line. Where several answers
    are right, `answers` is a list of them. What else a line says in few words are `fields`.

    Raises
    ------
    InputError : the file cannot be read, or a line is not such an object; it names the line.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InputError(f"{path} cannot be read: {why}. Give a JSONL file.") from error
    found: dict[str, Query] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            question = _question(line, number, path)
            if question.id in found:
                raise _refused(path, number, f"the id {question.id!r} was used before")
            found[question.id] = question
    if not found:
        raise InputError(f"{path} holds no question. Write one JSON object a line.")
    return list(found.values())


def _question(line: str, number: int, path: Path) -> Query:
    try:
        raw = json.loads(line)
    except ValueError as error:
        raise _refused(path, number, f"it is no JSON ({error})") from error
    except RecursionError as error:
        raise _refused(path, number, "it is JSON nested too deeply") from error
    if not isinstance(raw, dict):
        raise _refused(path, number, "it is no JSON object")
    text, gold = raw.get("question"), raw.get("gold") or []
    if not isinstance(text, str) or not one_line(text):
        raise _refused(path, number, "it has no 'question'")
    if not isinstance(gold, list) or not all(isinstance(name, str | int) for name in gold):
        raise _refused(path, number, "'gold' is not a list of ids")
    answers = raw.get("answers") or [one for one in [raw.get("answer")] if one is not None]
    if not isinstance(answers, list) or not all(isinstance(one, str) for one in answers):
        raise _refused(path, number, "'answer' is not a text, or 'answers' no list of texts")
    name, kind, dataset = (raw.get(field) for field in ("id", "type", "dataset"))
    return Query(
        # What cannot be stored or printed is left out here, as it is where documents are read.
        id=_word(name) or str(number),
        text=one_line(text),
        answers=tuple(dict.fromkeys(one for one in map(clean, answers) if one.strip())),
        gold=tuple(dict.fromkeys(clean(str(one)) for one in gold)),
        type=_word(kind),
        dataset=_word(dataset),
        origin=path.name,
        fields={
            _word(name): _word(value) for name, value in raw.items() if _says_more(name, value)
        },
    )


def _says_more(name: str, value: object) -> bool:
    """Whether a field says something of the question that has no place of its own."""
    return name not in _KNOWN and _word(value).strip() != "" and len(_word(value)) <= _LONGEST


def _word(value: object) -> str:
    """A short text or a number as text; nothing for anything else."""
    return clean(str(value)) if isinstance(value, str | int | float) else ""


def _refused(path: Path, number: int, why: str) -> InputError:
    return InputError(
        f"{path}, line {number}: {why}. "
        'Write {"id": ..., "question": ..., "gold": [...]} on each line.'
    )
