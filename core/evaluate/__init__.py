"""Questions with gold through several retrievers: recall, seconds, judgements, differences.

Recall is `R@k` of ir-measures. Gold may name a passage or a document; a document is found at its
best-ranked passage and counted once. Questions without gold are asked, but left out of recall.
"""

from core.evaluate.asking import Progress, ask, evaluate
from core.evaluate.measures import ALL_AT, CUTOFFS, Measures, Report, Row, measure
from core.evaluate.paired import Difference, Paired, differences, pair
from core.evaluate.questions import read_questions

__all__ = [
    "ALL_AT",
    "CUTOFFS",
    "Difference",
    "Measures",
    "Paired",
    "Progress",
    "Report",
    "Row",
    "ask",
    "differences",
    "evaluate",
    "measure",
    "pair",
    "read_questions",
]
