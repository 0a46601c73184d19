"""Who makes an index's pseudo-queries, what a model's part will cost, and the most it may cost."""

from collections.abc import Sequence

import streamlit as st

from core.hop_graph.model_questions import ByModel
from core.hop_graph.pilot import PILOT, Estimate, estimate
from core.hop_graph.pseudo_queries import rules_with
from core.library.catalogue import checked_name
from core.models.money.budget import NO_BUDGET, Budget
from core.models.money.prices import FREE, Price, price_of
from core.models.money.spread import Range
from core.models.token_counts import tokens_of
from core.progress import dollars
from core.settings import Endpoint, settings
from core.store.metadata import Meta
from core.text.display.plurals import number
from core.text.import_sources import is_made_elsewhere
from core.types import Passage
from pages.components.building.limits_form import limits_chosen
from pages.components.building.uploaded_structures import LABELS, choose_made
from pages.components.shell import layout, model_servers, resources
from pages.components.shell.actions import permissions
from pages.components.shell.figures import show_figures
from pages.components.shell.formatting import duration
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
            asked = st.button(
                f"Pilot: ask about {min(PILOT, len(passages)) or PILOT} passages",
                key="corpus_pilot",
                disabled=not index or not passages,
                help="Estimates the calls, cost and time of the full build. The build reuses "
                "these replies.",
            )
        _pilot(endpoint, index, passages, price, asked=asked)
    return str(maker), budget


def budget_to_add(meta: Meta | None) -> Budget:
    """Return the budget for adding files to an index that uses models."""
    maker = meta.maker if meta else ""
    endpoint = model_servers.endpoint()
    if not maker or maker == RULES or is_made_elsewhere(maker):
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


def _pilot(
    endpoint: Endpoint,
    index: str,
    passages: Sequence[Passage],
    price: Price | None,
    *,
    asked: bool,
) -> None:
    """Run the model on a few passages when `asked`, and show the estimate for all passages."""
    place, rules = "corpus_estimate", rules_with(*limits_chosen())
    made_for = (endpoint, index, len(passages), hash(tuple(passages)), rules.limits)
    if asked and (oracle := resources.oracle(settings().indexes / checked_name(index))):
        maker = ByModel(oracle.with_leave(permissions.leave()), rules)
        with st.spinner("Asking the model"):
            st.session_state[place] = (made_for, estimate(passages, maker, price))
    held = st.session_state.get(place)
    if held and held[0] == made_for:
        _show(held[1])


def _show(found: Estimate) -> None:
    """Show an estimate of a full build: calls, tokens, price and time as ranges."""
    if found.warning:
        st.warning(layout.literal(found.warning))
    price = found.price
    show_figures(
        (
            ("Calls", _between(found.calls), f"{number(found.kept, 'passage')} already cached"),
            ("Tokens in", _between(found.tokens_in), ""),
            ("Tokens out", _between(found.tokens_out), ""),
            (
                "Price",
                _joined(dollars(price.low), dollars(price.high)) if price else "unknown",
                "" if price else "set HOPRAG_PRICES to see the price",
            ),
            (
                "Time",
                _joined(duration(found.seconds.low), duration(found.seconds.high)),
                f"{found.at_once} calls in parallel",
            ),
        )
    )


def _between(found: Range) -> str:
    return _joined(f"{found.low:,.0f}", f"{found.high:,.0f}")


def _joined(low: str, high: str) -> str:
    return low if low == high else f"{low} to {high}"
