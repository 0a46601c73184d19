"""From entities and relations that were kept to the passages that tell of them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from core.artefacts.relations import Relations
from core.ranking import Scores, best
from core.retrievers.entity_graph.bridges import LIKENESS
from core.retrievers.entity_graph.related import Pair
from core.retrievers.entity_graph.spreading import entity_id
from core.steps import ROOT, Offer, Offered, Tie
from core.store.index import Index
from core.types import Hit, Part


def telling(entities: Iterable[int], relations: Relations) -> Counter[int]:
    """How many of `entities` each passage, by number, tells of."""
    return Counter(passage for entity in entities for passage in relations.passages(entity))


def stating(pairs: Iterable[Pair], relations: Relations) -> Counter[int]:
    """How many of the relations `pairs` each passage states."""
    facts = relations.told.facts
    return Counter(
        passage
        for pair in pairs
        for passage in {facts[fact].passage for fact in relations.between(*pair)}
    )


def passages_of(
    of: str, counts: Mapping[int, int], index: Index, own: Scores, most: int
) -> Offered:
    """The `most` passages nearest to the question, of those that tell of something kept.

    Parameters
    ----------
    counts : of each passage, by number, how many of the things kept it tells of.
    own : the cosine of each passage and the question.
    """
    numbers = np.array(sorted(counts), np.int64)
    offers = tuple(
        Offer(
            index.passages[number].id,
            float(own[number]),
            (Part(LIKENESS, float(own[number])),),
            taken=True,
            notes=(("tells of", f"{counts[number]:,} of them"),),
        )
        for number in numbers[best(own[numbers], most)].tolist()
    )
    return Offered(ROOT, f"passages of {of}", offers, considered=len(counts))


def told_in(
    entities: Sequence[int], hits: Sequence[Hit], index: Index, relations: Relations
) -> tuple[Tie, ...]:
    """Lines to each passage from the first of `entities` that it tells of."""
    first: dict[int, str] = {}
    for entity in entities:
        for number in relations.passages(entity):
            first.setdefault(number, entity_id(relations.names[entity]))
    return tuple(
        Tie(f"{source}>{hit.passage_id}", source, hit.passage_id, "told in")
        for hit in hits
        if (source := first.get(index.number[hit.passage_id], ""))
    )
