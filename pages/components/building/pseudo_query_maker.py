"""The maker of an index's pseudo-queries, the expected cost of a model, and its budget."""

from collections.abc import Sequence

import streamlit as st

from core.hop_graph.model_questions import ByModel
from core.hop_graph.pseudo_queries import rules_with
from core.models.money.budget import NO_BUDGET, Budget
from core.models.money.prices import FREE, price_of
from core.models.token_counts import tokens_of
from core.progress import dollars
from core.settings import settings
from core.store.metadata import Meta
from core.text.import_sources import is_made_elsewhere
from core.types import Passage
from pages.components.building.limits_form import limits_chosen
from pages.components.building.pilot import Pilot, pilot_button
from pages.components.building.uploaded_structures import LABELS, choose_made
from pages.components.shell import layout, model_servers
from pages.components.shell.glossary import hint

RULES = "rules"


def choose_maker(index: str, passages: Sequence[Passage], embedder: str) -> tuple[str, Budget]:
    """Return the maker of pseudo-queries for a new index called `index`, and the model's budget.

    The maker is empty while a file has to be uploaded. The pilot asks nothing without a click.
    """
    maker, budget = _choose_maker(index, passages)
    server = model_servers.embedder_server(embedder)
    if server is None:
        return maker, budget
    with layout.mendable():
        price = price_of(server, settings().prices)
        tokens = sum(tokens_of(passage.text) for passage in passages)
        cost = f", {dollars(price.of(tokens, 0))}" if price else ""
        st.caption(
            layout.literal(
                f"{server.host} embeds the passages (about {tokens:,} tokens{cost}) and their "
                "pseudo-queries (usually as many tokens again). The budget counts both."
            )
        )
        if maker == RULES or is_made_elsewhere(maker):
            budget = ask_budget("corpus_budget", in_money=price not in (None, FREE))
    return maker, budget


def _choose_maker(index: str, passages: Sequence[Passage]) -> tuple[str, Budget]:
    """Draw the choice between rules, model and file; return the maker and the model's budget."""
    endpoint = model_servers.endpoint()
    models = {endpoint.model: f"the model {layout.literal(endpoint.model)}"} if endpoint else {}
    labels = {RULES: RULES, **models, **LABELS}
    maker = st.radio(
        "Pseudo-queries from",
        list(labels),
        format_func=labels.__getitem__,
        key="corpus_maker",
        horizontal=True,
        help=hint("pseudo_query"),
    )
    if maker in LABELS:
        return choose_made(maker, passages), NO_BUDGET
    if endpoint is None:
        st.caption("To have a language model generate them, set one up (see Settings).")
    if endpoint is None or maker == RULES:
        return RULES, NO_BUDGET
    budget = NO_BUDGET
    with layout.mendable():
        price = price_of(endpoint, settings().prices)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            budget = ask_budget("corpus_budget", in_money=price not in (None, FREE))
            asked = pilot_button("corpus_pilot", index, passages)
        rules = rules_with(*limits_chosen())
        pilot = Pilot("corpus_estimate", index, passages, lambda oracle: ByModel(oracle, rules))
        pilot.show(endpoint, price, rules.limits, asked=asked)
    return str(maker), budget


def draws_budget(maker: str, embedder: str) -> bool:
    """Return whether `choose_maker` draws the field for the budget."""
    by_model = maker not in ("", RULES) and not is_made_elsewhere(maker)
    return by_model or model_servers.embedder_server(embedder) is not None


def budget_to_add(meta: Meta | None) -> Budget:
    """Return the budget for adding files to an index that uses models."""
    maker = meta.maker if meta else ""
    extracts = bool(meta and meta.extraction and meta.extraction.model)
    endpoint = model_servers.endpoint()
    if not extracts and (not maker or maker == RULES or is_made_elsewhere(maker)):
        endpoint = model_servers.embedder_server(meta.embedder.name) if meta else None
    if endpoint is None:
        return NO_BUDGET
    with layout.mendable():
        price = price_of(endpoint, settings().prices)
        return ask_budget("corpus_budget", in_money=price not in (None, FREE))
    return NO_BUDGET


def ask_budget(key: str, *, in_money: bool, before: Budget = NO_BUDGET) -> Budget:
    """Draw the field for a run's budget, in dollars or in tokens, and return the budget."""
    if in_money:
        money = st.number_input(
            "Budget in $",
            min_value=0.01,
            value=before.money,
            step=0.5,
            placeholder="no limit",
            key=f"{key}_money",
            width=180,
            help=hint("budget"),
        )
        return Budget(money=money)
    tokens = st.number_input(
        "Token budget",
        min_value=1,
        value=before.tokens,
        step=10_000,
        placeholder="no limit",
        key=f"{key}_tokens",
        width=180,
        help=hint("budget"),
    )
    return Budget(tokens=tokens)


def budget_of(key: str) -> Budget:
    """Return the budget last typed into the field of `ask_budget`, for use in a callback."""
    state = st.session_state
    return Budget(state.get(f"{key}_money"), state.get(f"{key}_tokens"))
