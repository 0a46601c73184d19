"""Similarity of each search of a retrieval to the one before it (LogicRAG, arXiv 2508.06105)."""

from collections.abc import Sequence
from itertools import pairwise

from core.models.embedder import Embedder
from core.steps import ROOT, Asked, Step


def similarities(steps: Sequence[Step], embedder: Embedder) -> tuple[float, ...]:
    """Return the cosine of each search's query with that of the search before it.

    Only searches that embed their query count, on an embedder of this machine: others would embed
    texts for nothing else, and a server may charge for them.

    Parameters
    ----------
    steps : of a retrieval; its searches are the retrievals that it nests directly.
    """
    searches = [step for step in steps if isinstance(step, Asked) and _is_search(step.id)]
    embedded = [step.query for step in searches if step.told.cost.seconds > 0]
    if len(embedded) < 2 or embedder.info.version:
        return ()
    vectors = embedder.encode(embedded)
    return tuple(float(one @ other) for one, other in pairwise(vectors))


def _is_search(name: str) -> bool:
    return name != ROOT and "." not in name
