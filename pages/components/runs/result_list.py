"""The list of results: its filters, order and position, stored in the address."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Literal, get_args

import streamlit as st

from core.reviews.pivot import BYS, By
from core.runs import MEASURES, Order, Won
from core.runs.run import OUTCOMES
from core.runs.store.listing import ANSWERS
from pages.components.shell import address, address_params

Which = Literal["lost", "all"]
Show = Literal["review", "labels", "groups", "report"]
Sorted = Order | Literal["gains"]
ORDERS: dict[Sorted, str] = {
    "worst": "worst first",
    "apart": "most disagreement",
    "regressions": "regressions",
    "gains": "gains",
    "random": "random",
    "asked": "original order",
}
SHOWN: dict[Show, str] = {
    "review": "Review",
    "labels": "Labels",
    "groups": "Groups",
    "report": "Report",
}
PAIRED: tuple[Sorted, ...] = ("apart", "regressions", "gains")
"""The orders that need another retriever."""
SAID = {
    "": "judged or not",
    "none": "not judged",
    "pass": "pass",
    "fail": "fail",
    "defer": "defer",
    "note": "with a note",
}
"""What the reviewer said of the questions that are listed."""
_ALLOWED = {
    "order": ORDERS,
    "which": get_args(Which),
    "show": SHOWN,
    "said": SAID,
    "outcome": ("", *OUTCOMES),
    "measure": ("recall", *MEASURES, *ANSWERS.values(), "seconds", "judgements", "calls", "tokens"),
    "won": get_args(Won),
    "columns": BYS,
}
_FACES = ("at", "show", "columns", "merged")
"""What makes no other list of it."""
LISTED = "errors_listed"
"""What a list by verdict or label began with; it is of now when it is chosen again."""
LEFT = "errors_left"
"""The place of a question before its list grew above it, and when; none after one is chosen."""
_STEP = "step"  # at which the walkthrough of the result before this one stood


@dataclass(frozen=True, slots=True)
class Wish:
    """The request in the address; empty fields mean the defaults.

    Parameters
    ----------
    run, retriever : whose results they are.
    other_run, other : another column of a run, which they are compared with.
    seed : of the random order.
    which : those that lost gold, or all.
    said : of them by the reviewer, a key of `SAID`.
    stage : at which the gold was lost; several are joined by commas.
    beside, there : another retriever of the run, and the stages of the gold by it.
    outcome, text : of a result, and words of its question.
    field, has : a field of the questions, and its value.
    won, measure : against the other column, by this measure; orders go by it too.
    label, by, value : a cell of the table of labels, whose results alone are listed; `axial` says
        which labels.
    columns, merged : of the table of labels: what its columns are, and whether labels that were
        merged are one row of it.
    group : the number of a group of alike questions, from 1; 0 for none.
    at : the place of the result in the list, from 1.
    """

    run: str = ""
    retriever: str = ""
    order: Sorted = "worst"
    other_run: str = ""
    other: str = ""
    seed: int = 1
    which: Which = "lost"
    said: str = ""
    stage: str = ""
    beside: str = ""
    there: str = ""
    outcome: str = ""
    text: str = ""
    field: str = ""
    has: str = ""
    won: str = ""
    measure: str = "recall"
    label: str = ""
    by: str = ""
    value: str = ""
    axial: int = 0
    columns: By = "stage"
    merged: int = 1
    group: int = 0
    at: int = 1
    show: Show = "review"

    @property
    def view(self) -> dict[str, str]:
        """Return the request as a saved view keeps it, without the position in the list."""
        usual = Wish()
        return address_params.params_of(
            replace(self, **{one: getattr(usual, one) for one in _FACES})
        )

    @staticmethod
    def of(params: Mapping[str, str]) -> "Wish":
        """Read a request from `params`; invalid values get the defaults."""
        return address_params.read(Wish, params, _ALLOWED)


def split(stages: str) -> tuple[str, ...]:
    """Return the stages that the address joins by commas."""
    return tuple(filter(None, stages.split(",")))


def wished() -> Wish:
    """Return the request of the address."""
    return Wish.of(st.query_params.to_dict())


def go_on(index: str, run: str = "") -> None:
    """Restore the list of `index` if the address has none, or else record that of the address.

    A restored list of another run than `run` is replaced by that run's list.
    """
    names = [one.name for one in fields(Wish)]
    first = next((name for name in names if name in st.query_params), names[0])
    fresh = first not in st.query_params
    address.go_on("errors", index, first, names)
    if fresh and run not in ("", wished().run):
        address_params.go(Wish(run=run))


def change(**changes: object) -> None:
    """Change the request in the address; a different list starts at its first result."""
    if "at" not in changes and not changes.keys() <= {*_FACES}:
        changes["at"] = 1
        st.session_state.pop(LISTED, None)
    st.query_params.pop(_STEP, None)
    st.session_state.pop(LEFT, None)
    address_params.go(replace(wished(), **changes))  # type: ignore[arg-type]
