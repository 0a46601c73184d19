"""Counterfactuals: changed choices of a walk, and their outcomes."""

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
    amendments_text,
    append_amendment,
    parse,
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
    "amendments_of",
    "amendments_text",
    "append_amendment",
    "in_words",
    "outcomes",
    "parse",
]
