"""How scores are written: their decimals, and the tones of their parts."""

from collections.abc import Iterable

from core.steps import Offered, Pooled, Ranked, Spread, Step
from core.text.scores import FEWEST, SEEN, decimals

WORDS = "wv"
"""Tones of parts that no card knows, which are words of the question, in turn."""
BY_RANK = "1/rank"
"""What is given for a place in a list."""


def places_of(steps: Iterable[Step]) -> int:
    """How many decimals all scores of a trace have: as many as the list that needs most of them."""
    return max((decimals(_scores(step)) for step in steps), default=FEWEST)


def _scores(step: Step) -> list[float]:
    """Of what it lists, as much as is seen."""
    match step:
        case Offered():
            return [offer.score for offer in step.offers]
        case Spread() | Pooled():
            return [hit.score for hit in step.hits[:SEEN]]
        case Ranked():
            return [hit.score for hit in (*step.hits, *step.pruned[:SEEN])]
        case _:
            return []


def word_tone(at: int) -> str:
    """The tone of the word that stands `at` this place among the parts, from 0."""
    return WORDS[at % len(WORDS)]
