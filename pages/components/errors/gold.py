"""Which gold a film of Errors uses: that of the run, which the list is of, or that of today."""

from collections.abc import Mapping
from hashlib import blake2b

import streamlit as st

from core.film.data import Marked
from core.marks import asked_gold, gold_of
from core.runs import Row
from core.runs.remarking import remarked_each
from pages.components.errors.bench import Bench
from pages.components.shell import frame

Said = Mapping[str, Marked]
_TITLES = {False: "gold from the run", True: "current gold"}


def gold_said(bench: Bench, row: Row, *, today: bool) -> Said:
    """What is gold, by who says so: `today`, where the index has the question, or in the run."""
    now = gold_of(bench.workbench.index, row.question.text)
    known: Said = now.said(row.hits)
    if known and today:
        return known
    asked = asked_gold(row.question, now)
    return {name: known.get(name) or "given" for name in asked.said(row.hits)}


def choose_gold(bench: Bench, row: Row) -> bool:
    """Whether the film uses today's gold; where that is another one, it says so and is chosen."""
    (changed,) = remarked_each(bench.run, [row.question], bench.workbench.index)
    if not changed:
        return True
    st.session_state.setdefault(_key(row), False)
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="errors_gold"):
        st.caption(frame.literal(f"{changed.happened} since. The walkthrough uses the"))
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
    """From now on the film of `row` uses the gold of today: it was just marked there."""
    st.session_state[_key(row)] = True


def _key(row: Row) -> str:
    about = row.question.text.encode("utf-8", "replace")
    return f"errors_gold_{blake2b(about, digest_size=6).hexdigest()}"
