"""The passages with most edges."""

from dataclasses import dataclass

import numpy as np

from core.store.index import Index


@dataclass(frozen=True, slots=True)
class Hub:
    """A passage with the number of its edges: those that end in it and those that leave it."""

    passage_id: str
    title: str
    arriving: int
    leaving: int


def hubs(index: Index, count: int = 10) -> tuple[Hub, ...]:
    """Return the `count` passages with most edges, most first; ties go by vertex number."""
    leaving, arriving = index.graph.adjacency.degrees()
    order = np.argsort(-(arriving + leaving), kind="stable")[:count]
    return tuple(
        Hub(
            passage_id=index.ids[vertex],
            title=index.titled(index.ids[vertex]).title,
            arriving=int(arriving[vertex]),
            leaving=int(leaving[vertex]),
        )
        for vertex in order
        if arriving[vertex] + leaving[vertex]
    )
