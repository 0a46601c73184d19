"""Find the passages that mention the kept entities or state the kept relations."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from core.artefacts.entity_graph.relations import Relations
from core.ranking import Scores, best
from core.retrievers.entity_graph.bridges import SIMILARITY
from core.retrievers.entity_graph.related import Pair, relation_id
from core.retrievers.entity_graph.spreading import entity_id
from core.steps import LEFT_OUT, ROOT, Offer, Offered, Tie, Told
from core.store.index import Index
from core.types import Hit, Part

TELLS = "tells"
"""The score part of a passage for the kept entities or relations that it mentions."""
_LISTED = (LEFT_OUT, "already in another list")
_LEFT_OUT = 5  # best passages listed although another list already has them


def passages_by_entity(entities: Sequence[int], relations: Relations) -> dict[str, set[int]]:
    """Return the numbers of the passages that mention each of `entities`, by its id."""
    return {entity_id(relations.names[n]): set(relations.passages(n)) for n in entities}


def passages_by_relation(pairs: Sequence[Pair], relations: Relations) -> dict[str, set[int]]:
    """Return the numbers of the passages that state each of the relations `pairs`, by id."""
    facts = relations.told.facts
    return {
        relation_id(pair, relations): {facts[fact].passage for fact in relations.between(*pair)}
        for pair in pairs
    }


def similar_passages(index: Index, own: Scores, most: int) -> Offered:
    """Return the step with the `most` passages nearest to the query by cosine."""
    order = best(own, most).tolist()
    ties = tuple(
        Tie(f"{ROOT}>{id_}", ROOT, id_, "similar to") for id_ in (index.ids[n] for n in order)
    )
    offers = tuple(
        Offer(tie.target, score, (Part(SIMILARITY, score),), taken=True, tie=tie.id)
        for tie, score in zip(ties, own[order].tolist(), strict=True)
    )
    why = Told(reason="Passages whose embeddings are closest to the query.")
    return Offered(ROOT, "passages", offers, considered=len(own), ties=ties, told=why)


def passages_mentioning(
    of: str,
    kind: str,
    mentions: Mapping[str, set[int]],
    without: Iterable[str],
    index: Index,
    own: Scores,
    most: int,
) -> Offered:
    """Return the step with the `most` passages that mention most nodes; the n-th node counts 1/n.

    Ties go to the passage nearest to the question.

    Parameters
    ----------
    of : the id under which the step lists its passages.
    kind : the kind of things, such as entities.
    told : the numbers of the passages that mention each thing, by its id, best first. A line joins
        a
        passage to the first thing that it mentions.
    without : ids of passages that another list already has; they are left out.
    own : the cosine of each passage and the question, (n,).
    """
    out = {index.number[id_] for id_ in without}
    weight: defaultdict[int, float] = defaultdict(float)
    first: dict[int, str] = {}
    for place, (thing, passages) in enumerate(mentions.items(), start=1):
        for number in passages:
            weight[number] += 1 / place
            first.setdefault(number, thing)
    counts = Counter(number for passages in mentions.values() for number in passages)
    order = sorted(weight, key=lambda n: (-weight[n], -own[n], n))
    new = [number for number in order if number not in out][:most]
    listed = [*new, *[number for number in order if number in out][:_LEFT_OUT]]
    offers = tuple(
        Offer(
            index.ids[number],
            weight[number],
            (Part(TELLS, weight[number]),),
            taken=number not in out,
            tie=_mention_line(first[number], index.ids[number]).id,
            notes=(
                _LISTED if number in out else (f"kept {kind} it mentions:", f"{counts[number]:,}"),
            ),
        )
        for number in listed
    )
    ties = tuple(_mention_line(first[number], index.ids[number]) for number in listed)
    why = Told(reason=f"Passages that mention the kept {kind}.")
    return Offered(ROOT, of, offers, considered=len(weight), ties=ties, told=why)


def _mention_line(thing: str, passage: str) -> Tie:
    """Return the line from an entity or relation to a passage that mentions it."""
    return Tie(f"{thing}>{passage}", thing, passage, "mentioned in")


def mention_lines(
    entities: Sequence[int], hits: Sequence[Hit], index: Index, relations: Relations
) -> tuple[Tie, ...]:
    """Return lines to each passage from the first of `entities` that it mentions."""
    first: dict[int, str] = {}
    for entity in entities:
        for number in relations.passages(entity):
            first.setdefault(number, entity_id(relations.names[entity]))
    return tuple(
        _mention_line(source, hit.passage_id)
        for hit in hits
        if (source := first.get(index.number[hit.passage_id], ""))
    )
