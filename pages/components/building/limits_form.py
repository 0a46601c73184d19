"""The limits of a new graph: names in too many passages, pseudo-questions, and edges."""

import streamlit as st

from core.store.graph_limits import HIGHEST, MAX_HUB_LIMIT, GraphLimits
from pages.components.shell.glossary import hint

_HUB_LIMIT = "corpus_hub_limit"
_LIMITS = {name: f"corpus_{name}" for name in HIGHEST}
_LABELS = {
    "in_questions": "In-questions per passage",
    "out_questions": "Out-questions per passage",
    "edge_cap": "Edges per passage",
}
_HELP = {
    "in_questions": (
        "pseudo_query",
        "The largest number for a passage (2 in the paper). Automatic: rules generate one per "
        "sentence, a model 2 to 8.",
    ),
    "out_questions": (
        "pseudo_query",
        "The largest number for a passage (4 in the paper). Automatic: rules generate one per "
        "name, a model 4 to 10.",
    ),
    "edge_cap": (
        "edge",
        "The largest number on average; the most similar edges are kept. Automatic: ln n, for "
        "n passages.",
    ),
}


def choose_limits() -> tuple[int, GraphLimits]:
    """Show the limits of a new graph; return the hub limit and the others, 0 if automatic."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        hub_limit = _number(
            "Hub limit in passages",
            _HUB_LIMIT,
            MAX_HUB_LIMIT,
            10,
            hint(
                "hub",
                "Rules generate no out-questions for a name that occurs in more passages than "
                "this. Automatic: 20 passages or 1% of all, whichever is larger.",
            ),
        )
        numbers = {
            name: _number(_LABELS[name], key, HIGHEST[name], 1, hint(*_HELP[name]))
            for name, key in _LIMITS.items()
        }
    return hub_limit, GraphLimits(**numbers)


def limits_chosen() -> tuple[int, GraphLimits]:
    """Return the values of `choose_limits` above the place where it is shown."""
    state = st.session_state
    numbers = {name: int(state.get(key) or 0) for name, key in _LIMITS.items()}
    return int(state.get(_HUB_LIMIT) or 0), GraphLimits(**numbers)


def _number(label: str, key: str, highest: int, step: int, told: str) -> int:
    """Draw a number field; return its value, or 0 if it is empty, which means automatic."""
    chosen = st.number_input(
        label,
        min_value=1,
        max_value=highest,
        value=None,
        step=step,
        placeholder="automatic",
        key=key,
        width=200,
        help=told,
    )
    return int(chosen or 0)
