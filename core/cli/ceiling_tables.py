"""What the graph can reach, as tables for the terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from core.cli.common import plain

if TYPE_CHECKING:
    from core.ceiling.hubs import Hub
    from core.ceiling.measures import CeilingReport
    from core.graph_report import GraphReport


def reach_table(report: "CeilingReport") -> Table:
    """Tabulate the percentage of gold, questions and passages within each number of hops."""
    from core.ceiling.reach import HOPS
    from core.ceiling.words import reach_rows

    title = "Within h hops of the seeds"
    table = Table("data set", "edges walked", "%", title=title, title_justify="left")
    for hops in range(HOPS + 1):
        table.add_column(f"h = {hops}", justify="right")
    last = ("", "")
    for row in reach_rows(report):
        group = (plain(row.dataset), row.edges)
        if group != last:
            table.add_section()
        named = group if group != last else ("", "")
        table.add_row(*named, row.of, *(f"{value:.1f}" for value in row.percent))
        last = group
    return table


def lost_table(report: "CeilingReport") -> Table:
    """Tabulate how much gold is out of reach, and at which stage the rest was lost."""
    from core.ceiling.words import groups, lost_rows

    table = Table("", title="Where gold is lost", title_justify="left")
    for name in groups(report).values():
        table.add_column(plain(name), justify="right")
    for row in lost_rows(report):
        if not row.part:
            table.add_section()
        table.add_row(
            f"  {row.name}" if row.part else row.name, *(f"{count:,}" for count in row.counts)
        )
    return table


def shape_table(shape: "GraphReport") -> Table:
    """Tabulate the shape of the graph, independent of questions."""
    table = Table("", "", show_header=False, title="The graph", title_justify="left")
    table.columns[1].justify = "right"
    for name, value in (
        ("Passages", f"{shape.counts.vertices:,}"),
        ("Edges", f"{shape.counts.edges:,}"),
        ("Orphans (passages without edges)", f"{len(shape.orphans):,}"),
        ("Components", f"{shape.components:,}"),
        ("Passages in the largest, %", f"{100 * shape.largest_share:.1f}"),
    ):
        table.add_row(name, value)
    return table


def hubs_table(hubs: "Sequence[Hub]") -> Table:
    """Tabulate the passages with the most edges."""
    table = Table("hub", title="Passages with the most edges", title_justify="left")
    for name in ("edges", "arriving", "leaving"):
        table.add_column(name, justify="right")
    for hub in hubs:
        counts = (hub.arriving + hub.leaving, hub.arriving, hub.leaving)
        table.add_row(plain(hub.title or hub.passage_id), *(f"{count:,}" for count in counts))
    return table
