"""Results as tables for the terminal."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from core.cli.common import plain

if TYPE_CHECKING:
    from core.evaluate import Evaluation, Paired
    from core.store.index import Index
    from core.store.meta import Meta
    from core.types import Hit


def counts_table(meta: "Meta") -> Table:
    """The size of the graph, after the paper's Table 7."""
    counts = meta.counts
    table = Table("", "", show_header=False)
    table.columns[1].justify = "right"
    for name, value in (
        ("Documents", f"{counts.documents:,}"),
        ("Vertices (passages)", f"{counts.vertices:,}"),
        ("Edges", f"{counts.edges:,}"),
        ("Average text length (characters)", f"{counts.text_length:,.1f}"),
        ("Average out-degree", f"{counts.out_degree:.2f}"),
        ("Dropped edges (over n ln n)", f"{counts.dropped_edges:,}"),
        ("In-coming questions", f"{counts.in_coming:,}"),
        ("Out-coming questions", f"{counts.out_coming:,}"),
        ("Passages with fewer than 2 in-coming", f"{counts.short_in_coming:,}"),
        ("Passages with fewer than 4 out-coming", f"{counts.short_out_coming:,}"),
        ("Questions of the corpus", f"{counts.questions:,}"),
        ("Chunking", meta.chunking),
        ("Pseudo-queries by", plain(meta.maker)),
        *([("… and by rules, for passages", f"{counts.fallbacks:,}")] if counts.fallbacks else []),
        ("Embedder", f"{plain(meta.embedder.name)}, {meta.embedder.precision}"),
        ("Finished", f"{meta.finished_at[:19]} UTC, in {meta.seconds:,.1f} s"),
    ):
        table.add_row(name, value)
    return table


def hits_table(hits: Sequence["Hit"], index: "Index", gold: Sequence[str]) -> Table:
    """Ranked passages; a column says which are gold, if any is known."""
    table = Table()
    table.add_column("rank", justify="right")
    if gold:
        table.add_column("gold")
    table.add_column("score", justify="right")
    table.add_column("parts", overflow="fold")
    table.add_column("title", overflow="fold")
    table.add_column("id", overflow="fold")
    for rank, hit in enumerate(hits, start=1):
        passage = index.passage(hit.passage_id)
        parts = ", ".join(f"{plain(part.name)} {part.value:.3f}" for part in hit.parts)
        marked = ["gold" if passage.id in gold or passage.document_id in gold else ""]
        table.add_row(
            str(rank),
            *(marked if gold else ()),
            f"{hit.score:.3f}",
            parts,
            plain(passage.title),
            plain(passage.id),
        )
    return table


def measures_table(report: "Evaluation") -> Table:
    """A row for each retriever, over all questions and then by data set."""
    table = Table("retriever", "data set")
    for name in report.named(report.keys[0]):
        table.add_column(name, justify="right")
    for key in report.keys:
        _add(table, key, "all", report.named(key))
        for dataset in report.datasets:
            _add(table, "", plain(dataset), report.named(key, dataset))
    return table


def paired_table(paired: "Paired") -> Table:
    """A row for each retriever and measure: points more than the baseline, and their p."""
    table = Table(
        "retriever",
        "measure",
        title=f"minus {paired.baseline}, question by question",
        title_justify="left",
    )
    for name in ("n", "points", "95 % interval", "better", "equal", "worse", "p"):
        table.add_column(name, justify="right")
    for key, found in paired.overall.items():
        for row in found:
            counts = (f"{count:,}" for count in (row.better, row.equal, row.worse))
            between = "-" if row.low is None else f"{row.low:+z.1f} to {row.high:+z.1f}"
            table.add_row(
                key if row is found[0] else "",
                row.measure,
                f"{row.n:,}",
                f"{row.mean:+z.1f}",  # z: never -0.0
                between,
                *counts,
                f"{row.p:.4f}",
            )
    return table


def _add(table: Table, key: str, dataset: str, values: Mapping[str, float | None]) -> None:
    table.add_row(key, dataset, *(_number(name, value) for name, value in values.items()))


def _number(name: str, value: float | None) -> str:
    if value is None:
        return "-"
    if name in ("n", "n_answers"):
        return f"{value:,}"
    return f"{value:.3f}" if "seconds" in name else f"{value:.1f}"
