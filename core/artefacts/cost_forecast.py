"""Forecast the cost of building artefacts: model calls and time."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from core.artefacts.base import Artefact, Bench
from core.models.kept.replies import reply_key
from core.models.money.forecast import Forecast, foreseen
from core.places import Place
from core.store.artefact_tables import shelved
from core.store.tables import last_meta


def forecast(bench: Bench, artefacts: Iterable[Artefact[Any]], prices: Path | None = None) -> str:
    """Describe which model calls building `artefacts` will make; empty if none.

    The prompts are exactly those that will be sent if everything that an artefact needs has been
    built. Otherwise, and for the upper layers of a tree, their number is an estimate with a bound.
    Prompts whose replies are kept are not counted, and equal prompts are counted once.

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
    expected = [
        each.expected_prompts(bench)
        for each in artefacts
        if each.asks(oracle) and each.expected_prompts
    ]
    named = oracle.llm.asked_as
    asked = {reply_key(named, prompt): prompt for each in expected for prompt in each.prompts}
    if not asked:
        return ""
    waiting = [prompt for key, prompt in asked.items() if oracle.replies.get(key) is None]
    kept = len(asked) - len(waiting)
    if not waiting:
        return f"{oracle.llm.model}: {Forecast(0, kept=kept)}."
    more = sum(max(0, each.most - len(each.prompts)) for each in expected)
    foreseen_cost = foreseen(oracle, waiting, prices, more=more)
    already = f" Replies to {kept:,} more prompts are cached." if kept else ""
    return f"{oracle.llm.model}: {foreseen_cost}.{already}"


def estimated_seconds(
    artefacts: Sequence[Artefact[Any]], passages: int, others: Iterable[Place]
) -> float | None:
    """Estimate how long building `artefacts` for `passages` takes; None if one was never built.

    For each artefact, it uses the highest time per passage of any index in the folders `others`.
    In small indexes, fixed costs raise the time per passage, so the estimate tends to be high.

    Raises
    ------
    StoreError : the artefact records of an index are damaged.
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
