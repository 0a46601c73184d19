"""The command that runs a study: study."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli.build_budget import BudgetOption, BudgetTokensOption
from core.cli.common import check_place, console, index_place, note, plain, quiet, write_file
from core.cli.job_runner import run_here
from core.settings import settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from core.studies import Paper, Results, Study, Variant, View


def study(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Study file (TOML).")],
    index: Annotated[
        str,
        typer.Option(
            metavar="DIR",
            help="Path or name of the index to run on, if the study names no data of its own.",
        ),
    ] = "",
    budget: BudgetOption = None,
    budget_tokens: BudgetTokensOption = None,
    forecast: Annotated[
        bool, typer.Option("--forecast", help="Only print the remaining work and its cost.")
    ] = False,
    as_json: Annotated[
        Path | None, typer.Option("--json", metavar="OUT.json", help="Write the results as JSON.")
    ] = None,
) -> None:
    """Run a study: a grid of retrievers and settings on a data set, with tables as in papers.

    A stopped study resumes. Results that runs of the index already have are reused. The results
    are stored with the index.
    """
    from core.jobs.study import study_job, study_variants
    from core.models.money.budget import Budget
    from core.studies import read_study, results_of
    from core.studies.forecast import forecast_of

    check_place(as_json)
    source = str(index_place(index).absolute()) if index else ""
    job = study_job(file, source, Budget(budget, budget_tokens))
    wanted = read_study(job.files[0])
    variants = study_variants(wanted, source)
    note(str(forecast_of(wanted, variants, with_model=settings().endpoint is not None)))
    _say_price(wanted, variants)
    if forecast:
        return
    run_here(job)
    results = results_of(wanted, variants)
    if as_json:
        write_file(as_json, json.dumps(_as_json(results), indent=1).encode())
    for view in wanted.views:
        if view.kind == "table":
            console().print(_table(results, view))
        if view.kind == "graph":
            console().print(_graphs(variants, view))
    for paper in wanted.papers:
        console().print(_paper(results, paper))
    if wanted.differs:
        console().print(plain(f"Differs from the paper: {wanted.differs}"), soft_wrap=True)


def _say_price(study: "Study", variants: "Sequence[Variant]") -> None:
    """Print the expected model calls on each index that is already built."""
    from core.jobs.study import asks_model, study_workbench
    from core.store.tables import last_meta
    from core.studies.forecast import model_forecast

    built = [one for one in variants if last_meta(one.place) is not None]
    endpoint = settings().endpoint
    if not (built and endpoint and asks_model(study)):
        return
    quiet()
    for variant in built:
        bench = study_workbench(variant)
        asked = bench.oracle.named if bench.oracle else endpoint.model
        expected = model_forecast(study, bench, settings().prices)
        note(f"{asked} on {variant.place.name}: {expected}.")


def _table(results: "Results", view: "View") -> "Table":
    """Tabulate the results of a view, with the best value of each column in bold."""
    from rich.table import Table
    from rich.text import Text

    from core.studies import table_of
    from core.studies.naming import headed, label_of, written

    contents = table_of(results, view)
    table = Table("retriever", title=plain(view.title or results.study.title), title_justify="left")
    for head in contents.heads:
        table.add_column(headed(head), justify="right")
    for row in contents.rows:
        cells = zip(row.cells, row.best, contents.heads, strict=True)
        texts = [
            Text(written(cell, head.measure), style="bold" if best else "")
            for cell, best, head in cells
        ]
        table.add_row(plain(label_of(row.line)), *texts)
    return table


def _graphs(variants: "Sequence[Variant]", view: "View") -> "Table":
    """Tabulate the sizes of the indexes."""
    from rich.table import Table

    from core.studies.graphs import COLUMNS, graph_rows

    table = Table("index", title=plain(view.title or "Indexes"), title_justify="left")
    for name in COLUMNS:
        table.add_column(name, justify="right")
    for label, values in graph_rows(variants):
        table.add_row(plain(label), *(f"{value:,.2f}".removesuffix(".00") for value in values))
    return table


def _paper(results: "Results", paper: "Paper") -> "Table":
    """Tabulate published numbers beside the study's own for the same retriever."""
    from rich.table import Table

    from core.studies import paper_table
    from core.studies.naming import headed, written
    from core.studies.table import decimals_of

    comparison = paper_table(results, paper)
    table = Table("system", title=plain(f"Published: {paper.source}"), title_justify="left")
    for name in paper.columns:
        table.add_column(plain(name), justify="right")
    for head in comparison.heads:
        table.add_column(f"here: {headed(head)}", justify="right")
    for row in comparison.lines:
        numbers = (
            "" if value is None else f"{value:.{digits}f}"
            for value, digits in zip(row.values, decimals_of(paper), strict=True)
        )
        here = [written(c, h.measure) for c, h in zip(row.here, comparison.heads, strict=False)]
        table.add_row(plain(row.system), *numbers, *here)
    return table


def _as_json(results: "Results") -> dict[str, Any]:
    """List all measures of each retriever and index, over all questions."""
    from core.studies.naming import label_of
    from core.studies.results import cell_of

    study = results.study
    rows = []
    for line in results.lines:
        cells = {measure: cell_of(line, measure) for measure in study.measures}
        measures = {
            name: {"n": cell.n, "mean": cell.mean, "low": cell.low, "high": cell.high}
            for name, cell in cells.items()
        }
        rows.append(
            {
                "retriever": str(line.named),
                "asked": str(line.asked),
                "label": label_of(line),
                "index": line.variant.place.name,
                "run": line.run.id,
                "measures": measures,
            }
        )
    return {"title": study.title, "about": study.about, "differs": study.differs, "rows": rows}
