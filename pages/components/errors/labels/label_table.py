"""The table of labels with their counts, and the forms that merge and rename them."""

from collections import Counter
from html import escape

import streamlit as st

from core.funnel.stages import meaning, stage_words
from core.reviews import Code, axial_codes
from core.reviews.codes import FEWEST, MOST
from core.reviews.pivot import BYS, By, Pivot
from core.reviews.review import LONGEST_NAME
from core.text.display import plurals
from pages.components.errors import review_actions
from pages.components.errors.labels.label_split import split_form
from pages.components.errors.result_filters import named
from pages.components.errors.review.undo import undo_button
from pages.components.errors.review_context import Bench
from pages.components.runs.result_list import change
from pages.components.shell import layout
from pages.components.shell.figures import section
from pages.components.shell.glossary import hint
from pages.components.shell.visitors.visitor import visitor

_PICKED, _INTO, _BY, _AXIAL = "codes_picked", "codes_into", "codes_by", "codes_axial"
_TITLES: dict[By, str] = {
    "stage": "by stage",
    "type": "by type",
    "retriever": "by retriever",
    "verdict": "by verdict",
}


def labels(bench: Bench) -> None:
    """Draw the table of labels, and below it the forms that change labels."""
    if bench.codes:
        _table(bench)
    else:
        st.info("No labels yet. To add a label during a review, type its name and press Enter.")
    if visitor().may_edit:
        undo_button(bench, named=True)
        if bench.codes:
            _label_forms(bench)
            split_form(bench)


def _table(bench: Bench) -> None:
    """Draw the choice of columns, and the number of results by label and column."""
    wish = bench.wish
    st.session_state[_BY], st.session_state[_AXIAL] = wish.columns, bool(wish.merged)
    with st.container(
        horizontal=True, gap="medium", vertical_alignment="center", key="codes_choose"
    ):
        st.segmented_control(
            "Columns",
            list(BYS),
            key=_BY,
            required=True,
            format_func=_TITLES.__getitem__,
            label_visibility="collapsed",
            on_change=lambda: change(columns=st.session_state[_BY]),
        )
        merged = any(code.axial for code in bench.codes.values())
        axial = merged and st.toggle(
            "Merged",
            key=_AXIAL,
            on_change=lambda: change(merged=int(st.session_state[_AXIAL])),
        )
    by = wish.columns
    found = bench.pivot(by, axial=axial)
    if not found.rows:
        st.caption("No results in this run have labels yet.")
        return
    _pivot(found, by, axial=axial)
    st.caption(
        "A result with two labels counts in both rows. A passed result without a label counts in "
        "none. Select a number to list its questions.",
        help=hint("label"),
    )


def _pivot(found: Pivot, by: By, *, axial: bool) -> None:
    """Draw the counts as buttons; links would start a new session."""
    widths = [3.0, *(1.4 for _ in found.columns), 1.0]
    head = st.columns(widths, gap="small", vertical_alignment="bottom")
    for cell, value in zip(head[1:], [*found.columns, ""], strict=True):
        title, means = (_heading(by)(value), meaning(value)) if value else ("all", "")
        cell.html(f"<p class='hop-pivot-head' title='{escape(means)}'>{escape(title)}</p>")
    for number, row in enumerate(found.rows):
        cells = st.columns(widths, gap="small", vertical_alignment="center")
        cells[0].html(f"<p class='hop-pivot-row' dir='auto'>{escape(row)}</p>")
        for column, (cell, value) in enumerate(zip(cells[1:], [*found.columns, ""], strict=True)):
            amount = found.count(row, value) if value else len(found.of_row(row))
            if amount:
                cell.button(
                    f"{amount:,}",
                    key=f"codes_cell_{number}_{column}",
                    help=layout.literal(f"{row}, {_heading(by)(value) if value else 'all'}"),
                    on_click=_show,
                    args=(row, value, by, axial),
                    width="stretch",
                )


def _heading(by: By):  # type: ignore[no-untyped-def]
    return {"stage": stage_words, "retriever": named}.get(by, str)


def _show(label: str, value: str, by: By, axial: bool) -> None:
    others: dict[str, object] = {"retriever": value} if by == "retriever" and value else {}
    where = {"label": label, "value": value, "by": by, "axial": int(axial)}
    change(**where, **others, group=0, stage="", order="asked", show="review")


def _label_forms(bench: Bench) -> None:
    """Draw the forms that merge, split, rename and delete labels."""
    codes = bench.codes
    merged = axial_codes(codes.values())
    alone = [code for code in codes.values() if not code.axial]
    shown = len(merged) + len(alone)
    if len(codes) == 1 and not merged:
        _rename_only_label(bench)
        return
    section(f"Merge labels: {len(codes):,} given, {shown:,} after merging")
    related = f"Merge related labels until {FEWEST} to {MOST} remain. " if shown > MOST else ""
    st.caption(
        f"{related}Reviews keep their original labels, so you can split a merged label again."
    )
    left, right = st.columns(2, gap="large")
    with left:
        _merge_form(bench, [*alone, *(code for held in merged.values() for code in held)])
        _delete_unused_button(bench)
    with right:
        for number, (name, held) in enumerate(merged.items()):
            _merged_label_form(bench, name, held, number)
        _rename_form(bench)


def _rename_only_label(bench: Bench) -> None:
    """Draw the form to rename the only label, or to delete it if no review has it."""
    section("Rename the label")
    left, _ = st.columns(2, gap="large")
    with left:
        _rename_form(bench)
        _delete_unused_button(bench)


def _uses(bench: Bench) -> Counter[int]:
    """Return the number of reviews by label."""
    return Counter(label for review in bench.told for label in review.labels)


def _delete_unused_button(bench: Bench) -> None:
    uses = _uses(bench)
    if any(not uses[code] for code in bench.codes):
        st.button("Delete unused labels", key="codes_drop", on_click=_do_drop, args=(bench,))


def _merge_form(bench: Bench, codes: list[Code]) -> None:
    """Draw the form that merges labels or splits them off again."""
    uses = _uses(bench)

    def said(one: int) -> str:
        code = bench.codes[one]
        inside = f" ({code.axial})" if code.axial else ""
        return layout.literal(f"{code.name}{inside} · {plurals.number(uses[one], 'review')}")

    with st.form("codes_merge", border=True):
        st.pills(
            "Merge these",
            [code.id for code in codes],
            selection_mode="multi",
            key=_PICKED,
            format_func=said,
        )
        st.text_input(
            "into", key=_INTO, max_chars=LONGEST_NAME, placeholder="Name of the merged label"
        )
        with st.container(horizontal=True, gap="small"):
            st.form_submit_button(
                "Merge", type="primary", key="codes_merge_go", on_click=_do_merge, args=(bench,)
            )
            st.form_submit_button(
                "Split off",
                key="codes_split_go",
                help="Splits the selected labels from the merged label.",
                on_click=_do_split,
                args=(bench,),
            )


def _merged_label_form(bench: Bench, name: str, held: object, number: int) -> None:
    """Draw a merged label with its parts, a rename field, and a Split button."""
    codes = list(held) if isinstance(held, tuple) else []
    with st.container(border=True, key=f"codes_axial_{number}", gap="xsmall"):
        inside = ", ".join(code.name for code in codes)
        st.html(
            f"<p class='hop-pivot-row' dir='auto'><b>{escape(name)}</b> "
            f"<span class='hop-quiet'>{escape(inside)}</span></p>"
        )
        with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
            key = f"codes_axial_name_{number}"
            st.text_input("Rename", key=key, placeholder="New name", label_visibility="collapsed")
            st.button(
                "Rename",
                key=f"codes_axial_go_{number}",
                on_click=_do_axial,
                args=(bench, name, key),
            )
            st.button(
                "Split",
                key=f"codes_axial_split_{number}",
                on_click=_do_split_all,
                args=(bench, [code.id for code in codes]),
            )


def _rename_form(bench: Bench) -> None:
    """Draw the form that renames a label."""
    with (
        st.form("codes_rename", border=True),
        st.container(horizontal=True, gap="small", vertical_alignment="bottom"),
    ):
        st.selectbox(
            "Rename",
            list(bench.codes),
            key="codes_renamed",
            format_func=lambda one: bench.codes[one].name,
        )
        st.text_input("to", key="codes_name", max_chars=LONGEST_NAME)
        st.form_submit_button("Rename", key="codes_rename_go", on_click=_do_rename, args=(bench,))


def _do_merge(bench: Bench) -> None:
    """Merge the picked labels, and empty the form."""
    with layout.mendable():
        picked = st.session_state[_PICKED]
        review_actions.merge_codes(
            bench.workbench.index, bench.reviewer, picked, st.session_state[_INTO]
        )
        st.session_state[_PICKED], st.session_state[_INTO] = [], ""


def _do_split(bench: Bench) -> None:
    _do_split_all(bench, st.session_state[_PICKED])
    st.session_state[_PICKED] = []


def _do_split_all(bench: Bench, codes: list[int]) -> None:
    with layout.mendable():
        review_actions.split_codes(bench.workbench.index, bench.reviewer, codes)


def _do_axial(bench: Bench, before: str, key: str) -> None:
    """Rename a merged label, and empty the field."""
    with layout.mendable():
        review_actions.rename_axial(
            bench.workbench.index, bench.reviewer, before, st.session_state[key]
        )
        st.session_state[key] = ""


def _do_rename(bench: Bench) -> None:
    """Rename a label, and empty the field."""
    with layout.mendable():
        code, name = st.session_state["codes_renamed"], st.session_state["codes_name"]
        review_actions.rename_code(bench.workbench.index, bench.reviewer, code, name)
        st.session_state["codes_name"] = ""


def _do_drop(bench: Bench) -> None:
    with layout.mendable():
        review_actions.drop_unused_codes(bench.workbench.index, bench.reviewer)
