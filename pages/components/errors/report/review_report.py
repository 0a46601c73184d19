"""A report on the reviews: agreement of reviewers, and files to export."""

from collections import Counter

import streamlit as st

from core.reviews import VERDICTS, Review, Verdict, agreements, judged
from core.text.display import plurals
from pages.components.errors import reviewer
from pages.components.errors.report.export import show_exports
from pages.components.errors.review_context import Bench
from pages.components.shell.figures import section, show_figures, show_words

_SAID: dict[Verdict, str] = {"pass": "passed", "fail": "failed", "defer": "deferred"}


def report(bench: Bench) -> None:
    """Show figures, agreement, and downloads of this run's reviews."""
    reviewer.blind_switch()
    told = [
        one
        for one in bench.told
        if one.question in bench.questions and one.retriever in bench.run.retrievers
    ]
    said = Counter(verdict for verdict, _ in {(one.verdict, one.key) for one in told})
    bare = {one.key for one in told} - judged(told)
    st.caption(
        "Counts results of all retrievers in the run. A result with conflicting verdicts counts "
        "under each."
    )
    people = sorted({one.reviewer for one in told})
    show_figures(
        [
            *((_SAID[one], f"{said[one]:,}", _results(said[one])) for one in VERDICTS),
            ("no verdict", f"{len(bare):,}", "Only a label or note"),
            ("notes", f"{sum(bool(one.note) for one in told):,}", ""),
            ("reviewers", f"{len(people):,}", ", ".join(people)),
        ]
    )
    _agreement(bench, told)
    section("Export")
    if not told:
        st.caption("No results in this run have been reviewed yet.")
        return
    show_exports(bench, told)


def _results(number: int) -> str:
    return "result" if number == 1 else "results"


def _agreement(bench: Bench, told: list[Review]) -> None:
    """Show Cohen's kappa for each pair of reviewers, for verdicts and labels."""
    section("Agreement")
    rows = agreements(told, bench.codes, axial=True)
    if not rows:
        hidden = " You see your own reviews only." if bench.blind else ""
        st.caption(f"Available once two reviewers have judged the same result.{hidden}")
        return
    show_words(
        (
            (
                f"{row.first} and {row.second}",
                row.label or "verdict",
                f"kappa: {row.told}",
                f"agree on {row.same:,} of {plurals.number(row.n, 'result')}",
                f"both {row.both:,}, only one of them {row.first_only:,} and {row.second_only:,}"
                if row.label
                else "",
            )
            for row in rows
        ),
        "Cohen's kappa: 1 is full agreement, 0 is chance agreement",
    )
