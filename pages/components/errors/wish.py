"""Which results are looked at, in which order, and where one is: all of it in the address."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Literal, get_args

import streamlit as st

from core.runs import Order

Which = Literal["lost", "all"]
Show = Literal["review", "labels", "groups", "report"]
Sorted = Order | Literal["gains"]
ORDERS: dict[Sorted, str] = {
    "worst": "worst first",
    "apart": "most disagreement",
    "regressions": "regressions",
    "gains": "gains",
    "random": "random",
    "asked": "as they came",
}
SHOWN: dict[Show, str] = {
    "review": "Review",
    "labels": "Labels",
    "groups": "Groups",
    "report": "Report",
}
PAIRED: tuple[Sorted, ...] = ("apart", "regressions", "gains")
"""The orders that need another retriever."""
_MOST = 10**9
_STEP = "t"  # where the film of the result before this one stood


@dataclass(frozen=True, slots=True)
class Wish:
    """What the address asks for; empty is what is usual.

    Parameters
    ----------
    run, retriever : whose results they are.
    other_run, other : another column of a run, which they are compared with.
    seed : of the random order.
    which : those that lost gold, or all.
    stage : at which the gold was lost.
    label, by, value : a cell of the table of labels, whose results alone are listed; `axial` says
        which labels.
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
    stage: str = ""
    label: str = ""
    by: str = ""
    value: str = ""
    axial: int = 0
    group: int = 0
    at: int = 1
    show: Show = "review"

    def params(self) -> dict[str, str]:
        """As it stands in the address: what differs from what is usual."""
        usual = Wish()
        told = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: str(v) for name, v in told.items() if v != getattr(usual, name)}

    @property
    def view(self) -> dict[str, str]:
        """What a saved view keeps of it: the list, and not the place in it."""
        return replace(self, at=1, show="review").params()

    @staticmethod
    def of(params: Mapping[str, str]) -> "Wish":
        """What `params` ask for; what cannot be read is as usual."""
        usual = Wish()
        read: dict[str, object] = {}
        for one in fields(usual):
            text, value = params.get(one.name, ""), getattr(usual, one.name)
            if isinstance(value, int):
                read[one.name] = min(int(text), _MOST) if text.isdecimal() else value
            else:
                read[one.name] = text[:2000] or value
        for name, allowed in (("order", ORDERS), ("which", get_args(Which)), ("show", SHOWN)):
            if read[name] not in allowed:
                read[name] = getattr(usual, name)
        return Wish(**read)  # type: ignore[arg-type]


def wished() -> Wish:
    """What the address asks for now."""
    return Wish.of(st.query_params.to_dict())


def go(wish: Wish) -> None:
    """Ask for this from now on."""
    wanted, params = wish.params(), st.query_params
    for one in fields(wish):
        if one.name not in wanted and one.name in params:
            del params[one.name]
    for name, value in wanted.items():
        if params.get(name) != value:
            params[name] = value


def change(**changes: object) -> None:
    """Ask for something else; a list that is another one is looked at from its beginning."""
    if "at" not in changes and changes.keys() != {"show"}:
        changes["at"] = 1
    st.query_params.pop(_STEP, None)
    go(replace(wished(), **changes))  # type: ignore[arg-type]
