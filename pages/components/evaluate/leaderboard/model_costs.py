"""The cost of models per question, split into retrieval, reading and judging."""

import pandas as pd
import streamlit as st

from core.runs import Run, Runs
from core.runs.analysis.leaderboard import model_costs
from pages.components.evaluate.column_names import badged
from pages.components.shell import layout

_HELP = (
    "Means per question. Cached replies count as new calls. HOPRAG_LLM is the model for retrieval "
    "and judging; HOPRAG_READER, if set, is the reader."
)


def show_model_costs(runs: Runs, run: Run) -> None:
    """Show a row for each retriever and role; nothing if no model was called."""
    found = model_costs(runs, run)
    if not found:
        return
    with st.expander("Model calls by role", key="evaluate_roles"):
        rows = [
            {
                "Retriever": badged(retriever),
                "Role": one.role,
                "Model": one.model,
                "Calls": one.calls,
                "Tokens in": one.tokens_in,
                "Tokens out": one.tokens_out,
                "Seconds": one.seconds,
                "$ per 1,000 questions": None if one.price is None else 1000 * one.price,
            }
            for retriever, one in found
        ]
        number = st.column_config.NumberColumn
        st.dataframe(
            pd.DataFrame(rows),
            hide_index=True,
            placeholder="unknown",
            column_config={
                "Calls": number(format="%.1f"),
                "Tokens in": number(format="%.0f"),
                "Tokens out": number(format="%.0f"),
                "Seconds": number(format="%.2f"),
                "$ per 1,000 questions": number(format="%.2f"),
            },
        )
        st.caption(layout.literal(_HELP))
