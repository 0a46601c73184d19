"""Errors: review results one by one with verdict, note and labels, and summarise the reviews."""

from functools import partial
from html import escape

import streamlit as st

from core.runs import Row, Runs
from core.text.display.question_types import meaning
from core.text.display.question_types import named as named_type
from pages.components.errors import keyboard, reviewer
from pages.components.errors.groups.group_list import groups
from pages.components.errors.labels.label_table import labels
from pages.components.errors.other_indexes import show_elsewhere
from pages.components.errors.report.review_report import report
from pages.components.errors.result_filters import (
    all_runs,
    column_row,
    missing_result_message,
    settled,
    show_filters,
)
from pages.components.errors.review.review_list import listing
from pages.components.errors.review.verdict import verdict
from pages.components.errors.review.walkthrough import show_result_walkthrough
from pages.components.errors.review_context import Bench
from pages.components.errors.run_progress import follow, keep_shown_result
from pages.components.errors.status_message import tell
from pages.components.evaluate.current_run import chosen
from pages.components.evaluate.outdated_run import show_marks_since
from pages.components.evaluate.run_progress import is_measured
from pages.components.indexes import index_menu
from pages.components.passages.unmatched_marks import show_unsettled
from pages.components.runs.result_list import SHOWN, Wish, change, go_on, wished
from pages.components.shell import address_params, layout, nav
from pages.components.shell.visitors.signature import signature, typed
from pages.components.shell.visitors.visitor import visitor

LIST, VERDICT = 226, 252  # pixels wide

nav.guard()
layout.heading("Errors", "Review why gold passages were missed, one question at a time.")
workbench = index_menu.need_workbench()
kept = Runs(workbench.index.path)
runs = all_runs(kept)
if not runs:
    layout.empty(
        f"No runs to review in {workbench.index.name} yet",
        "This page reviews the results of a run. Evaluate this index first.",
        "Go to Evaluate",
        "evaluate",
        also=partial(show_elsewhere, workbench.index.name),
    )
go_on(workbench.index.name, chosen(workbench.index)[0])
reviewer.sign_by_default(workbench.index.path)
who = signature()
asked_for = wished()
run, wish = settled(asked_for, runs, workbench.index, who)
if gone := missing_result_message(asked_for, run, wish):
    st.info(layout.literal(gone))
address_params.go(wish)  # a run that is begun later does not take its place
go_on(workbench.index.name)
bench = Bench(workbench, run, wish, who, reviewer.blind())


def views(wish: Wish) -> None:
    """Draw the switch between the page's four views, beside its title."""
    st.session_state["errors_show"] = wish.show
    with st.container(key="views", horizontal=True, gap="small"):
        reviewer.show_name(bench.reviewer, bench.reviewers)
        st.segmented_control(
            "View",
            list(SHOWN),
            key="errors_show",
            format_func=SHOWN.__getitem__,
            required=True,
            label_visibility="collapsed",
            on_change=lambda: change(show=st.session_state["errors_show"]),
        )


def show_review() -> None:
    """Draw the list, the walkthrough of the selected result, and its review.

    As a fragment: turning to the next result runs this alone, and not the page with its choices.
    """
    with layout.mendable():
        _, now = settled(wished(), runs, workbench.index, signature())
        again = Bench(workbench, run, now, signature(), reviewer.blind())
        if (now.view, now.show, again.labelled) != (wish.view, wish.show, bench.labelled):
            st.rerun()  # another list or face, or another label to choose, which stand above
        go_on(workbench.index.name)
        show_result(keep_shown_result(again))


def show_result(bench: Bench) -> None:
    """Draw the result at the current position of the list."""
    at = bench.wish.at
    row = bench.row(at)
    if row is None and at > 1:
        change(at=1)
        st.rerun()
    if row is None:
        tell()
        if is_measured(workbench.index, run):
            st.info(f"{layout.literal(run.name)} is still running. No results match yet.")
        else:
            st.info(
                "No results match. Choose another verdict, label or stage, or show all questions."
            )
        return
    with st.container(horizontal=True, gap="small", key="errors_bench"):
        left = st.container(key="errors_list", gap="xsmall", width=LIST)
        middle = st.container(key="errors_middle", gap="xsmall", width="stretch")
        right = st.container(key="errors_verdict", gap="small", width=VERDICT)
    # The film is what one waits for, so it is sent first.
    with middle, layout.mendable():
        show_question(row)
        show_result_walkthrough(bench, row, bench.row(at + 1))
    with right:
        if not bench.reviewer and visitor().may_edit:
            reviewer.ask_name(bench.reviewers)
        if bench.reviewer or visitor().may_edit:
            verdict(bench, row)
    with left:
        listing(bench)


def show_question(row: Row) -> None:
    """Draw the question, its gold answer, type and data set."""
    answers = f"Gold answer: {row.question.answers[0]}" if row.question.answers else ""
    known = filter(None, (answers, named_type(row.question.type), row.question.dataset))
    st.html(
        f"<p class='hop-case-asked' dir='auto'><b>{escape(row.question.text)}</b> "
        f"<span class='hop-quiet' title='{escape(meaning(row.question.type))}'>"
        f"{escape(' · '.join(known))}</span></p>"
    )


views(wish)
if wish.show != "review":
    tell()
keyboard.listen(typed())
with layout.mendable():
    show_marks_since(kept, run, workbench.index, wish.retriever)
show_unsettled(workbench.index, place="errors")
with layout.mendable():
    # The groups are those of the machine: they need nobody who reviews.
    named = bench.reviewer or wish.show in ("review", "groups")
    if not named and visitor().may_edit:
        reviewer.ask_name(bench.reviewers)
        st.stop()
    if wish.show != "review":
        column_row(bench, runs)
    match wish.show:
        case "labels":
            labels(bench)
        case "groups":
            groups(bench, runs)
            if not bench.reviewer and visitor().may_edit:
                reviewer.ask_name(bench.reviewers)  # to label them
        case "report":
            report(bench)
        case _:
            choices = st.container()
            # Who has no name yet gives one first, and that is for all of the page.
            (st.fragment(show_review) if who else show_review)()
            with choices:
                show_filters(bench, runs)
                follow(bench)
