"""The gold that a walkthrough on Errors uses: that of the run, or today's."""

from dataclasses import replace
from hashlib import blake2b

import streamlit as st

from core.marks import Gold, asked_gold, gold_of
from core.marks.applying import passages_of
from core.runs import Row
from core.runs.gold_changes import remarked_each
from pages.components.errors.review_context import Bench
from pages.components.shell import layout

_TITLES = {False: "gold from the run", True: "current gold"}


def gold_shown(bench: Bench, row: Row, *, today: bool) -> Gold:
    """Return the gold of `today`, if the index has the question, or the gold of the run."""
    index = bench.workbench.index
    now = gold_of(index, row.question.text)
    if today and now:
        return now
    asked = asked_gold(row.question, now)
    found = {name: here for name in asked.given if (here := passages_of(index, name))}
    held = {**found, **asked.passages}
    return replace(
        asked,
        given=tuple(name for name in asked.given if name not in now.added),
        added=tuple(name for name in asked.given if name in now.added),
        absent=tuple(name for name in asked.given if name not in held),
        passages=held,
        titles=now.titles,
        made=now.made,
        by_rules=now.by_rules,
    )


def choose_gold(bench: Bench, row: Row) -> bool:
    """Return whether to use today's gold; draw the choice if it differs from the run's gold."""
    (changed,) = remarked_each(bench.run, [row.question], bench.workbench.index)
    if not changed:
        return True
    st.session_state.setdefault(_key(row), False)
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="errors_gold"):
        st.caption(layout.literal(f"{changed.happened} since. The walkthrough uses the"))
        return bool(
            st.segmented_control(
                "Gold in the walkthrough",
                list(_TITLES),
                key=_key(row),
                required=True,
                format_func=_TITLES.__getitem__,
                label_visibility="collapsed",
            )
        )


def use_todays(row: Row) -> None:
    """Use today's gold in the walkthrough of `row`, because it was just marked there."""
    st.session_state[_key(row)] = True


def _key(row: Row) -> str:
    about = row.question.text.encode("utf-8", "replace")
    return f"errors_gold_{blake2b(about, digest_size=6).hexdigest()}"
