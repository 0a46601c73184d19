"""Every retriever behind one interface, in the order in which they are shown.

A retriever is a file of its own in this package, which no list names (`registry`), or one that
the operator added (`core.retrievers.custom`).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from core.artefacts.base import in_order
from core.retrievers.base import Card, Retriever
from core.retrievers.registry import classes
from core.retrievers.spec import Spec, make, spec_of

__all__ = [
    "ALL",
    "CARDS",
    "MODEL_FREE",
    "Card",
    "Retriever",
    "Spec",
    "default_retrievers",
    "make",
    "spec_of",
]

ALL: tuple[type[Any], ...]
"""Their classes."""
MODEL_FREE: tuple[str, ...]
"""Keys of those that ask no language model and cost nothing."""


def __getattr__(name: str) -> Any:
    """Load the names above on first use, so that importing the package reads no files."""
    if name == "ALL":
        return tuple(classes().values())
    if name == "MODEL_FREE":
        return tuple(key for key in classes() if not Spec(key).asks_model)
    raise AttributeError(name)


class _Cards(Mapping[str, Card]):
    """As they are now: a custom retriever may change while the program runs."""

    def __getitem__(self, key: str) -> Card:
        card: Card = classes()[key].card
        return card

    def __iter__(self) -> Iterator[str]:
        return iter(classes())

    def __len__(self) -> int:
        return len(classes())


CARDS: Mapping[str, Card] = _Cards()
"""Their cards by key."""


def default_retrievers() -> tuple[str, ...]:
    """Return the keys of the retrievers that are compared where nobody names any.

    They are the first of each family that asks no language model, needs nothing built for it and
    wraps no other retriever. No custom retriever is among them.
    """
    first: dict[str, str] = {}
    for key, made in classes().items():
        spec = Spec(key)
        alone = len(list(spec.all_of_it())) == 1
        alone = alone and made.card.family != "custom"  # what that costs is not known here
        if alone and not spec.asks_model and not any(n.stored for n in in_order(spec.needs)):
            first.setdefault(made.card.family, key)
    return tuple(first.values())
