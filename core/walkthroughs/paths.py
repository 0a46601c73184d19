"""How each node of a retrieval was first reached."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.playback import DrawnLine
from core.steps import ROOT, Asked, Offered, Pooled, Ranked, Step, things_of, ties_of


@dataclass(frozen=True, slots=True)
class Origin:
    """The node from which another one was first reached, at step `t`, and by which line.

    `line` is empty where no line was drawn. `is_seed` if a walk started there.
    """

    source: str
    line: str
    t: int
    is_seed: bool = False


def origins(
    steps: Sequence[Step], lines: Sequence[DrawnLine], questions: Collection[str]
) -> dict[str, Origin]:
    """Return the origin of each node but the root, in the order in which they were reached.

    Parameters
    ----------
    questions : ids of the questions that are nodes. What others find comes from the root.
    """
    known = {line.id for line in lines}
    brought = {tie.id: tie for step in steps for tie in ties_of(step)}
    found: dict[str, Origin] = {}
    for t, node, source, line, is_seed in _arrivals(steps, questions):
        if tie := brought.get(line):
            source = tie.source if tie.target == node else tie.target
        if node in (source, ROOT) or node in found or source not in (ROOT, *found):
            continue
        drawn = next((id_ for id_ in (line, f"{source}>{node}") if id_ in known), "")
        found[node] = Origin(source, drawn, t, is_seed)
    return found


def _arrivals(
    steps: Sequence[Step], questions: Collection[str]
) -> Iterator[tuple[int, str, str, str, bool]]:
    """Yield step, node, source, line, and whether a walk started there."""
    open_: list[str] = []
    for t, step in enumerate(steps, start=1):
        if isinstance(step, Asked):
            node = step.id if step.id in questions else ROOT
            for parent in (*step.parents, *open_[-1:]):
                yield t, node, parent, f"{parent}>{node}", False
            open_.append(node)
        here = open_[-1]
        if isinstance(step, Offered):
            for offer in step.taken:
                yield t, offer.target, here if step.entry else step.at, offer.tie, step.entry
                yield t, offer.target, here, "", step.entry
        for thing in things_of(step):
            joined = (tie for tie in ties_of(step) if thing.id in (tie.source, tie.target))
            for tie in joined:
                yield t, thing.id, tie.source, tie.id, False
        if isinstance(step, Pooled | Ranked):
            for hit in step.hits:
                yield t, hit.passage_id, here, "", False
        if isinstance(step, Ranked):
            open_.pop()


def path(node: str, found: Mapping[str, Origin]) -> list[str]:
    """Return the nodes from the root to `node`; `node` alone follows the root if unreached."""
    way = [node]
    while way[0] in found and found[way[0]].source not in way:
        way.insert(0, found[way[0]].source)
    return way if way[0] == ROOT else [ROOT, *way]
