"""TREC run files to results."""

import math
from collections.abc import Iterator

from core.corpus.record_formats.retrieved_results import Context, Result
from core.errors import InputError

LINE = "each line is 'question Q0 passage rank score tag'."


def trec_results(text: str, name: str) -> Iterator[Result]:
    """Yield the ranking of each question by its scores; ranks in the file do not count.

    Passages of the same score stay as the file has them. A passage that is named twice has its
    best score.

    Raises
    ------
    InputError : a line is none of a TREC run, or its score is no number to rank by.
    """
    scores_by_question: dict[str, dict[str, float]] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            question, passage, score = _scored(line, f"Line {number:,} of {name}")
            scores = scores_by_question.setdefault(question, {})
            scores[passage] = max(scores.get(passage, -math.inf), score)
    for question, scores in scores_by_question.items():
        ranked = sorted(scores.items(), key=lambda one: -one[1])
        contexts = tuple(Context(id=passage, score=score) for passage, score in ranked)
        yield Result(id=question, contexts=contexts)


def _scored(line: str, where: str) -> tuple[str, str, float]:
    """Question, passage and score of a line."""
    try:
        question, _, passage, _, score, _ = line.split()
        value = float(score)
    except ValueError:
        raise InputError(f"{where} is not a line of a TREC run: {LINE}") from None
    if not math.isfinite(value):
        raise InputError(f"{where} has the score {score}, which cannot be used for ranking.")
    return question, passage, value
