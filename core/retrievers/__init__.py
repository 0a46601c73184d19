"""Every retriever behind one interface, in the order in which they are shown.

A retriever is a file of its own in this package, which no list names (`registry`).
"""

from collections.abc import Mapping
from typing import Any

from core.retrievers.base import Card, Retriever
from core.retrievers.registry import classes
from core.retrievers.spec import Spec, make, spec_of

__all__ = ["ALL", "CARDS", "MODEL_FREE", "Card", "Retriever", "Spec", "make", "spec_of"]

ALL: tuple[type[Any], ...]
"""Their classes."""
CARDS: Mapping[str, Card]
"""Their cards by key."""
MODEL_FREE: tuple[str, ...]
"""Keys of those that ask no language model and cost nothing."""


def __getattr__(name: str) -> Any:
    """`ALL`, `CARDS` and `MODEL_FREE`: the files of the package are read when one is asked for."""
    if name == "ALL":
        return tuple(classes().values())
    if name == "CARDS":
        return {key: made.card for key, made in classes().items()}
    if name == "MODEL_FREE":
        return tuple(key for key in classes() if not Spec(key).asks_model)
    raise AttributeError(name)
