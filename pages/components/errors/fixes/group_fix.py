"""The cheapest fix for a group of questions, and its effect on all questions."""

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.funnel.rescue import looked_at as what_is_looked_at
from core.models.money.budget import NO_BUDGET
from core.places import Place
from core.playback.wording import begun
from core.retrievers import Spec
from core.reviews.losses.change_effect import (
    Effect,
    Part,
    counts_told,
    effect_of,
    net_told,
    run_with_retriever,
)
from core.reviews.losses.clusters import LOST
from core.reviews.losses.common_fix import fix_shares
from core.reviews.losses.group_values import Mend, mend
from core.runs import Row, Run, Runs
from core.runs.fixes import Found, all_known, lost_of
from core.runs.store import MAX_NAME
from core.text.display import plurals
from pages.components.errors.fixes.fix_search import (
    SEARCH_HELP,
    can_search_further,
    search_fixes,
    search_label,
)
from pages.components.errors.review_context import Bench
from pages.components.errors.run_progress import follow_trial, trial_with
from pages.components.evaluate.run_progress import running
from pages.components.runs.result_list import change
from pages.components.shell import layout
from pages.components.shell.actions import run_actions
from pages.components.shell.figures import show_words
from pages.components.shell.visitors.visitor import visitor

Looked = Mapping[str, tuple[Row, Found]]
"""The rows that lost gold, by question id, with what was looked for of each, here or elsewhere."""


def fixes_by_question(bench: Bench) -> Looked:
    """Return each row that lost gold and the fixes known for it, by question id."""
    rows = list(bench.runs.every(bench.run.id, bench.retriever, LOST))
    known = all_known(bench.run, rows, bench.workbench)
    return {row.question.id: (row, found) for row, found in zip(rows, known, strict=True)}


def cheapest(retriever: str) -> str:
    """Describe the search for fixes of the gold passages that `retriever` lost."""
    return (
        "Search for the smallest fix of each missed passage: one setting changed, or one more edge "
        f"followed. The smallest examines the fewest additional {what_is_looked_at(retriever)}s."
    )


def show_group_fixes(
    bench: Bench,
    questions: Sequence[str],
    number: int,
    looked: Looked,
    *,
    beside: DeltaGenerator,
    above: str = "",
) -> str:
    """Show which changes retrieve the lost gold of `questions`, with a button to search or evaluate
    them.

    Parameters
    ----------
    number : of the group; 0 for all questions with lost gold.
    beside : the row for the button.
    above : the retriever offered above, which is not offered again.

    Returns
    -------
    The changed retriever that is offered here, or an empty string.
    """
    some = [looked[one] for one in questions if one in looked]
    _sum_up(some, whole=not number)
    spec = Spec.known(bench.retriever)
    if spec is None or spec.asks_model or not visitor().may_edit:
        return ""
    left = [row for row, found in some if can_search_further(row, found)]
    if left:
        key = f"errors_rescue_{number}"
        if beside.button(search_label(len(left)), key=key, help=SEARCH_HELP):
            with layout.mendable():
                search_fixes(bench, left)
                st.rerun()
        return ""
    found = mend(one for _, known in some for one in known.values())
    if found is None:
        return ""
    again = run_with_retriever(bench.runs, bench.run, found.retriever)
    if again:
        _tell(bench, questions, found, again, number)
    elif trial := trial_with(bench, found.retriever):
        if found.retriever != above:
            follow_trial(bench, trial)
    elif found.retriever != above:
        beside.button(
            layout.literal(
                f"Run all {plurals.number(bench.run.questions, 'question')} with {found.change}"
            ),
            key=f"errors_mend_{number}",
            disabled=running(bench.workbench.index) is not None,
            on_click=ask_all,
            args=(bench, found.retriever, found.change),
        )
    return found.retriever


def _sum_up(some: Sequence[tuple[Row, Found]], *, whole: bool) -> None:
    """Show which changes would retrieve the lost gold of `some`, and for the whole what is
    untried.
    """
    shares = fix_shares([row for row, _ in some], [found for _, found in some])
    if not shares or not (whole or any(found for _, found in some)):
        return
    lost = sum(len(lost_of(row)) for row, _ in some)
    title = f"What would retrieve the {plurals.number(lost, 'lost gold passage')}" if whole else ""
    show_words([(share.name, f"{share.count:,}", share.note) for share in shares], title)


def ask_all(bench: Bench, retriever: str, changed: str) -> None:
    """Start a run of all questions with `retriever`, in a separate process.

    `changed` describes its changed settings.
    """
    with layout.mendable():
        run_actions.evaluate(
            bench.workbench,
            bench.runs.questions(bench.run.id),
            [Spec.parse(retriever)],
            name=f"{bench.run.name[:40]}, {changed}"[:MAX_NAME],
            question_set=bench.run.question_set,
            budget=NO_BUDGET,
            trial_of=bench.run.id,
        )


def _tell(bench: Bench, questions: Sequence[str], found: Mend, again: Run, number: int) -> None:
    """Show the net effect of a measured fix, with buttons that list gains and regressions."""
    path, group = bench.workbench.index.path, tuple(questions)
    done = _effect(path, bench.run.id, bench.retriever, again.id, found.retriever, group)
    show_effect(
        done, found.change, bench.retriever, "in this group" if number else "with lost gold"
    )
    with st.container(horizontal=True, gap="small"):
        for which, ids in (("gains", done.won), ("regressions", done.lost)):
            said = f"{plurals.number(len(ids), 'question')} {'won' if which == 'gains' else 'lost'}"
            st.button(
                said,
                key=f"errors_mend_{which}_{number}",
                disabled=not ids,
                on_click=change,
                kwargs={
                    "run": again.id,
                    "retriever": found.retriever,
                    "other_run": bench.run.id,
                    "other": bench.retriever,
                    "order": which,
                    "which": "all",
                    "group": 0,
                    "show": "review",
                },
            )


def show_effect(done: Effect, changed: str, retriever: str, inside: str) -> None:
    """Show the net effect over all questions; `inside` names the first part of the table."""
    if not done.net:
        st.caption("No question has gold, so there is nothing to compare.")
        return
    first, *others = done.net
    st.text(f"Net effect on all questions: {net_told(first)}. {counts_told(first)}.")
    took = "{:.1f} → {:.1f} per question".format(*done.judgements)
    show_words(
        [
            *(("all questions", net_told(one), counts_told(one)) for one in others),
            ("all questions", f"{what_is_looked_at(retriever)}s examined", took),
            *_part_rows(inside, done.inside),
            *_part_rows("all other questions", done.elsewhere),
        ],
        f"{begun(changed)}, paired by question. Only differences on all questions are tested for "
        "significance, since the other rows are chosen by outcome.",
    )


def _part_rows(where: str, part: Part | None) -> list[Sequence[str]]:
    """Return the table rows with the mean differences of one part of the questions."""
    if part is None:
        return []
    means = ", ".join(f"{mean:+z.1f} {name}" for name, mean in part.means.items())
    return [
        (f"{where}, {plurals.number(part.n, 'question')}", f"points: {means}", counts_told(part))
    ]


@st.cache_resource(max_entries=50, show_spinner=False)
def _effect(
    path: Place, run: str, retriever: str, again: str, other: str, group: tuple[str, ...]
) -> Effect:
    """Compare two retrievers of two runs, over all questions and inside a group."""
    runs = Runs(path)
    return effect_of(runs, (runs.get(run), retriever), (runs.get(again), other), group)
