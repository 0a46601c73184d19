"""What making artefacts will take of a model, told before it is asked."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from core.artefacts.base import Artefact, Bench
from core.models.money.forecast import foreseen


def forecast(bench: Bench, artefacts: Iterable[Artefact[Any]], prices: Path | None = None) -> str:
    """What `artefacts` will ask the model of `bench`, in a sentence; empty where they ask none.

    It is a guess of an artefact's own, `Artefact.foresee`: what will be asked about is known only
    when it is made. What was answered before is not asked again, and counts here all the same.

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
    found = str(foreseen(oracle, asked, prices)).removeprefix("at least ")
    return f"{oracle.llm.model}: about {found}. What it answered before is not asked again."
