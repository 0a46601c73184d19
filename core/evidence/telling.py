"""Descriptions of what counts as gold in a question set."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from core.evidence.holders import GoldLevel, asked_evidence
from core.types import Evidence, MatchStep, Query

STEPS: dict[MatchStep, str] = {
    "exact": "word for word",
    "normalised": "except for spacing, quotation marks and hyphens",
    "fuzzy": "except for capitals, punctuation or single letters",
    "split": "split across passages",
    "answer": "by matching the answer (paragraph split across passages)",
    "paragraph": "in a paragraph split across passages (any of them counts)",
    "not found": "not found in any passage",
}
"""How evidence was found in the passages of an index."""


def gold_told(questions: Sequence[Query], absent: int = 0) -> str:
    """Describe the gold of questions: evidence and how it was found, or whole documents.

    Parameters
    ----------
    absent : number of whole documents or passages that are not in the index.

    >>> gold_told([Query("a", "Who?", gold=("d1", "d2"))])
    'Gold: 2 whole documents or passages.'
    >>> gold_told([Query("a", "Who?", gold=("d1", "d2"))], absent=1)
    'Gold: 2 whole documents or passages, 1 of them not in the index.'
    """
    asked = [each for query in questions if (each := asked_evidence(query))]
    whole = [query for query in questions if query.gold and not asked_evidence(query)]
    sentences = []
    if asked:
        evidence = [one for each in asked for one in each.values()]
        of = _count(len(asked), "question")
        sentences.append(
            f"Gold: {_count(len(evidence), 'piece')} of evidence in {of}{_found(evidence)}."
        )
    if whole:
        number = sum(len(query.gold) for query in whole)
        of = f" of {_count(len(whole), 'question')} without evidence" if asked else ""
        left = f", {absent:,} of them not in the index" if absent else ""
        kinds = "document or passage" if number == 1 else "documents or passages"
        sentences.append(f"Gold{of}: {number:,} whole {kinds}{left}.")
    return " ".join(sentences) or "Gold: none."


def gold_json(questions: Sequence[Query]) -> dict[str, Any]:
    """Describe the gold of questions and how its evidence was found, as JSON."""
    evidence = [each for query in questions for each in asked_evidence(query).values()]
    steps = Counter(each.step for each in evidence)
    return {
        "gold": level_of_questions(questions),
        "told": gold_told(questions),
        "questions_with_gold": sum(bool(query.gold) for query in questions),
        "evidence": len(evidence),
        "steps": {step: steps[step] for step in STEPS if steps[step]},
    }


def level_of_questions(questions: Iterable[Query]) -> GoldLevel:
    """Return the gold level of questions: evidence if any question has evidence as gold."""
    return "evidence" if any(map(asked_evidence, questions)) else "document"


def _found(evidence: Sequence[Evidence]) -> str:
    """Describe how many pieces of evidence were matched in each way, the closest match first."""
    counts = Counter(each.step for each in evidence)
    ways = [(step, counts[step]) for step in STEPS if counts[step]]
    if len(ways) == 1 and ways[0][1] == len(evidence) > 1:
        return f"; all {len(evidence):,} {_match_phrase(ways[0][0])}"
    listed = ", ".join(f"{number:,} {_match_phrase(step)}" for step, number in ways)
    return f"; {listed}" if listed else ""


def _match_phrase(step: MatchStep) -> str:
    return STEPS[step] if step in ("split", "not found") else f"found {STEPS[step]}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
