"""Commands that build and list the artefacts of retrievers: make, shelf."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli.build_budget import BudgetOption, BudgetTokensOption
from core.cli.common import (
    IndexOption,
    JsonFlag,
    console,
    note,
    open_workbench,
    plain,
    print_json,
)
from core.cli.job_runner import run_here
from core.cli.model_calls import AskAgainFlag
from core.errors import InputError
from core.settings import settings
from core.text.display.plurals import number

if TYPE_CHECKING:
    from core.artefacts.base import Artefact
    from core.artefacts.stored_artefacts import OnShelf
    from core.artefacts.workbench import Workbench
    from core.models.money.budget import Budget


def make(
    index: IndexOption,
    artefacts: Annotated[
        list[str] | None, typer.Argument(metavar="[ARTEFACT...]", help="Structures to build.")
    ] = None,
    retriever: Annotated[
        str,
        typer.Option("--for", metavar="SPEC", help="Build everything this retriever needs."),
    ] = "",
    budget: BudgetOption = None,
    budget_tokens: BudgetTokensOption = None,
    ask_again: AskAgainFlag = False,
) -> None:
    """Build the structures that retrievers need. Structures that are up to date are kept."""
    from core.models.money.budget import Budget
    from core.retrievers import Spec
    from core.retrievers.registry import artefacts_by_name, artefacts_of

    if not artefacts and not retriever:
        known = ", ".join(artefacts_by_name()) or "none; no retriever needs any"
        raise InputError(
            f"Name what to build, or use --for with a retriever. Choose from: {known}."
        )
    wanted = [*artefacts_of(artefacts or ()), *(Spec.parse(retriever).needs if retriever else ())]
    allowed = Budget(budget, budget_tokens)
    if not _build(open_workbench(index), wanted, allowed, again=ask_again):
        note("Everything is built and up to date.")


def shelf(
    index: IndexOption,
    drop: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Delete this structure; it is rebuilt when needed. Repeatable."
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """List the structures built for retrievers; with --drop, delete one."""
    from core.artefacts.stored_artefacts import drop as dropped
    from core.artefacts.stored_artefacts import on_shelf
    from core.retrievers.registry import artefacts_by_name, standing_on

    workbench = open_workbench(index)
    for name in drop or ():
        dropped(workbench.index.path, name, workbench.embedder.info)
    stored = on_shelf(workbench, artefacts_by_name())
    users = {each.row.name: [card.key for card in standing_on(each.row.name)] for each in stored}
    if as_json:
        print_json([_as_json(each, users[each.row.name]) for each in stored])
    elif stored:
        console().print(_table(stored, users))
    else:
        note("Nothing has been built for retrievers yet.")


def build_first(workbench: "Workbench", needs: "Iterable[Artefact[Any]]") -> None:
    """Build the artefacts in `needs` that are missing, before a question is run.

    Raises
    ------
    ArtefactMissing : a missing artefact needs a model, so only the command `make` may build it.
    """
    from core.artefacts.stored_artefacts import missing, not_there
    from core.models.money.budget import NO_BUDGET

    wanted = missing(needs, workbench)
    if any(each.asks(workbench.oracle) for each in wanted):
        raise not_there(wanted, workbench)
    _build(workbench, wanted, NO_BUDGET)


def _build(
    workbench: "Workbench",
    needs: "Iterable[Artefact[Any]]",
    budget: "Budget",
    *,
    again: bool = False,
) -> bool:
    """Build the missing artefacts, and return whether there were any."""
    from core.artefacts.cost_forecast import forecast
    from core.artefacts.stored_artefacts import missing
    from core.jobs import Job

    waiting = missing(needs, workbench)
    names = tuple(each.name for each in waiting)
    if names:
        note(f"Building {', '.join(names)}")
        # Artefacts without model calls come first: the prompts of the others depend on them.
        free = tuple(each.name for each in waiting if not each.asks(workbench.oracle))
        if free and free != names:
            run_here(Job("make", workbench.index.path, artefacts=free))
        if expected := forecast(workbench, waiting, settings().prices):
            note(expected)
        run_here(Job("make", workbench.index.path, artefacts=names, budget=budget, again=again))
        _say_authorship(workbench, waiting)
    return bool(names)


def _say_authorship(workbench: "Workbench", made: "Sequence[Artefact[Any]]") -> None:
    """Report whether a model or rules wrote each new artefact, where a model was asked."""
    from core.artefacts.authorship import authorship_told
    from core.store.artefact_tables import shelved

    rows = shelved(workbench.index.path)
    for artefact in made:
        if (row := rows.get(artefact.name)) and row.maker:
            note(f"{artefact.name}: {authorship_told(artefact, row)}")


def _as_json(stored: "OnShelf", users: list[str]) -> dict[str, Any]:
    """Describe a stored artefact for --json; `users` are the keys of its retrievers."""
    row = stored.row
    return {
        "name": row.name,
        "says": stored.artefact.says if stored.artefact else "",
        "up_to_date": stored.current,
        "retrievers": users,
        "made_at": row.made_at,
        "seconds": row.seconds,
        "size": row.size,
        "maker": row.maker,
        "authorship": asdict(row.authorship) if row.authorship else None,
        "spending": asdict(row.spending) if row.spending else None,
        "digest": row.digest,
    }


def _table(stored: "list[OnShelf]", users: dict[str, list[str]]) -> Any:
    """Tabulate the stored artefacts with their age; `users` are retriever keys by artefact."""
    from rich.table import Table

    table = Table("name", "retrievers", "state", "size", "built", "seconds", "written by")
    for each in stored:
        row = each.row
        age = datetime.now(UTC) - datetime.fromisoformat(row.made_at)
        table.add_row(
            row.name,
            ", ".join(users[row.name]),
            "up to date" if each.current else "stale",
            f"{row.size / 1e6:,.1f} MB",
            f"{row.made_at[:16]} UTC, {number(age.days, 'day')} ago",
            f"{row.seconds:,.1f}",
            plain(each.authorship),
        )
    return table
