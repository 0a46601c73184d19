"""The contract of a retrieval's steps, checked: what `core.steps` promises in words."""

from collections.abc import Sequence
from itertools import pairwise

from core.steps import Asked, HopBegan, Judged, Ranked, Seeded, Step


def check(steps: Sequence[Step]) -> None:
    """Refuse steps that no retrieval can have taken.

    `Asked` comes first and once, then for a walk `Seeded` once and rounds counted from 1, and
    last exactly one `Ranked`. A round takes vertices of its queue, once each; edges followed were
    on offer and lead where their arrivals say; at most `top_k` hits, no passage ranked twice.

    Raises
    ------
    ValueError : with the number of the step, from 1, and what is wrong with it.
    """
    if not steps or not isinstance(steps[0], Asked):
        raise ValueError("step 1: a retrieval begins with Asked")
    top_k = steps[0].top_k
    if top_k < 1:
        raise ValueError(f"step 1: top_k is {top_k}, it must be at least 1")
    if steps[0].importance_weight < 0:
        raise ValueError("step 1: importance_weight is negative")
    _check_order(steps)
    _check_walk(steps)
    _check_result(steps[-1], top_k, len(steps))


def _check_order(steps: Sequence[Step]) -> None:
    follows: dict[type, tuple[type, ...]] = {
        Asked: (Seeded, Ranked),
        Seeded: (HopBegan, Ranked),
        HopBegan: (HopBegan, Judged, Ranked),
        Judged: (HopBegan, Judged, Ranked),
        Ranked: (),
    }
    for number, (step, after) in enumerate(pairwise(steps), start=2):
        if not isinstance(after, follows[type(step)]):
            names = f"{type(after).__name__} cannot follow {type(step).__name__}"
            raise ValueError(f"step {number}: {names}")
    if not isinstance(steps[-1], Ranked):
        raise ValueError(f"step {len(steps)}: a retrieval ends with Ranked, this one is cut short")


def _check_walk(steps: Sequence[Step]) -> None:
    hop = 0
    visited: set[str] = set()
    waiting: set[str] = set()
    for number, step in enumerate(steps, start=1):
        match step:
            case Seeded():
                seeds = [seed.passage_id for seed in step.seeds]
                _expect(len(set(seeds)) == len(seeds), number, "a seed is named twice")
                visited |= set(seeds)
            case HopBegan():
                hop += 1
                waiting = set(step.queue)
                _expect(step.hop == hop, number, f"hop is {step.hop}, it must be {hop}")
                _expect(len(waiting) == len(step.queue), number, "the queue has a vertex twice")
                _expect(waiting <= visited, number, "the queue has a vertex never visited")
            case Judged():
                _expect(step.hop == hop, number, f"hop is {step.hop}, it must be {hop}")
                _expect(step.vertex in waiting, number, "its vertex is not in the round's queue")
                waiting.remove(step.vertex)
                _check_choice(number, step)
                visited |= {arrival.passage_id for arrival in step.arrivals}


def _check_choice(number: int, step: Judged) -> None:
    targets = {offer.edge_id: offer.target for offer in step.offers}
    _expect(len(targets) == len(step.offers), number, "an edge is on offer twice")
    _expect(len(set(step.chosen)) == len(step.chosen), number, "an edge is chosen twice")
    _expect(set(step.chosen) <= targets.keys(), number, "a chosen edge was not on offer")
    arrived = [(arrival.edge_id, arrival.passage_id) for arrival in step.arrivals]
    led = [(edge_id, targets[edge_id]) for edge_id in step.chosen]
    _expect(arrived == led, number, "its arrivals are not the ends of the chosen edges")


def _check_result(step: Step, top_k: int, number: int) -> None:
    if not isinstance(step, Ranked):
        return
    ranked = [hit.passage_id for hit in (*step.hits, *step.pruned)]
    _expect(len(step.hits) <= top_k, number, f"it has {len(step.hits)} hits, top_k is {top_k}")
    _expect(len(set(ranked)) == len(ranked), number, "a passage is ranked twice")
    _expect(bool(step.hits) or not step.pruned, number, "all passages are pruned")


def _expect(condition: bool, number: int, problem: str) -> None:
    if not condition:
        raise ValueError(f"step {number}: {problem}")
