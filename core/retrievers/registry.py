"""Find all retrievers: every dataclass with a card in this package, and the operator's custom ones.

There is no list to maintain: a new file is found. Retrievers are imported at the first request.
Custom ones are in `core.retrievers.custom`.
"""

import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache, lru_cache
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, get_args

from core.artefacts.base import Artefact, in_order
from core.errors import InputError
from core.maps.stored import CORPUS_MAP
from core.retrievers.base import Card, Family

if TYPE_CHECKING:
    from core.retrievers.custom.description import Description

_PACKAGE = "core.retrievers"


def classes() -> Mapping[str, type[Any]]:
    """Return every retriever's class by key, sorted by family, `place` in it, and title."""
    from core.retrievers.custom.registered import descriptions  # which imports this module

    custom = descriptions()
    return _with_custom(custom) if custom else built_in()


@lru_cache(maxsize=4)
def _with_custom(described: "tuple[Description, ...]") -> Mapping[str, type[Any]]:
    """Return the classes of built-in and custom retrievers by key, built-in ones first."""
    from core.retrievers.custom.registered import classes_of

    ours = built_in()
    badges = {made.card.badge for made in ours.values()}
    return MappingProxyType({**ours, **classes_of(described, ours, badges)})


@cache
def built_in() -> Mapping[str, type[Any]]:
    """Return the classes of the built-in retrievers by key, in the same order.

    Raises
    ------
    ValueError : two have the same key.
    """
    made_classes = sorted(_retriever_classes(), key=lambda made: _order(made.card))
    by_key = {made.card.key: made for made in made_classes}
    if len(by_key) < len(made_classes):
        raise ValueError(
            f"Two retrievers have the same key: {[made.card.key for made in made_classes]}"
        )
    return MappingProxyType(by_key)


class NoSuchRetriever(InputError):
    """There is no retriever with that key."""


def class_of(key: str) -> type[Any]:
    """Return the class of the retriever called `key`.

    Raises
    ------
    NoSuchRetriever : there is none with that key.
    """
    known = classes()
    if key not in known:
        choices = ", ".join(known)
        raise NoSuchRetriever(f"Unknown retriever {key[:40]!r}. Choose one of {choices}.")
    return known[key]


def artefacts_by_name() -> dict[str, Artefact[Any]]:
    """Return every artefact that an index can store, by name, in build order.

    Raises
    ------
    ValueError : two have the same name.
    """
    needs = (need for made in built_in().values() for need in made.card.needs)
    artefacts: dict[str, Artefact[Any]] = {}
    for artefact in (*in_order(needs), CORPUS_MAP):
        if artefact.stored and artefacts.setdefault(artefact.name, artefact) is not artefact:
            raise ValueError(f"Two artefacts have the same name: {artefact.name}")
    return artefacts


def artefacts_of(names: Iterable[str]) -> list[Artefact[Any]]:
    """Return the artefacts of these names; raise InputError for an unknown name."""
    known = artefacts_by_name()
    for name in names:
        if name not in known:
            there_are = f"Choose one of {', '.join(known)}." if known else "No retriever needs one."
            raise InputError(f"Unknown artefact {name[:40]!r}. {there_are}")
    return [known[name] for name in names]


def standing_on(name: str) -> tuple[Card, ...]:
    """Return the cards of the retrievers that need the artefact called `name`."""
    cards = (made.card for made in classes().values())
    return tuple(card for card in cards if name in {each.name for each in in_order(card.needs)})


def _retriever_classes() -> Iterator[type[Any]]:
    """Yield every retriever class in the package."""
    for module in pkgutil.walk_packages(import_module(_PACKAGE).__path__, f"{_PACKAGE}."):
        for made in vars(import_module(module.name)).values():
            if isinstance(made, type) and made.__module__ == module.name and _is_retriever(made):
                yield made


def _is_retriever(made: type) -> bool:
    return is_dataclass(made) and isinstance(getattr(made, "card", None), Card)


def _order(card: Card) -> tuple[int, int, str]:
    return get_args(Family).index(card.family), card.place, card.title
