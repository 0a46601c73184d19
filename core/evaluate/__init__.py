"""What came of questions by retrievers, in figures: recall, seconds, differences, and answers.

`core.runs` measures them. Gold may name a passage or a document; a document is found at its
best-ranked passage and counted once. Questions without gold are asked, but left out of recall.
"""

from core.evaluate.measures import Answering, Evaluation, Measures, Outcome, measure
from core.evaluate.paired import Difference, Paired, differences, pair
from core.evaluate.questions import read_questions
from core.evaluate.running import Counted, asked

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
