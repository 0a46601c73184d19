"""The funnel as a flow: gold from gate to gate by one retriever, or from stage to stage by two."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.funnel.stages import LOST, STAGES, Stage
from core.retrievers import Spec

WALKED: tuple[Stage, ...] = ("far", "unoffered", "refused")
"""Losses of what goes from passage to passage."""


@dataclass(frozen=True, slots=True)
class Node:
    """A gate or a stage. The gold that stands for it is at one of `one` by the first retriever and
    at one of `other` by the second; empty is any."""

    name: str
    said: str
    column: int
    lost: bool
    one: tuple[Stage, ...] = ()
    other: tuple[Stage, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """`count` gold from `source` to `target`, names of nodes."""

    source: str
    target: str
    count: int
    one: tuple[Stage, ...] = ()
    other: tuple[Stage, ...] = ()


@dataclass(frozen=True, slots=True)
class Flow:
    """The flow of gold through the gates: at each gate it passes or is lost."""

    nodes: tuple[Node, ...]
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Rung:
    """A gate: how much gold is `left` at it, and how much was `lost` on the way from the last."""

    name: str
    said: str
    left: int
    lost: int


_GATES: tuple[tuple[str, str, tuple[Stage, ...]], ...] = (
    ("gold", "gold passages", ("absent",)),
    ("held", "in the index", ("far",)),
    ("near", "within reach", ("unoffered", "below", "unranked")),
    ("offered", "candidates", ("refused",)),
    ("reached", "reached", ("cut",)),
    ("result", STAGES["kept"], ()),
)
"""Name, words, and the losses on the way to the next gate."""


def through(counts: Mapping[str, int], retriever: str) -> Flow:
    """Return the flow of gold through the gates of one retriever.

    Without a walk, gold in the index is ranked at once.

    Parameters
    ----------
    counts : how much gold is at each stage.
    retriever : a retriever of ours, or the name of an imported column. Only what follows edges of
        the hop graph has gold within reach.
    """
    there: dict[Stage, int] = {stage: counts.get(stage, 0) for stage in STAGES}
    gates = _gates_of(there, retriever)
    nodes: list[Node] = []
    links: list[Link] = []
    left = tuple(stage for stage in STAGES if there[stage])
    for column, (name, said, losses) in enumerate(gates):
        nodes.append(Node(name, said, column, lost=False, one=left))
        lost = tuple(stage for stage in losses if stage in left)
        left = tuple(stage for stage in left if stage not in lost)
        for stage in lost:
            nodes.append(Node(stage, STAGES[stage], column + 1, lost=True, one=(stage,)))
            links.append(Link(name, stage, there[stage], one=(stage,)))
        if column + 1 < len(gates) and left:
            links.append(Link(name, gates[column + 1][0], _sum(there, left), one=left))
        if not left:
            break
    if there["unused"]:
        end: tuple[tuple[Stage, str], ...] = (("kept", "used"), ("unused", STAGES["unused"]))
        for stage, said in end:
            nodes.append(Node(stage, said, len(gates), lost=stage == "unused", one=(stage,)))
            links.append(Link("result", stage, there[stage], one=(stage,)))
    return Flow(tuple(nodes), tuple(link for link in links if link.count))


def ladder(counts: Mapping[str, int], retriever: str) -> tuple[Rung, ...]:
    """Count the gold left at each gate of one retriever; parameters as for `through`."""
    there: dict[Stage, int] = {stage: counts.get(stage, 0) for stage in STAGES}
    left, gone, rungs = sum(there.values()), 0, []
    for name, said, losses in _gates_of(there, retriever):
        left -= gone
        rungs.append(Rung(name, said, left, gone))
        gone = _sum(there, losses)
    return tuple(rungs)


def between(pairs: Mapping[tuple[str, str], int]) -> Flow:
    """Return the flow of gold from its stage with one retriever to its stage with another."""
    there = {(a, b): pairs.get((a, b), 0) for a in STAGES for b in STAGES}
    left = [a for a in STAGES if any(there[a, b] for b in STAGES)]
    right = [b for b in STAGES if any(there[a, b] for a in STAGES)]
    return Flow(
        (
            *(Node(f"a:{a}", STAGES[a], 0, a in LOST, one=(a,)) for a in left),
            *(Node(f"b:{b}", STAGES[b], 1, b in LOST, other=(b,)) for b in right),
        ),
        tuple(
            Link(f"a:{a}", f"b:{b}", there[a, b], one=(a,), other=(b,))
            for a in left
            for b in right
            if there[a, b]
        ),
    )


def _gates_of(
    there: Mapping[Stage, int], retriever: str
) -> list[tuple[str, str, tuple[Stage, ...]]]:
    """Return the gates that apply to a retriever, by the stages at which gold was lost."""
    first, (name, said, _), near, *others, result = _GATES
    if not any(there[stage] for stage in WALKED):
        return [first, (name, said, ("below", "unranked", "cut")), result]
    spec = Spec.known(retriever)
    if there["far"] or (spec and spec.card.direction):
        return list(_GATES)
    return [first, (name, said, near[2]), *others, result]


def _sum(there: Mapping[Stage, int], stages: Sequence[Stage]) -> int:
    return sum(there[stage] for stage in stages)
