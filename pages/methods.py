"""Methods: how each retriever works, what it needs and costs, and an example."""

import streamlit as st

from core.library import catalogue
from core.retrievers import CARDS, Spec
from core.shipping import sample
from pages.components.methods.all_terms import show_glossary
from pages.components.methods.cards import show_cards
from pages.components.methods.retriever_page import show_about
from pages.components.shell import layout, nav, resources

nav.guard()


def index_to_try() -> catalogue.Listed | None:
    """Return the current index, or else the sample, or any finished index."""
    finished = {e.name: e for e in resources.entries() if e.meta}
    first = next(iter(finished), "")
    return next(
        (finished[n] for n in (resources.index_name(), sample.NAME, first) if n in finished), None
    )


key = st.query_params.get("method", "")
if key in CARDS:
    with layout.mendable():
        show_about(Spec(key), index_to_try())
else:
    layout.heading(
        "Methods",
        "All retrievers: how each works, what it needs, and an example.",
    )
    if key:
        st.warning(layout.literal(f"No method named {key[:40]!r}. Choose one below."))
    show_cards()
    show_glossary()
layout.show_equivalent_command("python -m core retrievers")
