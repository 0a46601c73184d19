"""Which passages and which edges of the index the steps of a retrieval name."""

from collections.abc import Iterable, Iterator, Sequence

from core.steps import (
    Asked,
    Began,
    Offered,
    Pooled,
    Ranked,
    Said,
    Spread,
    Step,
    things_of,
    ties_of,
)


def passage_ids(steps: Sequence[Step]) -> tuple[str, ...]:
    """Return the ids of all passages in the steps, in order of appearance."""
    others = {thing.id for step in steps for thing in things_of(step)}
    others |= {step.id for step in steps if isinstance(step, Asked)}
    named = dict.fromkeys(name for step in steps for name in _named(step))
    return tuple(name for name in named if name not in others)


def edge_ids(steps: Sequence[Step]) -> tuple[str, ...]:
    """Return the ids of all edges of the index that were candidates or were followed."""
    brought = {tie.id for step in steps for tie in ties_of(step)}
    looked = [step for step in steps if isinstance(step, Offered)]
    named = dict.fromkeys(line for step in looked for line in _lines(step))
    return tuple(name for name in named if name and name not in brought)


def _lines(step: Offered) -> tuple[str, ...]:
    offered = (offer.tie for offer in step.offers)
    return (*offered, *(arrival.tie for arrival in step.arrivals))


def _named(step: Step) -> Iterator[str]:
    """Yield the id of every node that a step names."""
    match step:
        case Asked():
            yield from step.parents
        case Began():
            yield from step.waiting
        case Offered():
            yield step.at
            yield from (arrival.id for arrival in step.arrivals)
            yield from (offer.target for offer in step.offers)
        case Spread() | Pooled():
            yield from (hit.passage_id for hit in step.hits)
        case Said():
            yield from (step.about, *step.rests_on)
        case Ranked():
            yield from (hit.passage_id for hit in (*step.hits, *step.pruned))
    yield from _ends(step)


def _ends(step: Step) -> Iterable[str]:
    return (end for tie in ties_of(step) for end in (tie.source, tie.target))
