"""Reviews to export: a report, CSV and JSON Lines, with the gold that was lost."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import streamlit as st

from core.drawing.export import for_excel
from core.reviews import Review
from core.reviews.losses.common_fix import fix_summary
from core.reviews.losses.lost_gold import NOT_LOOKED_FOR, Cases, cases, rows_of
from core.reviews.report import markdown_report as written
from core.reviews.report.run_overview import overview
from core.reviews.report.table_export import to_csv, to_jsonl
from core.runs import Row
from core.runs.fixes import all_known
from core.text.display.plurals import number
from pages.components.errors.fixes.fix_search import (
    SEARCH_HELP,
    can_search_further,
    search_fixes,
    search_label,
)
from pages.components.errors.result_filters import named
from pages.components.errors.review_context import Bench
from pages.components.shell import layout
from pages.components.shell.visitors.visitor import visitor


def show_exports(bench: Bench, reviews: Sequence[Review]) -> None:
    """Show the changes that would have retrieved the lost gold, and the download buttons."""
    rows = rows_of(reviews, bench.run, bench.runs)
    own = [row for row in rows if bench.run.configuration(row.retriever)]
    known = all_known(bench.run, own, bench.workbench)
    kept = " ".join(fix_summary(own, known))
    if kept:
        st.caption(layout.literal(kept))
    _show_unsearched(
        bench,
        [row for row, found in zip(own, known, strict=True) if can_search_further(row, found)],
    )
    _downloads(bench, reviews, rows, kept)


def _show_unsearched(bench: Bench, open_: Sequence[Row]) -> None:
    """Show how many reviewed results were never searched for a fix, with a button to search."""
    if not open_:
        return
    st.caption(
        f"{number(len(open_), 'reviewed result')} without a search for a fix. The files say "
        f"'{NOT_LOOKED_FOR}'."
    )
    if not visitor().may_edit:
        return
    if st.button(search_label(len(open_)), key="errors_look", help=SEARCH_HELP):
        with layout.mendable():
            search_fixes(bench, open_)
            st.rerun()


def _downloads(bench: Bench, told: Sequence[Review], rows: Sequence[Row], kept: str) -> None:
    """Draw the buttons that download the reviews as Markdown, CSV and JSON Lines."""
    index, run, codes = bench.workbench.index, bench.run, bench.codes
    listed = run.questions * len({one.retriever for one in told})
    title = f"{index.name}, {run.name}: {', '.join(sorted({named(one.retriever) for one in told}))}"
    date = datetime.now(UTC).date().isoformat()

    names = {one.id: one.name for one in bench.runs.all()}

    def known() -> Cases:
        return cases(rows, run, bench.workbench)

    with st.container(horizontal=True, gap="small", key="errors_files"):
        _file(
            bench,
            "Report (Markdown)",
            "md",
            "text/markdown",
            lambda: written.report(
                *(title, told, codes, known()),
                listed=listed,
                date=date,
                runs=names,
                fixes=kept,
                overview=overview(run, bench.workbench, {one.retriever for one in told}),
            ),
        )
        _file(bench, "CSV", "csv", "text/csv", lambda: to_csv(told, codes, known(), names))
        _file(
            bench,
            "CSV for Excel",
            "excel.csv",
            "text/csv",
            lambda: for_excel(to_csv(told, codes, known(), names)),
        )
        _file(
            bench,
            "JSON Lines",
            "jsonl",
            "application/jsonl",
            lambda: to_jsonl(told, codes, known(), names),
        )


def _file(
    bench: Bench, label: str, ending: str, mime: str, make: Callable[[], str | bytes]
) -> None:
    """Draw a download button; `make` writes the file when it is pressed."""
    st.download_button(
        label,
        make,
        file_name=f"reviews-{bench.workbench.index.name}-{bench.run.id}.{ending}",
        mime=mime,
        key=f"errors_file_{ending.replace('.', '_')}",
        on_click="ignore",
    )
