"""Paths that a beam goes on with: of each step the best, all of whose lines are drawn."""

from collections.abc import Mapping, Sequence

from core.playback import DrawnLine
from core.steps import ARROW, Offered, Step


def best_paths(steps: Sequence[Step], lines: Sequence[DrawnLine]) -> dict[int, list[str]]:
    """By step that takes paths the lines of the best one, the last first.

    A path is offered at its last node, with the line that leads there, and says all of its nodes.
    """
    source = {line.id: line.source for line in lines}
    ways: dict[tuple[str, str], str] = {}
    found: dict[int, list[str]] = {}
    for t, step in enumerate(steps, start=1):
        if not isinstance(step, Offered):
            continue
        ways |= {(offer.label, offer.target): offer.tie for offer in step.offers if offer.tie}
        if step.taken and ARROW in (best := step.taken[0]).label:
            found[t] = _back(best.label, best.target, ways, source)
    return found


def _back(
    label: str, node: str, ways: Mapping[tuple[str, str], str], source: Mapping[str, str]
) -> list[str]:
    """The lines of the path that is called so and ends at `node`, as far back as they are known."""
    found: list[str] = []
    while ARROW in label and (tie := ways.get((label, node))) in source:
        found.append(str(tie))
        label, node = label.rpartition(ARROW)[0], source[str(tie)]
    return found
