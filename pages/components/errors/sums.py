"""What the reviews add up to: how far reviewers agree, and files to take away."""

from collections import Counter
from datetime import UTC, datetime

import streamlit as st

from core.reviews import VERDICTS, Review, agreements
from core.reviews import report as written
from core.reviews.export import to_csv, to_jsonl
from pages.components.errors import reviewer
from pages.components.errors.bench import Bench
from pages.components.errors.choosing import named
from pages.components.shell.figures import section, show_figures, show_words
from pages.components.shell.words import count


def report(bench: Bench) -> None:
    """Figures, agreement, and downloads of the reviews of this run's results."""
    reviewer.blind_switch()
    told = [
        one
        for one in bench.told
        if one.question in bench.questions and one.retriever in bench.run.retrievers
    ]
    said = Counter(one.verdict for one in told)
    people = sorted({one.reviewer for one in told})
    show_figures(
        [
            *((name, f"{said[name]:,}", "") for name in VERDICTS),
            ("notes", f"{sum(bool(one.note) for one in told):,}", ""),
            ("reviewers", f"{len(people):,}", ", ".join(people)),
        ]
    )
    _agreement(bench, told)
    section("Take it away")
    if not told:
        st.caption("Nothing was said of this run yet.")
        return
    _downloads(bench, told)


def _agreement(bench: Bench, told: list[Review]) -> None:
    section("Agreement")
    rows = agreements(told, bench.codes, axial=True)
    if not rows:
        hidden = " You see your own reviews only." if bench.blind else ""
        st.caption(f"There is none to count until two reviewers judged the same result.{hidden}")
        return
    show_words(
        (
            (
                f"{row.first} and {row.second}",
                row.label or "verdict",
                "not defined" if row.kappa is None else f"κ {row.kappa:.2f}",
                f"the same of {row.same:,} of {count(row.n, 'result')}",
                f"both {row.both:,}, one alone {row.first_only:,} and {row.second_only:,}"
                if row.label
                else "",
            )
            for row in rows
        ),
        "Cohen's kappa: 1 is full agreement, 0 that of chance",
    )


def _downloads(bench: Bench, told: list[Review]) -> None:
    index, run = bench.workbench.index, bench.run
    codes, types = bench.codes, bench.types
    listed = run.questions * len({one.retriever for one in told})
    title = f"{index.name}, {run.name}: {', '.join(sorted({named(one.retriever) for one in told}))}"
    date = datetime.now(UTC).date().isoformat()
    name = f"reviews-{index.name}-{run.id}"
    with st.container(horizontal=True, gap="small", key="errors_files"):
        st.download_button(
            "Report (Markdown)",
            lambda: written.report(title, told, codes, listed=listed, date=date),
            file_name=f"{name}.md",
            mime="text/markdown",
            key="errors_report",
            on_click="ignore",
        )
        st.download_button(
            "CSV",
            lambda: to_csv(told, codes, types),
            file_name=f"{name}.csv",
            mime="text/csv",
            key="errors_csv",
            on_click="ignore",
        )
        st.download_button(
            "JSON Lines",
            lambda: to_jsonl(told, codes, types),
            file_name=f"{name}.jsonl",
            mime="application/jsonl",
            key="errors_jsonl",
            on_click="ignore",
        )
