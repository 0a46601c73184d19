"""Compare: one question, two to four retrievers side by side."""

import shlex
from dataclasses import replace

import streamlit as st

from core.retrievers import Spec
from pages.components.ask.questions.suggested_questions import show_suggestions
from pages.components.ask.required_structures import left_out_line
from pages.components.ask.view_switch import shown, view_switch, views_line
from pages.components.compare import form as compare_form
from pages.components.compare.charts import bump_chart
from pages.components.compare.columns import columns, compare_rules_notice
from pages.components.compare.comparison import Comparison, comparison
from pages.components.compare.default_pair import usual_pair
from pages.components.compare.difference import difference
from pages.components.compare.keyboard import mount_keys, skip_link
from pages.components.compare.tables import gold_table, overlap_table
from pages.components.compare.verdict import verdict
from pages.components.compare.verdict_lines import verdict_html
from pages.components.indexes import index_menu
from pages.components.shell import layout, nav
from pages.components.shell.charts import show_chart
from pages.components.shell.widgets.copy_link import copy_link

HOW_TO_MARK = (
    "<p class='hop-caption'>Open a passage below and select <b>Mark as gold</b> if the answer "
    "needs it. This table then shows ranks and recall. The index stores the marks.</p>"
)

nav.guard()
view = shown()
skip_link(view)
layout.heading("Compare", "Compare retrievers on one query.")
bench = index_menu.need_workbench()
line = views_line()
wish, choose, beside = compare_form.form(bench, view)
with line:
    view_switch(view, bench.index.name, wish.specs[0].card.title if wish.specs else "")


def overview(found: Comparison) -> None:
    """Show the gold of each column, the reasons and ranks, and the overlap of the rankings."""
    names = [column.spoken for column in found.answered]
    st.html(verdict_html(verdict(found, names), found.answered))
    with st.container(key="compare_overview"):  # one below the other where it is narrow
        left, right = st.columns([5, 2], gap="medium")
    left.html(gold_table(found) if found.gold or found.said.removed else HOW_TO_MARK)
    right.html(
        f"<p class='hop-caption'>Shared passages in the top {found.top_k}</p>"
        + overlap_table(found)
    )


if wish.problem:
    st.warning(layout.literal(wish.problem))
    st.stop()
if wish.ignored:
    st.warning("  \n".join(map(layout.literal, wish.ignored)))
if wish.left_out:
    st.info(layout.literal(" ".join(wish.left_out)))
if said := compare_form.baseline_note(wish):
    st.caption(layout.literal(said))
if said := compare_form.by_hand_left_out(wish, bench.index.name):
    st.info(layout.literal(said))
if not wish.question:
    show_suggestions(bench.index, choose)
if not wish.may_ask:
    st.stop()
found, shown_columns = None, wish.columns
waiting = st.empty()
with layout.mendable():
    if view == "difference":
        shown_columns = wish.pair or usual_pair(wish, bench, waiting.caption)
        wish = replace(wish, pair=shown_columns)
    found = comparison(bench, wish.question, shown_columns, wish.top_k, waiting.caption)
waiting.empty()
if found is None:
    st.stop()
for number, column in enumerate(found.columns):
    if column.needs and column.own and view != "difference":
        place = f"compare_{number}_top"
        left_out_line(column.own, column.needs, found.index, place=place)
mount_keys()
if view == "difference":
    difference(found, wish, beside)
else:
    if len(found.answered) > 1:
        overview(found)
    columns(found)
    if any(column.hits for column in found.answered):
        st.html("<h2 class='hop-section'>How the ranks change</h2>")
        show_chart(bump_chart(found))
compare_rules_notice(found)
copy_link(key="compare_copy")
ask = shlex.join(["python", "-m", "core", "ask", wish.question, "--index", str(bench.index.path)])
commands = [
    f"{ask} --retriever {shlex.quote(str(one))} --top-k {wish.top_k}"
    for one in shown_columns
    if isinstance(one, Spec)
]
if commands:
    layout.show_equivalent_command("\n".join(commands))
