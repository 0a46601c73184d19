"""What extracts the entities and triples of a new index: rules, a file, or the language model."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from core.artefacts.entity_graph.model_extraction import Extractor
from core.models.money.budget import Budget
from core.models.money.prices import FREE, price_of
from core.settings import settings
from core.types import Passage
from pages.components.building.pilot import Pilot, pilot_button
from pages.components.building.pseudo_query_maker import ask_budget
from pages.components.building.uploaded_structures import OPENIE, choose_extraction, uploaded
from pages.components.shell import layout, model_servers

_KEY = "corpus_extract"


def choose_extractor(
    index: str, passages: Sequence[Passage], budget: Budget, *, has_budget: bool
) -> tuple[Path | None, str, Budget]:
    """Return the file or the model that gives entities and triples, and the budget of the build.

    Parameters
    ----------
    budget : of the other models of the build.
    has_budget : whether the field for it is drawn already.
    """
    endpoint = model_servers.endpoint()
    file, chosen = uploaded(OPENIE), bool(st.session_state.get(_KEY))
    with st.expander("Entities and triples", expanded=file is not None or chosen):
        st.caption(
            "Entity-based retrievers such as HippoRAG 2 use them. Rules extract them unless a file "
            "or a language model does."
        )
        by_model = endpoint is not None and st.checkbox(
            f"Have the model {layout.literal(endpoint.model)} extract them, with one call for each "
            "passage",
            key=_KEY,
            disabled=file is not None,
        )
        if endpoint is None or not by_model or file is not None:
            return choose_extraction(passages), "", budget
        with layout.mendable():
            price = price_of(endpoint, settings().prices)
            with st.container(horizontal=True, vertical_alignment="bottom"):
                if not has_budget:
                    budget = ask_budget("corpus_budget", in_money=price not in (None, FREE))
                asked = pilot_button("corpus_extract_pilot", index, passages)
            pilot = Pilot("corpus_extract_estimate", index, passages, Extractor)
            pilot.show(endpoint, price, None, asked=asked)
        return None, endpoint.model, budget
