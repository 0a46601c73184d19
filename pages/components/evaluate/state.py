"""The view of the Evaluate page, stored in the address so that links and Back restore it."""

from dataclasses import dataclass, replace

import streamlit as st

from core.runs.run import OUTCOMES
from pages.components.evaluate.cached_results import MORE, SHOWN, USUAL
from pages.components.shell import address_params
from pages.components.shell.widgets import scroll_into_view

SIDES = ("Questions", "Funnel", "Slices", "Curves", "Cost", "Other index")
ORDERS = {
    "worst": "worst first",
    "best": "best first",
    "asked": "as asked",
    "random": "random",
    "apart": "largest difference first",
    "regressions": "largest loss first",
}
BOARDS = {
    "difference": "Difference",
    "measures": "Measures",
    "precision": "Precision, F1",
    "hits": "Hits, tokens",
    "cost": "Time and cost",
}
"""What stands beside the measure on the board."""
_ALLOWED = {
    "measure": (*SHOWN, *MORE),
    "board": BOARDS,
    "side": SIDES,
    "outcome": ("", *OUTCOMES),
    "order": ("", *ORDERS),
}
_BESIDE = {"side", "split", "board", "other_index", "other_run"}
"""What can change without another list of questions."""
LIST = "evaluate_list"
"""The key of the list of questions, which a number that is pressed brings into sight."""


@dataclass(frozen=True, slots=True)
class View:
    """The view in the address.

    Parameters
    ----------
    base_run, base : what is paired with: a retriever of a run, or where `base` is empty each
        retriever of the run with itself as it was in `base_run`.
    retriever : the one that funnel and list speak of.
    beside : another one, whose stages stand beside its own in the funnel.
    split : the field of the slices that are shown.
    other_index, other_run : of the same corpus, whose run is compared.
    board : what the board has beside the measure.
    column : of the board, whose number is listed.
    field, value : of a slice, whose questions are listed.
    stages : at which gold of the listed questions was lost, joined by commas; by `beside`,
        `there`.
    text, outcome, order, page : of the list; pages count from 1.
    """

    run: str = ""
    base_run: str = ""
    base: str = ""
    measure: str = USUAL
    side: str = SIDES[0]
    retriever: str = ""
    beside: str = ""
    split: str = ""
    other_index: str = ""
    other_run: str = ""
    board: str = "difference"
    column: str = ""
    field: str = ""
    value: str = ""
    stages: str = ""
    there: str = ""
    text: str = ""
    outcome: str = ""
    order: str = ""
    page: int = 1


_LISTED = dict.fromkeys(("column", "field", "value", "stages", "there", "text", "outcome"), "")


def viewed() -> View:
    """Return the view that the address names."""
    return address_params.read(View, st.query_params.to_dict(), _ALLOWED)


def change(**changes: object) -> None:
    """Change the view in the address; another list starts at its first page."""
    if "page" not in changes and not changes.keys() <= _BESIDE:
        changes["page"] = 1
    address_params.go(replace(viewed(), **changes))  # type: ignore[arg-type]


def press(**listed: object) -> None:
    """List the questions behind the pressed number, and scroll to the list."""
    scroll_into_view.press(LIST)
    change(**{**_LISTED, "order": "", **listed})
