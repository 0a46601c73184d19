"""A page's parameters, restored when the user returns to the page.

The menu opens a page with an empty address.
"""

from collections.abc import Sequence

import streamlit as st

_LEFT = "left_at"


def go_on(page: str, index: str, first: str, others: Sequence[str]) -> None:
    """Restore `first` and `others` of the address when `first` is missing; remember them else."""
    left: dict[tuple[str, str], dict[str, list[str]]] = st.session_state.setdefault(_LEFT, {})
    params = st.query_params
    if first in params:
        names = [name for name in (first, *others) if name in params]
        left[page, index] = {name: params.get_all(name) for name in names}
    else:
        params.update(left.get((page, index), {}))
