"""Questions to evaluate with, from a file."""

import json
from pathlib import Path

from core.errors import InputError
from core.types import Query


def read_questions(path: Path) -> list[Query]:
    """Questions of a JSONL file: `{id, question, answer, gold: [ids], dataset, type}` a line.

    All but `question` may be missing; the id then is the number of the line. Where several answers
    are right, `answers` is a list of them.

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
    if not isinstance(raw, dict):
        raise _refused(path, number, "it is no JSON object")
    text, gold = raw.get("question"), raw.get("gold") or []
    if not isinstance(text, str) or not text.strip():
        raise _refused(path, number, "it has no 'question'")
    if not isinstance(gold, list) or not all(isinstance(name, str | int) for name in gold):
        raise _refused(path, number, "'gold' is not a list of ids")
    answers = raw.get("answers") or [one for one in [raw.get("answer")] if one is not None]
    if not isinstance(answers, list) or not all(isinstance(one, str) for one in answers):
        raise _refused(path, number, "'answer' is not a text, or 'answers' no list of texts")
    name, kind, dataset = (raw.get(field) for field in ("id", "type", "dataset"))
    return Query(
        id=str(number if name is None else name),
        text=text,
        answers=tuple(dict.fromkeys(one for one in answers if one.strip())),
        gold=tuple(dict.fromkeys(map(str, gold))),
        type=str(kind or ""),
        dataset=str(dataset or ""),
        origin=path.name,
    )


def _refused(path: Path, number: int, why: str) -> InputError:
    return InputError(
        f"{path}, line {number}: {why}. "
        'Write {"id": ..., "question": ..., "gold": [...]} on each line.'
    )
