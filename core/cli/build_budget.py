"""The cost of a model in a build: a pilot that estimates it, and options that limit it."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.common import console, note, print_json, quiet
from core.errors import InputError
from core.progress import dollars
from core.settings import settings

if TYPE_CHECKING:
    from rich.table import Table

    from core.corpus.chunking.chunker import Chunking
    from core.hop_graph.pilot import Asking, Estimate
    from core.models.money.metered import Meter
    from core.models.money.spread import Range

BudgetOption = Annotated[
    float | None,
    typer.Option(metavar="DOLLARS", help="Spending limit for this run. Finished work is kept."),
]
BudgetTokensOption = Annotated[
    int | None,
    typer.Option(metavar="N", help="Token limit of this run, input and output."),
]


class RulesOrModel(StrEnum):
    """The maker of the pseudo-queries."""

    RULES = "rules"
    MODEL = "model"


def maker_named(maker: RulesOrModel) -> str:
    """Return `rules` or the name of the configured model; InputError if there is none."""
    if maker is RulesOrModel.RULES:
        return maker.value
    endpoint = settings().endpoint
    if endpoint is None:
        raise InputError(
            "No language model is configured. Set HOPRAG_LLM to its name, HOPRAG_LLM_URL "
            "to its server (unless you use OpenAI), and HOPRAG_LLM_KEY to the key."
        )
    return endpoint.model


def show_pilot(
    maker: "Asking",
    meter: "Meter",
    files: Sequence[Path],
    chunking: "Chunking",
    as_json: bool,
    *,
    references: bool = False,
) -> None:
    """Generate pseudo-queries for a few passages and print the estimated cost of the rest.

    The replies are cached, so the build does not pay for them again.
    """
    quiet()
    from core.corpus.chunking.chunker import chunk
    from core.corpus.faq_documents import with_faqs
    from core.corpus.file_contents import LIMITS
    from core.corpus.files import read_files
    from core.hop_graph.pilot import estimate

    limits = replace(LIMITS, references=references)
    corpus = with_faqs(read_files(tuple(files), limits=limits))
    passages = chunk(corpus.documents, chunking)
    estimated = estimate(passages, maker, meter.price)
    if as_json:
        print_json({**asdict(estimated), "paid": asdict(meter.spending)})
        return
    console().print(_table(estimated))
    if estimated.warning:
        note(estimated.warning)
    note(f"Cost of the pilot: {meter.spending}. The build reuses its replies.")


def _table(estimated: "Estimate") -> "Table":
    """Tabulate the lowest and highest estimate of calls, tokens, price and seconds."""
    from rich.table import Table

    table = Table("", "at least", "at most")
    for column in table.columns[1:]:
        column.justify = "right"
    rows: list[tuple[str, Range]] = [
        ("Calls", estimated.calls),
        ("Tokens in", estimated.tokens_in),
        ("Tokens out", estimated.tokens_out),
    ]
    for name, between in rows:
        table.add_row(name, f"{between.low:,.0f}", f"{between.high:,.0f}")
    if estimated.price:
        table.add_row("Price", dollars(estimated.price.low), dollars(estimated.price.high))
    else:
        table.add_row("Price", "unknown", "set HOPRAG_PRICES")
    seconds = estimated.seconds
    table.add_row(
        f"Seconds, {estimated.at_once} at once", f"{seconds.low:,.0f}", f"{seconds.high:,.0f}"
    )
    table.add_row("Passages", f"{estimated.passages:,}", f"{estimated.kept:,} kept")
    return table
