"""A model as judge of answers: whether one means the same as a reference answer.

LogicRAG (arXiv 2508.06105) and HiGraAgent (EACL 2026) report such an accuracy. The prompt is ours.
"""

from collections.abc import Sequence

from pydantic import BaseModel, StrictBool

from core import prompts
from core.answers.scoring import abstains, score
from core.models.prompt import Prompt

NAME = "judge"
"""What its prompt is called, among the kept replies too."""
LONGEST = 200
"""Tokens of a reply: a short sentence and a verdict."""


class Verdict(BaseModel):
    """What the model is asked to return."""

    reason: str
    correct: StrictBool


def known_verdict(answer: str, right: Sequence[str]) -> float | None:
    """Return the verdict where no model is needed for it; None where one has to judge.

    No answer at all, and any answer to a question that has none, is as right as by exact match.
    """
    unanswerable = not right or any(map(abstains, right))
    return score(answer, right).em if unanswerable or abstains(answer) else None


def judge_prompt(question: str, answer: str, right: Sequence[str]) -> Prompt:
    """Return the prompt that asks the model to judge an answer."""
    return prompts.prompt(
        NAME, Verdict, longest=LONGEST, question=question, references=list(right), answer=answer
    )


def read_verdict(text: str) -> Verdict:
    """Return the verdict in what the model wrote; raises ReplyUnreadable."""
    return prompts.read(text, Verdict)
