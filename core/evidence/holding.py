"""Find the retrieved texts that contain the evidence of a question."""

from collections.abc import Mapping, Sequence

from core.corpus.record_formats.retrieved_results import Context
from core.evidence.matching import Candidate, matched
from core.types import Evidence, Passage

ContextParts = tuple[tuple[int, ...], ...]
"""Groups of contexts, by their places from 0. One context of each group is needed."""


def held_evidence(
    evidence: Mapping[str, Evidence], contexts: Sequence[Context]
) -> dict[str, ContextParts]:
    """Return the contexts that contain each piece of evidence in their own text, by gold id.

    So another chunking counts. Evidence that they do not hold is left out.
    """
    texts = [
        Candidate(Passage(str(place), "", place, one.title, one.text))
        for place, one in enumerate(contexts)
        if one.text
    ]
    if not texts:
        return {}
    parts_by_evidence = {name: matched(each, texts).parts for name, each in evidence.items()}
    return {
        name: tuple(tuple(map(int, part)) for part in parts)
        for name, parts in parts_by_evidence.items()
        if parts
    }
