"""Communities of entities and their reports, as they are chosen and shown."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from core.artefacts.entity_graph.relations import Relations
from core.artefacts.graph_summaries.communities import COMMUNITIES, Communities
from core.artefacts.workbench import Workbench
from core.models.token_counts import tokens_of
from core.ranking import Scores
from core.retrievers.entity_graph.bridges import SIMILARITY, cropped
from core.retrievers.entity_graph.spreading import entity_id
from core.steps import LEFT_OUT, ROOT, Offer, Offered, Thing, Tie, Told
from core.text.display.passage_labels import LONGEST, SHORT, shortened
from core.types import Part

_REFUSED = 5  # communities that are listed beside those that are taken


def rank_communities(
    taken: Sequence[int],
    relations: Relations,
    groups: Communities,
    cosine: Scores,
    most: int,
    room: int,
    written_by: str,
) -> tuple[Offered, list[int]]:
    """Return the step that ranks communities by their selected entities, and the communities kept.

    Ties go to the community whose report is nearer to the question. A report that exceeds the room
    left is skipped.

    Parameters
    ----------
    taken : the numbers of the selected entities; numbers beyond all entities are in no community.
    cosine : of each report and the question.
    most : the maximum number of communities.
    room : the maximum tokens of their reports.
    written_by : a sentence about who wrote the reports.
    """
    above = {node: tuple(groups.above(node)) for node in taken}
    holds = Counter(number for numbers in above.values() for number in numbers)
    order = sorted(holds, key=lambda n: (-holds[n], -float(cosine[n]), n))
    offers, things, ties = [], [], []
    kept: list[int] = []
    left = room
    for number in order[: most + _REFUSED]:
        community = groups.communities[number]
        size, name = tokens_of(community.report), f"community:{number}"
        why = "over the token limit" if size > left else ""
        if len(kept) == most:
            why = f"only {most} are kept"
        if not why:
            left -= size
            kept.append(number)
        score = float(cosine[number])
        note = ("holds", f"{holds[number]} of the selected entities")
        notes = (note, (LEFT_OUT, why)) if why else (note,)
        offers.append(
            Offer(name, score, (Part(SIMILARITY, score),), not why, notes=notes, size=size)
        )
        things.append(Thing(name, "community", cropped(community.report), community.report))
        members = [entity_id(relations.names[n]) for n in taken if number in above[n]]
        ties += [Tie(f"{member}>{name}", member, name, "belongs to") for member in members]
    listed = Offered(
        ROOT,
        "communities",
        tuple(offers),
        considered=len(holds),
        room=room,
        things=with_unique_labels(things),
        ties=tuple(ties),
        told=Told(reason=f"These communities contain most of the selected entities. {written_by}"),
    )
    return listed, kept


def with_unique_labels(things: Sequence[Thing]) -> tuple[Thing, ...]:
    """Number things whose shortened labels are equal, such as things on two levels."""
    shown = [shortened(thing.label, LONGEST) for thing in things]
    things_apart = []
    for place, (thing, name) in enumerate(zip(things, shown, strict=True), start=1):
        number = f" · {shown[:place].count(name)}" if shown.count(name) > 1 else ""
        label = shortened(thing.label, SHORT) + number if number else thing.label
        things_apart.append(replace(thing, label=label))
    return tuple(things_apart)


def reports_by(workbench: Workbench) -> str:
    """Return a sentence about who wrote the reports."""
    groups = workbench.get(COMMUNITIES)
    return workbench.authorship(COMMUNITIES, [community.maker for community in groups.communities])
