"""From entities and relations that were kept to the passages that tell of them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from core.artefacts.relations import Relations
from core.ranking import Scores
from core.retrievers.entity_graph.related import Pair, relation_id
from core.retrievers.entity_graph.spreading import entity_id
from core.steps import ROOT, Offer, Offered, Tie, Told
from core.store.index import Index
from core.types import Hit, Part

TELLS = "tells"
"""Part of the score of a passage in the list of what was kept."""


def telling(entities: Sequence[int], relations: Relations) -> dict[str, set[int]]:
    """The passages, by number, that tell of each of `entities`, by its id."""
    return {entity_id(relations.names[n]): set(relations.passages(n)) for n in entities}


def stating(pairs: Sequence[Pair], relations: Relations) -> dict[str, set[int]]:
    """The passages, by number, that state each of the relations `pairs`, by its id."""
    facts = relations.told.facts
    return {
        relation_id(pair, relations): {facts[fact].passage for fact in relations.between(*pair)}
        for pair in pairs
    }


def passages_of(
    of: str,
    kind: str,
    told: Mapping[str, set[int]],
    without: Iterable[str],
    index: Index,
    own: Scores,
    most: int,
) -> Offered:
    """The `most` passages that tell most of the things kept, the n-th of which counts 1/n; of
    equal ones those nearest to the question.

    Parameters
    ----------
    kind : what the things kept are, such as entities.
    told : the passages, by number, of each thing kept, by its id, in the order of these. A line
        joins a passage to the first.
    without : passages, by id, that are left out.
    own : the cosine of each passage and the question.
    """
    out = {index.number[id_] for id_ in without}
    weight: defaultdict[int, float] = defaultdict(float)
    first: dict[int, str] = {}
    for place, (thing, passages) in enumerate(told.items(), start=1):
        for number in passages - out:
            weight[number] += 1 / place
            first.setdefault(number, thing)
    counts = Counter(number for passages in told.values() for number in passages)
    order = sorted(weight, key=lambda n: (-weight[n], -own[n], n))[:most]
    offers = tuple(
        Offer(
            index.ids[number],
            weight[number],
            (Part(TELLS, weight[number]),),
            taken=True,
            tie=_told(first[number], index.ids[number]).id,
            notes=((f"kept {kind} in it:", f"{counts[number]:,}"),),
        )
        for number in order
    )
    ties = tuple(_told(first[number], index.ids[number]) for number in order)
    why = Told(reason=f"They name the {kind} that were taken.")
    return Offered(ROOT, of, offers, considered=len(weight), ties=ties, told=why)


def _told(thing: str, passage: str) -> Tie:
    return Tie(f"{thing}>{passage}", thing, passage, "told in")


def told_in(
    entities: Sequence[int], hits: Sequence[Hit], index: Index, relations: Relations
) -> tuple[Tie, ...]:
    """Lines to each passage from the first of `entities` that it tells of."""
    first: dict[int, str] = {}
    for entity in entities:
        for number in relations.passages(entity):
            first.setdefault(number, entity_id(relations.names[entity]))
    return tuple(
        _told(source, hit.passage_id)
        for hit in hits
        if (source := first.get(index.number[hit.passage_id], ""))
    )
