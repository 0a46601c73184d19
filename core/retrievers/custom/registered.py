"""The custom retrievers of this process, in the order in which the operator listed them."""

from collections.abc import Collection, Iterator
from functools import cache
from importlib.metadata import entry_points
from itertools import chain
from pathlib import Path
from string import ascii_uppercase, digits
from threading import Lock

from core.retrievers.custom.description import Description, Source, slug
from core.retrievers.custom.endpoint import HttpEndpoint
from core.retrievers.custom.functions import PythonFile, describe_entry_point
from core.retrievers.custom.retriever import CustomRetriever, class_of
from core.retrievers.custom.worker import in_worker
from core.settings import settings

GROUP = "hoprag.retrievers"
"""Of entry points."""
_lock = Lock()
_known: tuple[Description, ...] = ()


def descriptions() -> tuple[Description, ...]:
    """Return the description of each custom retriever; the same objects until one has changed.

    A changed file is loaded again. A call from the code of a custom retriever returns the
    descriptions known before.
    """
    global _known
    if not in_worker():
        named, seconds = settings().retrievers, settings().retriever_seconds
        with _lock:
            _known = (
                *(source.described() for source in sources(named, seconds)),
                *installed(seconds),
            )
    return _known


def classes_of(
    found: Collection[Description], keys: Collection[str], badges: Collection[str]
) -> dict[str, type[CustomRetriever]]:
    """Make a class of each description, by key; keys and badges already in use are changed.

    Parameters
    ----------
    keys, badges : those of other retrievers.
    """
    made: dict[str, type[CustomRetriever]] = {}
    taken = {*badges}
    for place, one in enumerate(found):
        name = slug(one.title)
        numbered = (f"{name}-{number}" for number in range(2, len(found) + 3))
        key = next(each for each in chain([name], numbered) if each not in {*keys, *made})
        badge = next(each for each in badges_of(one.title, one.badge) if each not in taken)
        taken.add(badge)
        made[key] = class_of(one, key, badge, place)
    return made


@cache
def sources(named: tuple[tuple[str, str], ...], seconds: float) -> tuple[Source, ...]:
    """Return the source of each retriever in HOPRAG_RETRIEVERS; `named` are (name, place)."""
    return tuple(
        HttpEndpoint(place, name, seconds)
        if place.startswith(("http://", "https://"))
        else PythonFile(Path(place), name, seconds)
        for name, place in named
    )


@cache
def installed(seconds: float) -> tuple[Description, ...]:
    entries = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)
    return tuple(describe_entry_point(entry, seconds) for entry in entries)


def badges_of(title: str, wish: str = "") -> Iterator[str]:
    """Yield two-letter badges for a title, best first."""
    wish = wish.upper()
    if len(wish) == 2 and {*wish} <= {*ascii_uppercase, *digits}:
        yield wish
    words = slug(title).upper().split("-")
    joined = "".join(words)
    if len(words) > 1:
        yield words[0][0] + words[1][0]
    yield from (joined[0] + letter for letter in joined[1:])
    yield from (joined[0] + sign for sign in digits + ascii_uppercase)
    yield from (first + sign for first in ascii_uppercase for sign in digits)
