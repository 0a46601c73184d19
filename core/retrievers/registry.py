"""Which retrievers there are: every dataclass with a card in a module of this package.

Nobody lists them; a new file is found. They are imported when they are first asked for.
"""

import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args

from core.errors import InputError
from core.retrievers.base import Card, Family

_PACKAGE = "core.retrievers."


@cache
def classes() -> Mapping[str, type[Any]]:
    """Every retriever's class by its key: by family, the `place` in it, and title.

    Raises
    ------
    ValueError : two have the same key.
    """
    found = sorted(_found(), key=lambda made: _order(made.card))
    by_key = {made.card.key: made for made in found}
    if len(by_key) < len(found):
        raise ValueError(f"Two retrievers have one key: {[made.card.key for made in found]}")
    return MappingProxyType(by_key)


def class_of(key: str) -> type[Any]:
    """The class of the retriever called `key`.

    Raises
    ------
    InputError : there is no retriever of that name.
    """
    if key not in classes():
        known = ", ".join(classes())
        raise InputError(f"There is no retriever {key[:40]!r}; choose among {known}.")
    return classes()[key]


def _found() -> Iterator[type[Any]]:
    for module in pkgutil.walk_packages([str(Path(__file__).parent)], _PACKAGE):
        for made in vars(import_module(module.name)).values():
            if isinstance(made, type) and made.__module__ == module.name and _is_retriever(made):
                yield made


def _is_retriever(made: type) -> bool:
    return is_dataclass(made) and isinstance(getattr(made, "card", None), Card)


def _order(card: Card) -> tuple[int, int, str]:
    return get_args(Family).index(card.family), card.place, card.title
