"""Two halves of a question set, alike in their types of questions."""

import random
from collections.abc import Iterable

from core.types import Query

Half = frozenset[str]
"""Ids of questions."""


def halves(questions: Iterable[Query], seed: int = 0) -> tuple[Half, Half]:
    """Split the questions with gold at random, each type as evenly as its number allows.

    The halves differ by one question at most, and are the same for every order of `questions`.
    """
    strata: dict[str, list[str]] = {}
    for question in sorted(questions, key=lambda one: one.id):
        if question.gold:
            strata.setdefault(question.type, []).append(question.id)
    drawn, dealt = random.Random(seed), []
    for kind in sorted(strata):
        drawn.shuffle(strata[kind])
        dealt += strata[kind]
    return frozenset(dealt[::2]), frozenset(dealt[1::2])
