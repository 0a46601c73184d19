"""What would have been: choices of a walk that a person makes otherwise, and what came of them."""

from core.counterfactual.amendments import (
    LONGEST,
    MOST,
    PLAIN,
    Amendment,
    Amendments,
    Judge,
    Refuse,
    Seed,
    Take,
    amended,
    parse,
    written,
)
from core.counterfactual.outcome import Outcome, amendments_of, outcomes
from core.counterfactual.words import in_words

__all__ = [
    "LONGEST",
    "MOST",
    "PLAIN",
    "Amendment",
    "Amendments",
    "Judge",
    "Outcome",
    "Refuse",
    "Seed",
    "Take",
    "amended",
    "amendments_of",
    "in_words",
    "outcomes",
    "parse",
    "written",
]
