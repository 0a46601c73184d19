"""Groups of questions that lost gold by cause, with labels and fixes for each group."""

from html import escape

import streamlit as st

from core.funnel.stages import meaning
from core.reviews import Cluster, lost_at
from core.reviews.review import LONGEST_NAME
from core.runs import Run, Where
from core.text.display import plurals
from pages.components.errors import review_actions
from pages.components.errors.fixes.group_fix import (
    Looked,
    cheapest,
    fixes_by_question,
    show_group_fixes,
)
from pages.components.errors.groups.remaining_gold import show_ladder
from pages.components.errors.review_context import Bench
from pages.components.evaluate.run_progress import show_running
from pages.components.runs.result_list import change
from pages.components.shell import layout
from pages.components.shell.glossary import hint
from pages.components.shell.visitors.visitor import visitor

_SHOWN = 12
_EXAMPLES = 3


def groups(bench: Bench, runs: list[Run]) -> None:
    """Draw the groups, largest first, each with its actions.

    Above them are the gold left after each stage, and that of the baseline, a retriever of one of
    `runs`.
    """
    show_ladder(bench, runs)
    found = bench.groups
    if not found:
        st.info("No question of this retriever lost gold.")
        return
    show_running(bench.workbench.index)
    lost = sum(len(one.questions) for one in found)
    told = (
        f"{plurals.number(lost, 'question')} lost gold, in {plurals.number(len(found), 'group')}."
    )
    st.caption(f"{told} {cheapest(bench.retriever)}", help=hint("fix"))
    looked = fixes_by_question(bench)
    says, row = st.container(), st.container()
    with says:
        above = show_group_fixes(bench, [*looked], 0, looked, beside=row)
    for number, group in enumerate(found[:_SHOWN], start=1):
        with st.container(border=True, key=f"errors_group_{number}", gap="xsmall"):
            _group(bench, group, number, looked, above)


def _group(bench: Bench, group: Cluster, number: int, looked: Looked, above: str) -> None:
    """Draw a group: its cause, example questions, fixes, and a field that labels every result."""
    texts = [row.question.text for row in _rows(bench, group.questions[:_EXAMPLES])]
    told = "".join(f"<li dir='auto'>{escape(text)}</li>" for text in texts)
    questions = plurals.number(len(group.questions), "question")
    title = f"{group.name} · {questions}, {plurals.number(group.golds, 'gold passage')} lost"
    st.html(
        f"<p class='hop-pivot-row' title='{escape(meaning(group.stage))}'>"
        f"<b dir='auto'>{escape(title)}</b></p>"
        f"<ul class='hop-alike'>{told}</ul>"
    )
    says, row = st.container(), st.container(horizontal=True, gap="small")
    with row:
        st.button("Open", key=f"errors_open_{number}", on_click=_open, args=(number,))
    with says:
        show_group_fixes(bench, group.questions, number, looked, beside=row, above=above)
    if visitor().may_edit and bench.reviewer:
        key = f"errors_group_label_{number}"
        row.text_input(
            "Label all",
            key=key,
            placeholder="Label for the whole group",
            max_chars=LONGEST_NAME,
            label_visibility="collapsed",
        )
        row.button(
            "Label all",
            key=f"errors_label_all_{number}",
            on_click=_label_all,
            args=(bench, group, key),
        )


def _rows(bench: Bench, ids: tuple[str, ...]):  # type: ignore[no-untyped-def]
    return bench.runs.rows(
        *(bench.run.id, bench.retriever, Where(questions=ids)), order="asked", limit=len(ids)
    )


def _open(number: int) -> None:
    change(group=number, label="", by="", value="", stage="", order="asked", show="review")


def _label_all(bench: Bench, group: Cluster, key: str) -> None:
    """Label every result of a group as one change, which one undo reverts."""
    with layout.mendable():
        code = review_actions.add_code(bench.workbench.index, st.session_state[key])
        changes = [
            bench.change(row, found=lost_at(row), on=(code.id,))
            for row in _rows(bench, group.questions)
        ]
        review_actions.say(bench.workbench.index, bench.reviewer, changes)
        st.session_state[key] = ""
        st.toast(layout.literal(f"{plurals.number(len(changes), 'result')} labelled {code.name}"))
