"""Evaluation results as tables for the terminal."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from core.cli.common import plain
from core.cli.tables import unknown_gold_text
from core.glossary import GLOSSARY
from core.text.display.plurals import number

if TYPE_CHECKING:
    from core.evaluation import Difference, Evaluation, Paired
    from core.reviews.losses.change_effect import Effect
    from core.runs import Run
    from core.runs.analysis.chain_slices import Slice
    from core.runs.analysis.cross_index import CrossIndex


def measures_table(report: "Evaluation") -> Table:
    """Tabulate the measures by retriever, over all questions and by data set."""
    time = GLOSSARY["retrieval_time"]
    remarks = [f"seconds_p50: median {time.name}. {time.told}"]
    if report.unknown_gold:
        remarks.append(unknown_gold_text(report.unknown_gold))
    remark = "\n".join(remarks)
    table = Table("retriever", "data set", caption=remark, caption_justify="left")
    for name in _usual(report.named(report.keys[0])):
        table.add_column(name, justify="right")
    for key in report.keys:
        _add(table, report.called(key), "all", _usual(report.named(key)))
        for dataset in report.datasets:
            _add(table, "", plain(dataset), _usual(report.named(key, dataset)))
    return table


def answers_table(report: "Evaluation") -> Table | None:
    """Tabulate answer measures by question type, hop count and retriever, or return None."""
    from core.evaluation.measures import OF_ANSWERS

    rows = [
        (f"{field} {value}", report.called(key), measures)
        for field in ("type", "hops")
        for value, by in report.answers_by(field).items()
        for key, measures in by.items()
    ]
    if not rows:
        return None
    names = [name for name in OF_ANSWERS if name in rows[0][2]]
    table = Table("questions", "retriever", title="Answers", title_justify="left")
    for name in names:
        table.add_column(name, justify="right")
    for value, key, measures in rows:
        table.add_row(
            plain(value), plain(key), *(_formatted(name, measures[name]) for name in names)
        )
    return table


def costs_table(report: "Evaluation") -> Table | None:
    """Tabulate model usage per question by retriever and role; None without model calls."""
    found = [(key, one) for key in report.keys for one in report.costs(key)]
    if not found:
        return None
    caption = "Means per question. Cached replies count as new calls."
    table = Table("retriever", "role", "model", title="Model calls", caption=caption)
    table.title_justify = table.caption_justify = "left"
    for name in ("calls", "tokens in", "tokens out", "seconds", "dollars"):
        table.add_column(name, justify="right")
    for key, one in found:
        table.add_row(
            *(plain(report.called(key)), one.role, plain(one.model)),
            *(f"{one.calls:,.1f}", f"{one.tokens_in:,.0f}", f"{one.tokens_out:,.0f}"),
            *(f"{one.seconds:,.2f}", "unknown" if one.price is None else f"{one.price:.5f}"),
        )
    return table


def _usual(values: Mapping[str, float | None]) -> dict[str, float | None]:
    """Keep the usual measures and unknown columns; drop details that do not fit in a table."""
    from core.measures import MEASURES, USUAL

    left_out = {*MEASURES, "seconds_p95", "embed_seconds_p50"} - {*USUAL}
    return {name: value for name, value in values.items() if name not in left_out}


def paired_table(paired: "Paired", called: Callable[[str], str]) -> Table:
    """Tabulate the paired differences from the baseline in percentage points, with p-values.

    Parameters
    ----------
    called : returns the row name of a retriever.
    """
    rows = [
        (called(key) if row is found[0] else "", row)
        for key, found in paired.overall.items()
        for row in found
    ]
    return _differences(rows, f"minus {called(paired.baseline)}, paired by question")


def difference_table(found: "Mapping[str, Difference]", title: str) -> Table:
    """Tabulate the differences from an earlier run by retriever, in percentage points."""
    return _differences([(plain(key), row) for key, row in found.items()], title)


def effect_table(effect: "Effect", title: str) -> Table:
    """Tabulate the net effect over all questions, then over the halves without a test."""
    rows = [("all questions" if one is effect.net[0] else "", one) for one in effect.net]
    table = _differences(rows, title, first="questions")
    for name, part in (("lost gold before", effect.inside), ("others", effect.elsewhere)):
        if part is None:
            continue
        table.add_section()
        counts = [f"{count:,}" for count in (part.better, part.equal, part.worse)]
        for measure, mean in part.means.items():
            by_recall = measure == "recall"
            counted = counts if by_recall else [""] * len(counts)
            points = f"{mean:+z.1f}"
            table.add_row(
                name if by_recall else "", measure, f"{part.n:,}", points, "", *counted, ""
            )
    return table


def _differences(
    rows: "Sequence[tuple[str, Difference]]", title: str, first: str = "retriever"
) -> Table:
    """Tabulate paired differences, a row for each; `first` heads the column of row names."""
    from core.evaluation.paired import interval_text

    table = Table(first, "measure", title=title, title_justify="left")
    for name in ("n", "points", "95% interval", "better", "equal", "worse", "p"):
        table.add_column(name, justify="right")
    for key, row in rows:
        counts = (f"{count:,}" for count in (row.better, row.equal, row.worse))
        table.add_row(
            key,
            row.measure,
            f"{row.n:,}",
            f"{row.mean:+z.1f}",  # z: never -0.0
            interval_text(row.low, row.high, "+z.1f") or "-",
            *counts,
            "-" if row.tested is None else f"{row.tested:.4f}",
        )
    return table


def cross_index_table(found: "CrossIndex") -> Table:
    """Tabulate measures by retriever, with both indexes side by side."""
    from core.evaluation.paired import interval_text

    ours, theirs = found.ours, found.theirs
    table = Table("retriever", "measure")
    for name in ("n", ours.index.name, theirs.index.name, "difference", "95% interval", "p"):
        table.add_column(plain(name), justify="right")
    for retriever, lines in found.lines.items():
        for line in lines:
            table.add_row(
                plain(retriever) if line is lines[0] else "",
                line.measure,
                f"{line.n:,}",
                *(f"{line.ours:,.1f}", f"{line.theirs:,.1f}", f"{line.difference:+z,.1f}"),
                interval_text(line.low, line.high, "+z,.1f") or "-",
                "-" if line.p is None else f"{line.p:.4f}",
            )
    return table


def cross_index_title(found: "CrossIndex") -> str:
    """Name the compared runs, with the number and length of the passages of each index."""
    from core.runs.analysis.cross_index import COUNTED

    runs = (
        f"{plain(side.run.name)} of {plain(side.index.name)} "
        f"({number(side.index.meta.counts.vertices, 'passage')}, "
        f"{side.index.meta.counts.text_length:,.0f} characters on average)"
        for side in (found.ours, found.theirs)
    )
    return f"{' minus '.join(runs)}; gold is {COUNTED[found.level]}"


def chain_table(chain: "Mapping[str, Slice]", retrievers: "Sequence[str]") -> Table:
    """Tabulate recall of evidence by hop of the reasoning chain and retriever."""
    table = Table("hop")
    for name in ("questions", *map(plain, retrievers)):
        table.add_column(name, justify="right")
    for hop, at_hop in chain.items():
        means = (at_hop.by[name].mean if name in at_hop.by else None for name in retrievers)
        shown = ("-" if mean is None else f"{mean:.1f}" for mean in means)
        table.add_row(hop, f"{at_hop.questions:,}", *shown)
    return table


def runs_table(runs: "Sequence[Run]") -> Table:
    """Tabulate the runs."""
    from core.runs.gold import level_of

    table = Table("run", "id", "made", "questions", "gold", "retrievers", "state")
    for run in runs:
        asked = f"{run.questions:,} of {plain(run.question_set)}"
        names = ", ".join(map(plain, run.retrievers))
        made, level = run.made_at[:16], level_of(run)
        table.add_row(plain(run.name), run.id, made, asked, level, names, run.state)
    return table


def _add(table: Table, key: str, dataset: str, values: Mapping[str, float | None]) -> None:
    table.add_row(key, dataset, *(_formatted(name, value) for name, value in values.items()))


def _formatted(name: str, value: float | None) -> str:
    """Format a measured value by its name: counts whole, seconds exact, else one decimal."""
    if value is None:
        return "-"
    if name in ("n", "n_answers", "turned_to", "decided"):
        return f"{value:,}"
    return f"{value:.3f}" if "seconds" in name else f"{value:.1f}"
