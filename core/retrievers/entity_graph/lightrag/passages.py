"""From entities and relations that were kept to the passages that tell of them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from core.artefacts.relations import Relations
from core.ranking import Scores
from core.retrievers.entity_graph.related import Pair
from core.retrievers.entity_graph.spreading import entity_id
from core.steps import ROOT, Offer, Offered, Tie
from core.store.index import Index
from core.types import Hit, Part

TELLS = "tells"
"""Part of the score of a passage in the list of what was kept."""


def telling(entities: Sequence[int], relations: Relations) -> list[set[int]]:
    """The passages, by number, that tell of each of `entities`."""
    return [set(relations.passages(entity)) for entity in entities]


def stating(pairs: Sequence[Pair], relations: Relations) -> list[set[int]]:
    """The passages, by number, that state each of the relations `pairs`."""
    facts = relations.told.facts
    return [{facts[fact].passage for fact in relations.between(*pair)} for pair in pairs]


def passages_of(
    of: str, told: Sequence[set[int]], without: Iterable[str], index: Index, own: Scores, most: int
) -> Offered:
    """The `most` passages that tell most of the things kept, the n-th of which counts 1/n; of
    equal ones those nearest to the question.

    Parameters
    ----------
    told : the passages, by number, of each thing kept, in the order of these.
    without : passages, by id, that are left out.
    own : the cosine of each passage and the question.
    """
    out = {index.number[id_] for id_ in without}
    weight: defaultdict[int, float] = defaultdict(float)
    for place, passages in enumerate(told, start=1):
        for number in passages - out:
            weight[number] += 1 / place
    counts = Counter(number for passages in told for number in passages)
    order = sorted(weight, key=lambda n: (-weight[n], -own[n], n))[:most]
    offers = tuple(
        Offer(
            index.ids[number],
            weight[number],
            (Part(TELLS, weight[number]),),
            taken=True,
            notes=(("tells of", f"{counts[number]:,} kept"),),
        )
        for number in order
    )
    return Offered(ROOT, of, offers, considered=len(weight))


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
