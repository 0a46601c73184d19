"""From ranked passages to an answer: by a model with citations, or evidence without one."""

from core.answers.context import TOKEN_LIMIT, Context, context
from core.answers.evidence import Evidence, Sentence, evidence
from core.answers.reader import Answer, AnswerReply, Reader
from core.answers.scoring import Score, accuracy, normalised, score
from core.answers.spans import Span, span

__all__ = [
    "TOKEN_LIMIT",
    "Answer",
    "AnswerReply",
    "Context",
    "Evidence",
    "Reader",
    "Score",
    "Sentence",
    "Span",
    "accuracy",
    "context",
    "evidence",
    "normalised",
    "score",
    "span",
]
