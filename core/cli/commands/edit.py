"""Command that edits a passage on a copy of an index: edit."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.build_budget import BudgetOption, BudgetTokensOption
from core.cli.common import JsonFlag, index_place, note, print_json, stored_index
from core.cli.job_runner import run_here
from core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.edits import Edit
    from core.store.index import Index
    from core.types import Edge

_SHOWN = 20  # edges


def edit(
    index: Annotated[
        str, typer.Argument(metavar="INDEX", help="Folder or name of the index to copy.")
    ],
    passage: Annotated[str, typer.Argument(metavar="PASSAGE", help="Id of the passage to edit.")],
    to: Annotated[
        str, typer.Option("--to", metavar="NEW", help="Folder or name of the edited copy.")
    ],
    text: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File with the new text of the passage.")
    ] = None,
    pseudo_queries: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.json",
            help='File with all pseudo-queries of the passage: {"in": [...], "out": [...]}. '
            "Omit a kind to keep it.",
        ),
    ] = None,
    budget: BudgetOption = None,
    budget_tokens: BudgetTokensOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Edit a passage or its pseudo-queries in a copy of an index. The original does not change."""
    from core.edits import Edits, edge_changes, removed_evidence
    from core.jobs import Job
    from core.models.money.budget import Budget

    source, target = index_place(index), index_place(to)
    original = stored_index(source)
    made = _edit(original, passage, text, pseudo_queries)
    job = Job(
        "edit",
        target,
        source=str(source.absolute()),
        edits=Edits(original.name, (made,)).to_json(),
        budget=Budget(budget, budget_tokens),
    )
    meta = run_here(job)
    copy = stored_index(target)
    changes, removed = edge_changes(original, copy), removed_evidence(original, copy)
    if as_json:
        print_json(
            {
                "index": str(target),
                "edit": str(made),
                "graph_version": meta.graph_version,
                "appeared": [_edge_json(edge) for edge in changes.appeared],
                "vanished": [_edge_json(edge) for edge in changes.vanished],
                "removed_evidence": [
                    {"question": query.text, "evidence": each.text} for query, each in removed
                ],
            }
        )
        return
    _print_edges("appeared", changes.appeared)
    _print_edges("vanished", changes.vanished)
    for query, each in removed:
        note(f"The copy no longer contains the evidence {each.text!r} for {query.text!r}")
    note(f"The edited copy is in {target}")


def _edit(index: "Index", passage: str, text: Path | None, queries: Path | None) -> "Edit":
    """Return the edit given by the files; raise InputError if it would change nothing.

    Raises InputError also without a file, and for an unknown passage.
    """
    from core.edits import edit_of

    if text is None and queries is None:
        raise InputError("Nothing to edit. Use --text FILE, --pseudo-queries FILE.json, or both.")
    if passage not in index.number:
        raise InputError(
            f"{index.name} has no passage {passage[:80]!r}. Find ids on Explore or with the "
            "command search."
        )
    answered, raised = _questions(queries) if queries else (None, None)
    made = edit_of(
        index.passage(passage),
        index.graph.pseudo_queries(passage),
        text=_read(text) if text else None,
        answered=answered,
        raised=raised,
    )
    if made is None:
        raise InputError("The edit changes nothing, so no copy was made.")
    return made


def _questions(file: Path) -> "tuple[list[str] | None, list[str] | None]":
    """Read the in- and out-questions of a file; None for a kind that it leaves out."""
    try:
        given = json.loads(_read(file))
    except ValueError as error:
        raise InputError(f"{file} is not JSON ({error}). Correct it.") from error
    usable = isinstance(given, dict) and given and given.keys() <= {"in", "out"}
    if not usable or not all(map(_is_list, given.values())):
        raise InputError(
            f'{file} must contain {{"in": [...], "out": [...]}} with texts. Correct it.'
        )
    return given.get("in"), given.get("out")


def _is_list(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _read(file: Path) -> str:
    """Read a UTF-8 text file; raise InputError with the remedy if that fails."""
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"Could not read {file} ({error}). Provide a UTF-8 text file.") from error


def _edge_json(edge: "Edge") -> dict[str, object]:
    """Describe an edge for --json."""
    return {
        "source": edge.source,
        "target": edge.target,
        "question": edge.question,
        "similarity": edge.similarity,
    }


def _print_edges(change: str, edges: "Sequence[Edge]") -> None:
    """Print how many edges appeared or vanished, and the first of them."""
    note(f"{len(edges):,} edge{'' if len(edges) == 1 else 's'} {change}")
    for edge in edges[:_SHOWN]:
        note(f"  {edge.source} → {edge.target} ({edge.similarity:.3f}): {edge.question}")
    if len(edges) > _SHOWN:
        note(f"  … and {len(edges) - _SHOWN:,} more")
