"""The command that lists gold marked by hand: gold."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.common import (
    IndexOption,
    JsonFlag,
    check_place,
    console,
    note,
    plain,
    print_json,
    stored_index,
    write_file,
)
from core.text.display import plurals

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.table import Table

    from core.marks import Gold, Unsettled
    from core.store.index import Index
    from core.types import Query


def gold(
    index: IndexOption,
    questions: Annotated[
        Path | None,
        typer.Option(
            metavar="OUT.jsonl",
            help="Write all questions with their current gold to a question file.",
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """List gold that was marked or removed by hand. The index stores these marks.

    Marks follow their text when the index is rebuilt. Marks whose text was not found are listed
    with the nearest passage.
    """
    from core.marks import as_file, marked_questions, unsettled
    from core.marks.store import question_key

    check_place(questions)
    opened = stored_index(index)
    asked = marked_questions(opened)
    lost = unsettled(opened)
    open_marks = {each.mark.question for each in lost}
    marked = [
        (query, found)
        for query, found in asked
        if found.added or found.removed or question_key(query.text) in open_marks
    ]
    if questions:
        write_file(questions, as_file(asked))
    if as_json:
        print_json([_as_json(query, found, lost) for query, found in marked])
    elif marked:
        console().print(_table(marked, opened))
        if lost:
            console().print(_lost_table(lost))
    else:
        note("No passages were marked by hand.")


def by_hand(asked: "Iterable[Query]", index: "Index") -> dict[str, list[str]]:
    """Return the gold marked by hand by question id, and print how many ids there are.

    It also reports questions whose marks in the index differ from the given gold.
    """
    from core.marks import golds_of_queries

    asked = list(asked)
    by_question: dict[str, list[str]] = {}
    others = 0
    for query, here in zip(asked, golds_of_queries(index, asked), strict=True):
        if marked := [name for name in query.gold if name in here.added]:
            by_question[query.id] = marked
        others += not {*here.added} <= {*query.gold} or not {*here.removed}.isdisjoint(query.gold)
    if by_question:
        note(f"Gold ids marked by hand: {sum(map(len, by_question.values())):,}")
    if others:
        note(
            f"For {plurals.number(others, 'question')}, the gold marks in this index differ from "
            "the file. To evaluate with the marks, export them: python -m core gold --questions "
            "OUT.jsonl"
        )
    return by_question


def _as_json(query: "Query", found: "Gold", lost: "Sequence[Unsettled]") -> dict[str, object]:
    """Describe a question's gold, with marks whose text was not found after a rebuild."""
    from core.cli.tables import gold_json
    from core.marks.store import question_key

    marks = [each for each in lost if each.mark.question == question_key(query.text)]
    lost_marks = {"gold_not_followed": [_lost_json(each) for each in marks]} if marks else {}
    return {"id": query.id, "question": query.text, **gold_json(found), **lost_marks}


def _lost_json(each: "Unsettled") -> dict[str, object]:
    """Describe a mark whose passage was not found, with the nearest passage, if any."""
    mark = each.mark
    return {
        "passage": mark.passage,
        "gold": mark.gold,
        "text": mark.words or mark.text,
        "title": mark.title,
        "why": each.why,
        "nearest": each.nearest.id if each.nearest else None,
    }


def _lost_table(lost: "Sequence[Unsettled]") -> "Table":
    """Tabulate the marks whose passages were not found, with the nearest passages."""
    from rich.table import Table

    from core.marks.unsettled import unmatched_sentence

    table = Table(
        "question", "mark", "text", "why", "nearest passage", title=unmatched_sentence(lost)
    )
    table.title_justify = "left"
    for each in lost:
        near = plain(each.nearest.id) if each.nearest else "none"
        mark = "gold" if each.mark.gold else "no gold"
        table.add_row(plain(each.mark.question), mark, plain(each.excerpt), each.why, near)
    return table


def _table(marked: "list[tuple[Query, Gold]]", index: "Index") -> "Table":
    """Tabulate the marks of each question, additions first; a question is named once."""
    from rich.table import Table

    table = Table("question", "by hand", "made", "title", "id")
    for query, marked_gold in marked:
        rows = [*((name, _added(name, marked_gold)) for name in marked_gold.added)]
        rows += [(name, "no gold") for name in marked_gold.removed]
        for number, (name, said) in enumerate(rows):
            title = (
                index.passage(name).title if name in index.number else marked_gold.titles.get(name)
            )
            question = "" if number else plain(query.text)
            made = plain(marked_gold.told.get(name, ""))
            table.add_row(question, said, made, plain(title or ""), plain(name))
    return table


def _added(name: str, found: "Gold") -> str:
    return "gold, not in this index" if name in found.absent else "gold"
