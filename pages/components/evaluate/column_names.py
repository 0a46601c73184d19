"""What the columns of a run are called on the screen."""

from collections.abc import Sequence

from core.retrievers import Spec
from pages.components.ask import retriever_names

_LONGEST = 12
"""Letters at a mark, of a name that has no badge."""
CHOICES = "Candidate lists"
"""What the lists of which some may be taken are called; a walk has one at each passage."""


def named(retriever: str) -> str:
    """Title and settings of a retriever; a ranking made elsewhere has the name it was given."""
    spec = Spec.known(retriever)
    return retriever_names.called(spec) if spec else retriever


def badged(retriever: str) -> str:
    """Return the same with the letters of its badge."""
    spec = Spec.known(retriever)
    return f"{spec.card.badge} · {named(retriever)}" if spec else retriever


def letters(badged: str) -> str:
    """Return what stands at a line or a point for one that is `badged`: the letters of the
    badge.
    """
    badge = badged.partition(" · ")[0]
    return badge if len(badge) <= _LONGEST else f"{badge[: _LONGEST - 1]}…"


def are_told_apart(badged: Sequence[str]) -> bool:
    """Return whether letters alone say who each is."""
    return len({letters(name) for name in badged}) == len(badged)
