"""An index so small that all its passages are kept, or seeds: what is said, and the way on."""

from dataclasses import dataclass

from core.retrievers import Spec
from pages.components.ask.choice import Specs
from pages.components.ask.wish import PART_KEPT
from pages.components.shell.words import count

FEWEST = 2


@dataclass(frozen=True, slots=True)
class SmallIndex:
    """What is said where an index has no more passages than are kept.

    `instead` are the retrievers with fewer seeds, None where hops are seen as it is; `action` says
    so in the words of a button.
    """

    told: str
    action: str = ""
    instead: Specs | None = None


def small_index(specs: Specs, passages: int) -> SmallIndex | None:
    """What to say of `specs` in an index of so many `passages`; None where it has enough."""
    most = specs[0].values["top_k"]
    if not isinstance(most, int) or most < passages:
        return None
    if all_seeds := [spec for spec in specs if _starts_everywhere(spec, passages)]:
        seeds = max(FEWEST, passages // PART_KEPT)
        if seeds < passages:
            return SmallIndex(
                f"All {count(passages, 'passage')} of this index are seeds, so no hop leads to "
                "another one.",
                f"Start at {seeds} seeds",
                tuple(s.with_settings(seeds=seeds) if s in all_seeds else s for s in specs),
            )
    return (
        SmallIndex(f"The index has only {count(passages, 'passage')}: all of them may be kept.")
        if most > passages
        else None
    )


def _starts_everywhere(spec: Spec, passages: int) -> bool:
    """Whether a walk starts at every passage; with 0 seeds it starts at as many as are kept."""
    seeds = spec.values.get("seeds")
    if not spec.card.direction or not isinstance(seeds, int):
        return False
    return not 0 < seeds < passages
