"""The stage of gold as it is defined, word by word and slowly."""

from collections.abc import Sequence

from core.funnel.stages import Stage
from core.retrievers import CARDS
from core.steps import Asked, Began, Offered, Pooled, Ranked, Step

ORDER: list[Stage] = ["absent", "far", "unoffered", "below", "refused", "cut", "kept"]


def stage(steps: Sequence[Step], name: str, index) -> Stage:
    """The furthest that any passage which `name` stands for came."""
    passages = [p.id for p in index.passages if name in (p.id, p.document_id)]
    return max((of_passage(steps, p, index) for p in passages), key=ORDER.index, default="absent")


def of_passage(steps: Sequence[Step], passage: str, index) -> Stage:
    own, inner = split(steps)
    end = steps[-1]
    assert isinstance(end, Ranked)
    if passage in [hit.passage_id for hit in end.hits]:
        return "kept"
    if passage in [hit.passage_id for hit in end.pruned]:
        return "cut"
    pools = [step for step in own if isinstance(step, Pooled)]
    if pools and passage in [hit.passage_id for hit in pools[-1].hits]:
        return "cut"
    lists = [step for step in own if isinstance(step, Offered)]
    if any(passage == offer.target and offer.taken for step in lists for offer in step.offers):
        return "cut"
    if any(passage == offer.target for step in lists for offer in step.offers):
        return "refused"
    found: list[Stage] = [of_passage(each, passage, index) for each in inner]
    found = ["cut" if each == "kept" else each for each in found]
    if any(step.entry for step in lists):
        found.append("unoffered" if within(steps[0], own, passage, index) else "far")
    elif not inner:
        found.append("below")
    return max(found, key=ORDER.index)


def split(steps: Sequence[Step]) -> tuple[list[Step], list[list[Step]]]:
    """The steps of a bracket itself, and those of each bracket in it."""
    own: list[Step] = []
    inner: list[list[Step]] = []
    depth = 0
    for step in steps:
        if isinstance(step, Asked):
            depth += 1
            if depth == 2:
                inner.append([])
        (own if depth == 1 else inner[-1]).append(step)
        if isinstance(step, Ranked):
            depth -= 1
    return own, inner


def within(asked: Step, own: Sequence[Step], passage: str, index) -> bool:
    """Whether the rounds of a walk lead from its seeds to `passage`, edge by edge."""
    assert isinstance(asked, Asked)
    lists = [step for step in own if isinstance(step, Offered)]
    here = {arrival.id for step in lists if step.entry for arrival in step.arrivals}
    rounds = asked.settings.get("n_hop", sum(isinstance(step, Began) for step in own))
    known = CARDS.get(asked.retriever)
    if known and not known.direction:
        return True  # it walks, but not over this graph, so no edge of it is too far
    names = [p.id for p in index.passages]
    columns = index.graph.adjacency
    ends = [(names[a], names[b]) for a, b in zip(columns.source, columns.target, strict=True)]
    if known is None or known.direction == "both":
        ends += [(b, a) for a, b in ends]
    for _ in range(int(rounds)):
        here |= {b for a, b in ends if a in here}
    return passage in here
