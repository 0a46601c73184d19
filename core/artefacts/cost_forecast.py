"""What building artefacts will cost: calls of a model, and time."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from core.artefacts.base import Artefact, Bench
from core.models.money.forecast import foreseen
from core.places import Place
from core.store.shelf import shelved
from core.store.tables import last_meta


def forecast(bench: Bench, artefacts: Iterable[Artefact[Any]], prices: Path | None = None) -> str:
    """What `artefacts` will ask the model of `bench`, in a sentence; empty where they ask none.

    The prompts are those of `Artefact.foresee`. They are the very ones where what an artefact needs
    has been made; otherwise, and for the upper layers of a tree, they are an estimate. What was
    answered before is not asked again, and counts here all the same.

    Parameters
    ----------
    prices : the user's own table.

    Raises
    ------
    InputError : the table cannot be read.
    """
    oracle = bench.oracle
    if oracle is None:
        return ""
    asked = [
        prompt
        for each in artefacts
        if each.asks(oracle) and each.foresee
        for prompt in each.foresee(bench)
    ]
    if not asked:
        return ""
    found = foreseen(oracle, asked, prices)
    return f"{oracle.llm.model}: {found}. What it answered before is not asked again."


def seconds_foreseen(
    artefacts: Sequence[Artefact[Any]], passages: int, others: Iterable[Place]
) -> float | None:
    """About how long making `artefacts` for `passages` takes; None where one was never made.

    Each by what it took of the indexes in the folders `others`, by their passages: the slowest of
    them, as what an artefact does once counts most where there are few.

    Raises
    ------
    StoreError : the shelf of one of them is damaged.
    """
    paces: dict[str, float] = {}
    for folder in others:
        meta = last_meta(folder)
        for name, row in (shelved(folder) if meta else {}).items():
            pace = row.seconds / max(meta.counts.vertices, 1) if meta else 0.0
            paces[name] = max(paces.get(name, 0.0), pace)
    if not {each.name for each in artefacts} <= set(paces):
        return None
    return sum(paces[each.name] for each in artefacts) * passages
