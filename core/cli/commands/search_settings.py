"""The command that searches the settings of a retriever for a question set: search-settings."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from core.api.progress import progress_bars
from core.cli.build_budget import BudgetOption, BudgetTokensOption
from core.cli.commands.artefacts import build_first
from core.cli.common import (
    GoldChoice,
    GoldOption,
    IndexOption,
    RunNameOption,
    check_place,
    check_questions,
    console,
    note,
    open_workbench,
    plain,
    set_of,
    write_file,
)
from core.cli.model_calls import paying, say_price
from core.errors import InputError

if TYPE_CHECKING:
    from rich.table import Table

    from core.artefacts.workbench import Workbench
    from core.retrievers import Spec
    from core.runs import Run, Runs
    from core.settings_search import Compared, Findings


def search_settings(
    index: IndexOption,
    retriever: Annotated[
        str, typer.Option(metavar="SPEC", help="Retriever to tune, with its initial settings.")
    ],
    questions: Annotated[
        Path | None,
        typer.Argument(
            metavar="[QUESTIONS]",
            help="Question file with gold, as for `evaluate`. Default: the questions of the index.",
        ),
    ] = None,
    values: Annotated[
        list[str] | None,
        typer.Option(
            "--try",
            metavar="NAME=VALUE,...",
            help="A setting and the values to try. Default: a few values of each numeric setting.",
        ),
    ] = None,
    most: Annotated[
        int, typer.Option(min=1, max=500, help="Maximum number of settings to try.")
    ] = 24,
    seed: Annotated[int, typer.Option(help="Seed for splitting the questions into halves.")] = 0,
    measure: Annotated[str, typer.Option(metavar="MEASURE", help="Measure, such as R@5.")] = "R@20",
    budget: BudgetOption = None,
    budget_tokens: BudgetTokensOption = None,
    gold: GoldOption = GoldChoice.evidence,
    run: RunNameOption = "",
    as_json: Annotated[
        Path | None, typer.Option("--json", metavar="OUT.json", help="Write the results as JSON.")
    ] = None,
) -> None:
    """Tune settings on half of the questions, and test the best ones on the other half.

    Each setting is tried by itself, then the best two together. Results that runs of this index
    already have for the same settings are reused.
    """
    from core.models.leave import Leave
    from core.models.money.budget import Budget
    from core.retrievers import Spec
    from core.runs.question_sets import OWN
    from core.settings_search import begin_search, read_axis

    check_questions(questions)
    base = Spec.parse(retriever)
    axes = [read_axis(text, base) for text in values or ()]
    allowed = Budget(budget, budget_tokens)
    check_place(as_json)
    workbench = open_workbench(index)
    asked = set_of(questions, workbench.index, gold.value)
    build_first(workbench, base.needs)
    say_price(workbench, base, [each.text for each in asked])
    with (
        paying(workbench, Leave("the command search-settings"), allowed) as workbench,
        _place(workbench, run) as runs,
    ):
        search = _stopped_search(runs, run, base) or begin_search(
            *(workbench, asked, base, axes),
            name=run,
            most=most,
            seed=seed,
            measured_by=measure,
            question_set=questions.name if questions else OWN,
            runs=runs,
        )
        searched = _run_search(search, workbench, runs)
    if as_json:
        write_file(as_json, json.dumps(searched.to_json(), indent=1).encode())
    console().print(_table(searched))
    console().print(plain(searched.decision), soft_wrap=True)
    if run:
        note(f"Stored as run {search.name} ({search.id}).")


@contextmanager
def _place(workbench: "Workbench", name: str) -> "Iterator[Runs]":
    """Yield the storage of the search: the index folder if it is named, else a temporary folder."""
    from core.jobs import evaluation_place
    from core.runs import Runs
    from core.store.locking.writer_lock import writer_lock

    folder = workbench.index.path
    if name:
        with writer_lock(evaluation_place(folder), "an evaluation"):
            yield Runs(folder)
    else:
        with TemporaryDirectory(prefix="hoprag-") as temporary:
            yield Runs(Path(temporary))


def _stopped_search(runs: "Runs", name: str, base: "Spec") -> "Run | None":
    """Return the stopped search of that name to resume, or None if there is none.

    Raises InputError if the name belongs to a finished run or to another search.
    """
    known = next((run for run in runs.all() if run.name == name), None)
    if known and (known.state == "finished" or known.settings.get("search") != str(base)):
        raise InputError(
            f"A run named {name!r} already exists. Choose another name, or delete it: python -m "
            f"core runs delete {name!r}"
        )
    return known


def _run_search(search: "Run", workbench: "Workbench", runs: "Runs") -> "Findings":
    """Run a settings search with a progress bar and return its findings."""
    from core.settings_search import findings
    from core.settings_search import search as ask

    with progress_bars() as bars:
        task = bars.add_task("Asking")

        def advance(done: int, total: int) -> None:
            bars.update(task, completed=done, total=total)

        ask(search, workbench, advance, runs=runs)
    return findings(runs, runs.get(search.id))


def _table(found: "Findings") -> "Table":
    """Tabulate the settings, the base first."""
    from rich.table import Table

    from core.settings_search.findings import COSTS

    used = [cost for cost in COSTS if any(one.costs[cost] for one in found.tried)]
    table = Table("setting", title=f"Settings of {plain(found.base)}", title_justify="left")
    for name in (found.measure, "half 1", "half 2", *used, "held out", "Holm p", "Pareto-best by"):
        table.add_column(name, justify="right")
    held: dict[str, list[Compared]] = {}
    for each in found.compared:
        held.setdefault(each.retriever, []).append(each)
    for one in found.tried:
        compared = held.get(one.retriever, [])
        table.add_row(
            plain(one.told),
            *(f"{mean:.1f}" for mean in (one.mean, *one.halves)),
            *(f"{one.costs[c]:.3f}" if c == "seconds" else f"{one.costs[c]:,.1f}" for c in used),
            "\n".join(f"{each.held_out.mean:+z.1f}" for each in compared),
            "\n".join("-" if each.holm is None else f"{each.holm:.3f}" for each in compared),
            ", ".join(one.best_by),
        )
    return table
