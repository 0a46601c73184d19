"""Display names of a run's columns."""

from collections.abc import Sequence

from core.retrievers import Spec
from core.studies.naming import differing_settings, setting_text
from pages.components.ask import retriever_names

_LONGEST = 12
"""Letters at a mark, of a name that has no badge."""
CHOICES = "Candidate lists"
"""What the lists of which some may be taken are called; a walk has one at each passage."""


def named(retriever: str) -> str:
    """Return the title and settings of a retriever, or the given name of an imported ranking."""
    spec = Spec.known(retriever)
    return retriever_names.called(spec) if spec else retriever


def badged(retriever: str) -> str:
    """Return the retriever's name with the letters of its badge."""
    spec = Spec.known(retriever)
    return f"{spec.card.badge} · {named(retriever)}" if spec else retriever


def letters(badged: str) -> str:
    """Return the letters of the badge in a badged name, for a line or a point."""
    badge = badged.partition(" · ")[0]
    return badge if len(badge) <= _LONGEST else f"{badge[: _LONGEST - 1]}…"


def swept_values(retrievers: Sequence[str]) -> dict[str, str]:
    """Return the settings in which retrievers of one kind differ, with their values.

    Empty for a single retriever, for retrievers of several kinds, and for imported results.

    >>> swept_values(["bm25", "bm25(top_k=5)"]), swept_values(["bm25", "dense"])
    ({'bm25': 'top k 20', 'bm25(top_k=5)': 'top k 5'}, {})
    """
    specs = {one: spec for one in retrievers if (spec := Spec.known(one))}
    names = differing_settings([*specs.values()]) if len(specs) == len(retrievers) else []
    if not names:
        return {}
    return {
        one: " · ".join(setting_text(name, spec.values[name], spec) for name in names)
        for one, spec in specs.items()
    }


def swept_numbers(retrievers: Sequence[str]) -> dict[str, float]:
    """Return the values of the one numeric setting in which retrievers of one kind differ.

    >>> swept_numbers(["bm25", "bm25(top_k=5)"]), swept_numbers(["bm25", "dense"])
    ({'bm25': 20.0, 'bm25(top_k=5)': 5.0}, {})
    """
    specs = {one: Spec.parse(one) for one in swept_values(retrievers)}
    name, *others = differing_settings([*specs.values()]) or ("",)
    if not name or others:
        return {}
    values = {one: spec.effective_values()[name] for one, spec in specs.items()}
    numbers = {
        one: float(value)
        for one, value in values.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    return numbers if len(numbers) == len(values) else {}


def row_names(retrievers: Sequence[str], *, short: bool = False) -> dict[str, str]:
    """Return the names of a chart's rows, by retriever.

    Retrievers of one kind are called by their settings. Others have badge and title, or if they are
    `short` the badge alone, with the changed settings where several have one badge.
    """
    if values := swept_values(retrievers):
        return values
    names = {one: badged(one) for one in retrievers}
    if not short:
        return names
    apart = are_told_apart([*names.values()])
    return {
        one: letters(name) if apart else " ".join((letters(name), _changes(one))).strip()
        for one, name in names.items()
    }


def _changes(retriever: str) -> str:
    spec = Spec.known(retriever)
    return retriever_names.changes(spec) if spec else ""


def are_told_apart(badged: Sequence[str]) -> bool:
    """Return whether the letters alone identify each column."""
    return len({letters(name) for name in badged}) == len(badged)
