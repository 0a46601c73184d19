"""What is otherwise in one retrieval than in another one, as a table."""

from collections.abc import Mapping, Sequence
from html import escape

from core.traces.changes import Found

NONE = "–"


def changes_table(columns: Sequence[tuple[str, Found]], names: Mapping[str, str]) -> str:
    """A row for recall, for each gold id (`names` are its titles), for visits and calls.

    The first column is what the others are compared with; what differs from it stands out.
    """
    rows = [("Recall", [_share(one.recall) for _, one in columns])]
    rows += [
        (f"★ {name}", [_rank(one, gold) for _, one in columns]) for gold, name in names.items()
    ]
    rows += [
        ("Visited" if any(one.visited for _, one in columns) else "Ranked", _visited(columns)),
        ("Calls", [_calls(one) for _, one in columns]),
    ]
    heads = "".join(f"<th scope='col' dir='auto'>{escape(head)}</th>" for head, _ in columns)
    body = "".join(_row(name, cells) for name, cells in rows)
    return (
        "<table class='hop-table hop-changes'><thead><tr><th></th>"
        f"{heads}</tr></thead><tbody>{body}</tbody></table>"
    )


def _row(name: str, cells: Sequence[str]) -> str:
    told = "".join(
        f"<td>{f'<b>{escape(cell)}</b>' if cell != cells[0] else escape(cell)}</td>"
        for cell in cells
    )
    title = escape(name)
    return f"<tr><th scope='row' title='{title}' dir='auto'>{title}</th>{told}</tr>"


def _visited(columns: Sequence[tuple[str, Found]]) -> list[str]:
    walks = any(one.visited for _, one in columns)
    return [str(one.visited if walks else one.ranked) for _, one in columns]


def _share(recall: float | None) -> str:
    return NONE if recall is None else f"{recall:.2f}"


def _rank(one: Found, gold: str) -> str:
    rank = one.ranks.get(gold)
    if rank is None:
        return "not reached" if one.visited else "not ranked"
    return str(rank) if rank <= one.kept else f"{rank}, pruned"


def _calls(one: Found) -> str:
    return f"{one.calls}, {one.replies} kept" if one.replies else str(one.calls)
