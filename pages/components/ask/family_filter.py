"""A filter of retrievers by family."""

from collections.abc import Sequence
from typing import get_args

import streamlit as st

from core.retrievers import CARDS
from core.retrievers.base import Family
from pages.components.shell.glossary import hint


def family_choice(keys: Sequence[str], *, key: str) -> list[str]:
    """Draw a pill for each retriever family; return the `keys` of the selected families, or all."""
    there = {CARDS[one].family for one in keys}
    families = [family for family in get_args(Family) if family in there]
    chosen = st.pills(
        "Show only these families",
        families,
        selection_mode="multi",
        key=key,
        help=f"rerank: {hint('reranker')}",
    )
    return [one for one in keys if not chosen or CARDS[one].family in chosen]
