"""A pilot of what a model is asked about each passage of a new index."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import streamlit as st

from core.hop_graph.pilot import PILOT, Asking, Estimate, estimate
from core.library.catalogue import checked_name
from core.models.money.prices import Price
from core.models.money.spread import Range
from core.models.oracle import Oracle
from core.progress import dollars
from core.settings import Endpoint, settings
from core.text.display.plurals import number
from core.types import Passage
from pages.components.shell import layout, resources
from pages.components.shell.actions import permissions
from pages.components.shell.figures import show_figures
from pages.components.shell.formatting import duration


def pilot_button(key: str, index: str, passages: Sequence[Passage]) -> bool:
    """Draw the button of a pilot; return whether it was clicked."""
    return st.button(
        f"Pilot: ask about {min(PILOT, len(passages)) or PILOT} passages",
        key=key,
        disabled=not index or not passages,
        help="Estimates the calls, cost and time of the full build. The build reuses "
        "these replies.",
    )


@dataclass(frozen=True, slots=True)
class Pilot:
    """An estimate, kept in the session as long as the passages stay the same.

    Parameters
    ----------
    place : key of the session state.
    index : name of the new index.
    asking : returns what asks a model, which the pilot tries.
    """

    place: str
    index: str
    passages: Sequence[Passage]
    asking: Callable[[Oracle], Asking]

    def show(
        self, endpoint: Endpoint, price: Price | None, made_with: Hashable, *, asked: bool
    ) -> None:
        """Run the model on a few passages when `asked`, and show the estimate for all passages.

        Parameters
        ----------
        made_with : settings of the build that change the estimate.
        """
        passages = self.passages
        made_for = (endpoint, self.index, len(passages), hash(tuple(passages)), made_with)
        folder = settings().indexes
        if asked and (oracle := resources.oracle(folder / checked_name(self.index))):
            asking = self.asking(oracle.with_leave(permissions.leave()))
            with st.spinner("Asking the model"):
                found = estimate(passages, asking, price)
                st.session_state[self.place] = (made_for, found)
        held = st.session_state.get(self.place)
        if held and held[0] == made_for:
            _show(held[1])


def _show(found: Estimate) -> None:
    """Show an estimate of a full build: calls, tokens, price and time as ranges."""
    if found.warning:
        st.warning(layout.literal(found.warning))
    price = found.price
    show_figures(
        (
            ("Calls", _range_text(found.calls), f"{number(found.kept, 'passage')} already cached"),
            ("Tokens in", _range_text(found.tokens_in), ""),
            ("Tokens out", _range_text(found.tokens_out), ""),
            (
                "Price",
                _low_to_high(dollars(price.low), dollars(price.high)) if price else "unknown",
                "" if price else "set HOPRAG_PRICES to see the price",
            ),
            (
                "Time",
                _low_to_high(duration(found.seconds.low), duration(found.seconds.high)),
                f"{found.at_once} calls in parallel",
            ),
        )
    )


def _range_text(found: Range) -> str:
    return _low_to_high(f"{found.low:,.0f}", f"{found.high:,.0f}")


def _low_to_high(low: str, high: str) -> str:
    return low if low == high else f"{low} to {high}"
