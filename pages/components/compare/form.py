"""What to compare: question, retrievers, top_k. The address bar is the state."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from core.artefacts.workbench import Workbench
from core.errors import InputError
from core.retrievers import USUAL, Spec
from core.retrievers.base import KEPT, TOP_K
from core.retrievers.written import split
from pages.components.ask import asked
from pages.components.ask.choice import Specs
from pages.components.ask.question_row import FEWEST, PLACES, question_row
from pages.components.ask.views import View, shown
from pages.components.ask.wish import Ask, too_long

FEW, MOST = FEWEST["columns"], len(PLACES["columns"])
MOST_TOP_K = int(TOP_K.most or 0)

_COLUMNS = "compare_columns"


@dataclass(frozen=True)
class Request:
    """A wish to compare; `specs` in the order of the columns, whose `top_k` is that of all.

    `refused` says what the address asks for and there is not.
    """

    question: str
    specs: Specs
    top_k: int
    refused: tuple[str, ...] = ()

    @property
    def problem(self) -> str:
        """Why it cannot be done and what mends it, or nothing."""
        if self.refused:
            return " ".join(self.refused)
        if FEW <= len(self.specs) <= MOST:
            return ""
        chosen = f"{len(self.specs)} {'is' if len(self.specs) == 1 else 'are'} chosen"
        return (
            "Choose two to four retrievers to compare, of which no two are the same with the same "
            f"settings; {chosen}."
        )

    @property
    def may_ask(self) -> bool:
        """Whether there is a question that is asked."""
        return bool(self.question) and not too_long(self.question)

    def seen_in(self, view: View) -> Specs:
        """The retrievers that `view` shows, in its order."""
        return in_order_of(view, self.specs)[: len(PLACES[view])]


def in_order_of(view: View, specs: Specs) -> Specs:
    """`specs` as `view` shows them: a difference has a walk among its two, if there is one at all.

    Two that only rank have no steps to tell apart.
    """
    walks = [spec for spec in specs if spec.card.direction]
    if view != "difference" or not walks or walks[0] in specs[: len(PLACES[view])]:
        return specs
    return (walks[0], *(spec for spec in specs if spec != walks[0]))


def usual() -> list[str]:
    """What is compared if nothing else is said."""
    return list(USUAL[:MOST])


def request() -> Request:
    """The wish in the address bar."""
    params = st.query_params
    refused: list[str] = []
    specs: list[Spec] = []
    for text in split(params["with"]) if "with" in params else usual():
        try:
            specs.append(_without_top_k(Spec.parse(text)))
        except InputError as error:
            refused.append(str(error))
    number = params.get("k", str(KEPT))
    fits = number.isascii() and number.isdigit() and 1 <= int(number[:9]) <= MOST_TOP_K
    if not fits:
        refused.append(f"There is no k={number[:40]!r}; it is a number from 1 to {MOST_TOP_K}.")
    return Request(
        question=params.get("q", "").strip(),
        specs=tuple(dict.fromkeys(specs)),
        top_k=int(number) if fits else KEPT,
        refused=tuple(refused),
    )


def form(bench: Workbench, view: View) -> tuple[Request, Callable[[str], None]]:
    """The question's row, filled from the address bar: what it asks for, and what asks another."""
    _arrive(bench.index.name)
    wish = request()
    _note(wish, bench.index.name)
    wanted = wish.specs[:MOST] or tuple(map(Spec, usual()))
    shown_here = in_order_of(view, tuple(wanted))
    specs = tuple(spec.with_settings(top_k=wish.top_k) for spec in shown_here)
    questions = question_row(view, wish.question, specs, bench, _commit)
    return wish, questions.choose


def _arrive(index: str) -> None:
    """Opened with an empty address, go on from what is asked now, and with the columns of before.

    The retriever that was asked last is the first column.
    """
    if "q" in st.query_params or not asked.was_asked(index):
        return
    now = asked.now(index)
    before: list[str] = st.session_state.get(_COLUMNS, usual())
    first = str(_without_top_k(now.spec))
    columns = [first, *(text for text in before if text != first)][:MOST]
    wanted = {"q": now.question, "with": ",".join(columns), "k": str(now.spec.values["top_k"])}
    st.query_params.update(wanted)


def _note(wish: Request, index: str) -> None:
    """What is compared is what is asked, of the first column, wherever one goes from here."""
    if wish.specs:
        st.session_state[_COLUMNS] = [str(spec) for spec in wish.specs]
        if wish.question:
            first = wish.specs[0].with_settings(top_k=wish.top_k)
            asked.note(Ask(wish.question, first), index)


def _without_top_k(spec: Spec) -> Spec:
    return Spec(spec.key, tuple(one for one in spec.settings if one[0] != "top_k"))


def _commit(question: str, chosen: Specs) -> None:
    """Write what is asked into the address bar; columns that a difference leaves out stay."""
    columns = [_without_top_k(spec) for spec in chosen]
    if shown() == "difference" and len(set(columns)) > 1:
        columns += [spec for spec in request().specs if spec not in columns]
    wanted = ",".join(map(str, columns[:MOST]))
    top_k = chosen[0].values["top_k"]
    st.query_params.update({"q": question, "with": wanted, "k": str(top_k)})
