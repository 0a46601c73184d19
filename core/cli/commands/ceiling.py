"""The command that measures what the graph can reach at best: ceiling."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.api.progress import progress_bars
from core.cli.ceiling_tables import hubs_table, lost_table, reach_table, shape_table
from core.cli.commands.artefacts import build_first
from core.cli.common import (
    IndexOption,
    check_place,
    check_questions,
    console,
    note,
    open_workbench,
    read_set,
    write_file,
)
from core.cli.tables import unknown_gold_text
from core.text.display.plurals import number

if TYPE_CHECKING:
    from core.ceiling.hubs import Hub
    from core.graph_report import GraphReport


def ceiling(
    questions: Annotated[
        Path,
        typer.Argument(
            metavar="QUESTIONS.jsonl",
            help="JSONL file with {id, question, gold: \\[ids], dataset, type} on each line.",
        ),
    ],
    index: IndexOption,
    retriever: Annotated[
        str,
        typer.Option(
            metavar="SPEC",
            help="A retriever that walks the graph. Run `retrievers` to list all.",
        ),
    ] = "hoprag-coverage",
    as_json: Annotated[
        Path | None,
        typer.Option(
            "--json",
            metavar="OUT.json",
            help="Write all figures as JSON, with the hops and the rank of each gold passage.",
        ),
    ] = None,
) -> None:
    """Measure how much gold the graph can reach: gold within 0 to 4 hops of a walk's seeds."""
    from core.ceiling.hubs import hubs
    from core.ceiling.measuring import ceiling as measured
    from core.ceiling.measuring import way_of
    from core.ceiling.words import reading
    from core.evidence import level_of_questions
    from core.graph_report import report as shape_of
    from core.marks import level_told
    from core.retrievers import Spec

    check_questions(questions)
    spec = Spec.parse(retriever)
    way_of(spec)
    check_place(as_json)
    workbench = open_workbench(index)
    asked = read_set(questions, workbench.index)
    build_first(workbench, spec.needs)
    with progress_bars() as bars:
        task = bars.add_task("Asking")
        measurement = measured(
            asked,
            workbench,
            spec,
            progress=lambda done, total: bars.update(task, completed=done, total=total),
        )
    shape, most = shape_of(workbench.index), hubs(workbench.index)
    _remark(len(asked) - len(measurement.rows), measurement.unknown_gold)
    if as_json:
        written = {**measurement.to_json(), "graph": _graph_json(shape, most)}
        write_file(as_json, json.dumps(written, ensure_ascii=False, indent=1).encode())
    screen = console()
    screen.print(level_told(level_of_questions(row.question for row in measurement.rows)))
    for table in (
        reach_table(measurement),
        lost_table(measurement),
        shape_table(shape),
        hubs_table(most),
    ):
        screen.print(table)
    screen.print(reading(measurement), soft_wrap=True)


def _remark(left_out: int, unknown_gold: tuple[str, ...]) -> None:
    """Report questions without gold, and gold ids that the index does not contain."""
    if left_out:
        note(f"Left out: {number(left_out, 'question')} without gold")
    if unknown_gold:
        note(f"{unknown_gold_text(unknown_gold)}, such as {unknown_gold[0]}")


def _graph_json(shape: "GraphReport", hubs: "tuple[Hub, ...]") -> dict[str, Any]:
    """Describe the shape of the graph for --json; `hubs` are the passages with most edges."""
    return {
        "passages": shape.counts.vertices,
        "edges": shape.counts.edges,
        "orphans": list(shape.orphans),
        "components": shape.components,
        "largest_share": shape.largest_share,
        "hubs": [asdict(hub) for hub in hubs],
    }
