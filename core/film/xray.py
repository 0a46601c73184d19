"""The edges of a film from within: both questions of each, and the sentences they came from."""

from collections.abc import Mapping

from core.film.cast import Cast
from core.film.data import XrayData
from core.film.unseen import Held
from core.film.words import QUESTION, SENTENCE, cropped, rounded
from core.playback import Frame

MOST = 250
"""Edges that are told from within: those that were followed, then those first on offer."""


def xrays(cast: Cast, last: Frame, index: Held | None) -> dict[str, XrayData]:
    """By number of the line; without an index, only what a trace has of an edge."""
    numbers = [number for number, line in enumerate(cast.lines) if line.id in cast.edges]
    numbers.sort(key=lambda number: cast.lines[number].id not in last.walked)
    asked = _questions(cast, numbers[:MOST], index)
    found: dict[str, XrayData] = {}
    for number in numbers[:MOST]:
        edge = cast.edges[cast.lines[number].id]
        made: XrayData = {
            "similarity": rounded(edge.similarity),
            "jaccard": rounded(edge.jaccard),
            "cosine": rounded(edge.cosine),
        }
        if edge.out_query_id in asked and edge.in_query_id in asked:
            made["raised"], made["raised_from"], words = asked[edge.out_query_id]
            made["answered"], made["answered_from"], others = asked[edge.in_query_id]
            made["shared"] = sorted(words & others)
        found[str(number)] = made
    return found


def _questions(
    cast: Cast, numbers: list[int], index: Held | None
) -> Mapping[str, tuple[str, str, frozenset[str]]]:
    """Each question of these edges as it is shown, its sentence, and its keywords."""
    if index is None:
        return {}
    edges = [cast.edges[cast.lines[number].id] for number in numbers]
    ids = dict.fromkeys(id_ for edge in edges for id_ in (edge.out_query_id, edge.in_query_id))
    return {
        one.id: (
            cropped(index.graph.spoken(one), QUESTION),
            cropped(one.evidence, SENTENCE),
            frozenset(one.keywords),
        )
        for one in index.graph.questions(list(ids))
    }
