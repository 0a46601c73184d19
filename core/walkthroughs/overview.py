"""Columns of the overview of a whole walkthrough."""

from core.trace_analysis.node_columns import Plot


def columns(plot: Plot) -> tuple[list[str], dict[str, int]]:
    """Return the headings of the columns from left to right, and the column of each node."""
    numbers = sorted(set(plot.columns.of.values()))
    place = {number: at for at, number in enumerate(numbers)}
    headings = [plot.columns.headings[number] for number in numbers]
    return headings, {node: place[number] for node, number in plot.columns.of.items()}
