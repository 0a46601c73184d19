"""The command that shows where gold was lost, and which change would retrieve it: funnel."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.commands.artefacts import build_first
from core.cli.common import (
    GoldChoice,
    GoldOption,
    IndexOption,
    check_place,
    check_questions,
    console,
    open_workbench,
    plain,
    set_of,
    write_file,
)

if TYPE_CHECKING:
    from rich.table import Table

    from core.evidence import GoldLevel
    from core.funnel.report import Funnel
    from core.store.index import Index

_EXCERPT = 100  # characters of evidence


def funnel(
    index: IndexOption,
    questions: Annotated[
        Path | None,
        typer.Argument(
            metavar="[QUESTIONS.jsonl]",
            help="JSONL file with {id, question, gold: \\[ids]} on each line, or any question file "
            "that a build reads. Default: the questions of the index.",
        ),
    ] = None,
    retriever: Annotated[
        str,
        typer.Option(metavar="SPEC", help="A retriever. Run `retrievers` to list all."),
    ] = "hoprag-coverage",
    rescue: Annotated[
        bool,
        typer.Option("--rescue/--no-rescue", help="Search for a fix for each lost gold passage."),
    ] = True,
    gold: GoldOption = GoldChoice.evidence,
    as_json: Annotated[
        Path | None,
        typer.Option(
            "--json",
            metavar="OUT.json",
            help="Write each gold passage and its stage of loss as JSON.",
        ),
    ] = None,
) -> None:
    """Show where gold was lost, and the cheapest single change that would retrieve it.

    No model is called: retrievers that need one use cached replies only.
    """
    from core.api.losing import measured_losses
    from core.funnel.rescue import tried
    from core.marks import level_told
    from core.retrievers import Spec

    check_questions(questions)
    spec = Spec.parse(retriever)
    check_place(as_json)
    workbench = open_workbench(index)
    own = workbench.index
    asked = set_of(questions, own, gold.value)
    build_first(workbench, spec.needs)
    # Gold of a file is taken as it is; that of the index may have been marked since.
    level: GoldLevel | None = None if questions else gold.value
    measured = measured_losses(workbench, spec, asked, level, fixes=rescue)
    if as_json:
        write_file(as_json, json.dumps(measured.to_json(), ensure_ascii=False, indent=1).encode())
    screen = console()
    screen.print(level_told(measured.level))
    screen.print(_stages(measured))
    if any(measured.losses):
        screen.print(_losses(measured, rescue=rescue))
        screen.print(_groups(measured, own))
    for line in _chains(measured):
        screen.print(line, soft_wrap=True)
    if rescue and any(saved is None for *_, saved in measured.losses):
        screen.print(f"Tried one at a time: {tried(spec)}.", soft_wrap=True)
    if measured.best:
        from core.playback.wording import called

        best, kept = measured.best
        screen.print(
            f"{called(measured.retriever)} retrieves {kept:,}; the upper bound for a walk from the "
            f"same seeds is {best:,}.",
            soft_wrap=True,
        )


def _stages(found: "Funnel") -> "Table":
    """Tabulate how much gold was lost at each stage, with the meaning of the stage."""
    from rich.table import Table

    from core.funnel.stages import MEANINGS, STAGES

    title = f"Stages of loss: {plain(found.retriever)}"
    table = Table("", title=title, title_justify="left")
    table.add_column("gold", justify="right")
    table.add_column("%", justify="right")
    table.add_column("meaning")
    total = sum(found.stages.values())
    for stage, count in found.stages.items():
        if count:
            share = f"{100 * count / total:.1f}"
            table.add_row(STAGES[stage], f"{count:,}", share, MEANINGS[stage])
    table.add_section()
    table.add_row("all gold", f"{total:,}", "100.0", "")
    return table


def _groups(found: "Funnel", index: "Index") -> "Table":
    """Tabulate the questions that lost gold by cause, as on the Errors page."""
    from rich.table import Table

    from core.reviews.losses.clusters import case_of, clusters

    table = Table("cause", title="Questions that lost gold, by cause", title_justify="left")
    for name in ("questions", "gold lost"):
        table.add_column(name, justify="right")
    lost = (row for row in found.rows if any(fate.lost for fate in row.fates))
    for group in clusters([case_of(row.question, row.fates, index) for row in lost]):
        table.add_row(plain(group.name), f"{len(group.questions):,}", f"{group.golds:,}")
    return table


def _losses(found: "Funnel", *, rescue: bool) -> "Table":
    """Tabulate every lost gold passage, what happened to it, and with `rescue` its fix."""
    from rich.table import Table

    from core.funnel.evidence_chain import with_position
    from core.marks import asked_gold
    from core.text.clean import one_line
    from core.text.display.passage_labels import shortened

    table = Table("question", "gold", "what happened", title="Lost", title_justify="left")
    if rescue:
        table.add_column("what would have helped")
    for question, fate, saved in found.losses:
        fix = plain(str(saved)) if saved else "no single change tried"
        fix_cells = [fix] if rescue else []
        ended = plain(with_position(question, fate.gold, str(fate)))
        evidence = asked_gold(question).evidence.get(fate.gold)
        gold = shortened(one_line(evidence.text), _EXCERPT) if evidence else fate.gold
        table.add_row(plain(question.id), plain(gold), ended, *fix_cells)
    return table


def _chains(found: "Funnel") -> list[str]:
    """Say, for each question with a known reasoning chain, which gold of it was lost."""
    from core.funnel.evidence_chain import chain_summary

    lost = ((row.question, [each.gold for each in row.fates if each.lost]) for row in found.rows)
    summaries = ((query.id, chain_summary(query, gold)) for query, gold in lost)
    return [f"{plain(name)}: {said}" for name, said in summaries if said]
