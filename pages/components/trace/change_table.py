"""A table of the differences between retrievals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from core.funnel.fates import fates
from core.funnel.lists import Lists
from core.marks import Gold
from core.steps import Step
from core.store.index import Index
from core.text.display.plurals import number
from core.text.display.shares import percent
from core.traces.changes import Found, found
from pages.components.shell.glossary import term

NONE = "–"


@dataclass(frozen=True, slots=True)
class Changed:
    """The outcome of one retrieval with its heading; `gold` has the fate of each gold id."""

    head: str
    found: Found
    gold: Mapping[str, str]


def changes_row(
    head: str, steps: Sequence[Step], gold: Gold, index: Index, lists: Lists
) -> Changed:
    """Return the outcome of `steps` as a row; `lists` gives the ranks of gold that they do not
    list.
    """
    ends = fates(steps, gold.held, index, passages_by_gold=gold.passages, lists=lists)
    told = {one.gold: one.brief if one.lost else f"rank {one.rank:,}" for one in ends}
    return Changed(head, found(steps, gold), told)


def changes_table(columns: Sequence[Changed], names: Mapping[str, str]) -> str:
    """Return a table of recall, each gold id, visits and calls, as HTML.

    Other columns are compared with the first, and differences highlighted. `names` are gold titles
    with a star.
    """
    came = [each.found for each in columns]
    rows = [(term("evidence_recall", "Recall"), [_share(one.recall) for one in came])]
    rows += [
        (escape(name), [each.gold.get(gold, NONE) for each in columns])
        for gold, name in names.items()
    ]
    rows += [
        (
            term("visited", "Reached") if any(one.visited for one in came) else "Ranked",
            _visit_counts(came),
        ),
        ("Model calls", [_calls(one) for one in came]),
    ]
    heads = "".join(f"<th scope='col' dir='auto'>{escape(one.head)}</th>" for one in columns)
    body = "".join(_row(name, cells) for name, cells in rows)
    return (
        "<table class='hop-table hop-changes'><thead><tr><th></th>"
        f"{heads}</tr></thead><tbody>{body}</tbody></table>"
    )


def _row(name: str, cells: Sequence[str]) -> str:
    """Return a row; `name` is HTML."""
    told = "".join(
        f"<td>{f'<b>{escape(cell)}</b>' if cell != cells[0] else escape(cell)}</td>"
        for cell in cells
    )
    return f"<tr><th scope='row' dir='auto'>{name}</th>{told}</tr>"


def _visit_counts(came: Sequence[Found]) -> list[str]:
    walks = any(one.visited for one in came)
    return [number(one.visited if walks else one.ranked, "passage") for one in came]


def _share(recall: float | None) -> str:
    return NONE if recall is None else percent(recall)


def _calls(one: Found) -> str:
    return f"{one.calls}, plus {one.replies} from the cache" if one.replies else str(one.calls)
