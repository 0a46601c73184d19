"""Reviews to export: a report, CSV and JSON Lines, with the gold that was lost."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import streamlit as st

from core.funnel.rescue import Rescue
from core.retrievers import Spec
from core.reviews import Review
from core.reviews import report as written
from core.reviews.cases import Cases, cases, rows_of
from core.reviews.export import to_csv, to_jsonl
from core.runs import Row
from core.runs.rescuing import known_rescues, lost_of
from pages.components.errors.bench import Bench
from pages.components.errors.choosing import named
from pages.components.shell import acts, frame
from pages.components.shell.visitor import visitor
from pages.components.shell.words import count


def exporting(bench: Bench, told: Sequence[Review]) -> None:
    """What would have kept the lost gold, looked for on a click, and the files."""
    rows = rows_of(told, bench.run, bench.runs)
    _looking(bench, rows)
    _downloads(bench, told, rows)


def _looking(bench: Bench, rows: Sequence[Row]) -> None:
    """Says of how many results it is not known what would have kept their gold; a click looks."""
    open_ = [row for row in rows if _unknown(bench, row)]
    if not open_:
        return
    said = f"For {count(len(open_), 'reviewed result')} nobody has looked for what would have kept"
    st.caption(f"{said} the lost gold; the files say so.")
    if visitor().may_edit and st.button("Look for what would have kept it", key="errors_look"):
        with frame.mendable():
            look(bench, open_)
            st.rerun()


def look(bench: Bench, rows: Sequence[Row]) -> list[Rescue | None]:
    """The rescue of each lost gold of `rows`, found where it is not held with the index yet."""
    bar, found = st.progress(0.0, "Looking for rescues"), list[Rescue | None]()
    for done, row in enumerate(rows, start=1):
        found += acts.rescue(bench.run, row, bench.workbench).values()
        bar.progress(done / len(rows), f"{done:,} of {count(len(rows), 'question')}")
    return found


def _unknown(bench: Bench, row: Row) -> bool:
    spec = Spec.known(row.retriever)
    if spec is None or spec.asks_model:
        return False
    lost = [fate for fate in lost_of(row) if fate.stage != "absent"]
    known = known_rescues(bench.run, row, bench.workbench) if lost else {}
    return any(fate.gold not in known for fate in lost)


def _downloads(bench: Bench, told: Sequence[Review], rows: Sequence[Row]) -> None:
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
                title, told, codes, known(), listed=listed, date=date, runs=names
            ),
        )
        _file(bench, "CSV", "csv", "text/csv", lambda: to_csv(told, codes, known(), names))
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
    st.download_button(
        label,
        make,
        file_name=f"reviews-{bench.workbench.index.name}-{bench.run.id}.{ending}",
        mime=mime,
        key=f"errors_file_{ending}",
        on_click="ignore",
    )
