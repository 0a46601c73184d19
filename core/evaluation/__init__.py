"""Evaluation of retrievers on questions: recall, time, paired differences, and answers.

`core.runs` measures them. Gold may name a passage or a document; a document is found at its
best-ranked passage and counted once. Questions without gold are asked, but left out of recall.
"""

from core.evaluation.measures import Answering, Evaluation, Measures, Outcome, measure
from core.evaluation.paired import Difference, Paired, differences, pair
from core.evaluation.questions import read_questions
from core.evaluation.running import Counted, asked

__all__ = [
    "Answering",
    "Counted",
    "Difference",
    "Evaluation",
    "Measures",
    "Outcome",
    "Paired",
    "asked",
    "differences",
    "measure",
    "pair",
    "read_questions",
]
