"""Questions through several retrievers: recall, seconds, judgements, differences, and answers.

Recall is `R@k` of ir-measures. Gold may name a passage or a document; a document is found at its
best-ranked passage and counted once. Questions without gold are asked, but left out of recall.
"""

from core.evaluate.answering import check_answers, unasked, with_answers
from core.evaluate.measures import (
    Answering,
    Evaluation,
    Measures,
    Outcome,
    measure,
)
from core.evaluate.paired import Difference, Paired, differences, pair
from core.evaluate.questions import read_questions
from core.evaluate.running import Counted, ask, evaluate

__all__ = [
    "Answering",
    "Counted",
    "Difference",
    "Evaluation",
    "Measures",
    "Outcome",
    "Paired",
    "ask",
    "check_answers",
    "differences",
    "evaluate",
    "measure",
    "pair",
    "read_questions",
    "unasked",
    "with_answers",
]
