"""The request of the Compare page: question, retrievers, top k. The address is the state."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.artefacts.workbench import Workbench
from core.counterfactual import Amendments
from core.errors import InputError
from core.retrievers import Spec, default_retrievers
from core.retrievers.base import TOP_K
from core.retrievers.registry import NoSuchRetriever
from core.retrievers.spec_syntax import read, split
from pages.components.ask import current_question
from pages.components.ask.imported_results import Compared, ImportedColumn
from pages.components.ask.imported_results import parsed as imported_in
from pages.components.ask.question_row import FEWEST, PLACES, question_row
from pages.components.ask.request import AMEND, Ask, kept_of, too_long, unknown_retrievers
from pages.components.ask.retriever_choice import Besides, Specs
from pages.components.ask.retriever_names import called
from pages.components.ask.view_switch import View
from pages.components.compare.imported_columns import choose as choose_imported

FEW, MOST = FEWEST["columns"], len(PLACES["columns"])
MOST_TOP_K = int(TOP_K.most or 0)

PAIR = "pair"
"""Of the address: the two retrievers of a difference."""
_COLUMNS, _BASELINE = "compare_columns", "compare_baseline"
BASELINES = ("bm25", "dense")
"""The first is set beside what is traced, or the other one beside that."""


@dataclass(frozen=True)
class Request:
    """A comparison request: `specs` in the order of the columns, all with the same `top_k`.

    `imported` are columns behind them. `pair` are the two columns of the difference, empty if the
    address names none. `ignored` lists requests that do not exist, `left_out` those that are not
    shown.
    """

    question: str
    specs: Specs
    top_k: int
    pair: tuple[Compared, ...] = ()
    imported: tuple[ImportedColumn, ...] = ()
    ignored: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[Compared, ...]:
        """Return all columns; the first is the reference."""
        return (*self.specs, *self.imported)

    @property
    def problem(self) -> str:
        """Return why the comparison cannot be run and how to fix it; empty if it can."""
        if self.specs and len(self.columns) >= FEW:
            return ""
        chosen = f"{len(self.specs) or 'none'} selected."
        return " ".join((*self.ignored, f"Choose two to four retrievers to compare; {chosen}"))

    @property
    def may_ask(self) -> bool:
        """Return whether the request has a question that is short enough."""
        return bool(self.question) and not too_long(self.question)


def usual() -> list[str]:
    """Return the retrievers that are compared by default."""
    return list(default_retrievers()[:MOST])


def request(passages: int) -> Request:
    """Read the request from the address; `passages` is the size of the index."""
    params, kept = st.query_params, kept_of(passages)
    named = split(params["with"]) if "with" in params else usual()
    imported = imported_in(named)[: MOST - 1]
    asked_for, ignored = _parse_specs(one for one in named if not ImportedColumn.is_one(one))
    specs = tuple(dict.fromkeys(asked_for))
    room = MOST - len(imported)
    number = params.get("k", str(kept))
    fits = number.isascii() and number.isdigit() and 1 <= int(number[:9]) <= MOST_TOP_K
    if not fits:
        no = f"k={number[:40]!r} is not a number from 1 to {MOST_TOP_K}."
        ignored.append(f"Ignored k in the link: {no}")
    pair = _pair_in(params.get(PAIR, ""))
    known = len(pair) == 2 and {*pair} <= {*specs[:room], *imported}
    left_out = _unshown_messages(asked_for, specs, room)
    if params.get(PAIR) and not known:
        left_out.append("The pair in the link is not among the selected retrievers.")
    return Request(
        question=params.get("q", "").strip(),
        specs=specs[:room],
        top_k=int(number) if fits else kept,
        pair=pair if known else (),
        imported=imported,
        ignored=tuple(ignored),
        left_out=tuple(left_out),
    )


def _parse_specs(texts: Iterable[str]) -> tuple[list[Spec], list[str]]:
    """Return retrievers with their settings, and messages on ignored parameters."""
    specs, ignored, unknown = [], [], []
    for text in texts:
        try:
            Spec.parse(read(text).key)
        except NoSuchRetriever:
            unknown.append(text)
        except InputError as error:
            ignored.append(f"Ignored {text[:40]} in the link: {error}")
        else:
            ask, told = Ask.from_params({"retriever": text})
            specs.append(_without_top_k(ask.spec))
            ignored += told
    return specs, [unknown_retrievers(unknown), *ignored] if unknown else ignored


def _pair_in(text: str) -> tuple[Compared, ...]:
    """Return the columns that a part of an address names, in its order, each once."""
    found: dict[Compared, None] = {}
    for one in split(text):
        if ImportedColumn.is_one(one):
            found[ImportedColumn.parse(one)] = None
        else:
            found |= dict.fromkeys(_parse_specs([one])[0])
    return tuple(found)


def _unshown_messages(asked_for: Sequence[Spec], specs: Specs, room: int) -> list[str]:
    """Return messages on retrievers that the address names twice or that exceed the columns."""
    doubled = [called(spec) for spec in specs if asked_for.count(spec) > 1]
    told = [f"{' · '.join(doubled)} is listed more than once and shown once."] if doubled else []
    if beyond := [called(spec) for spec in specs[room:]]:
        told.append(f"Left out: {' · '.join(beyond)}. You can compare at most four retrievers.")
    return told


def choose_pair(pair: Sequence[Compared]) -> None:
    """Show the difference between these two retrievers."""
    st.query_params[PAIR] = ",".join(map(str, pair))


def form(bench: Workbench, view: View) -> tuple[Request, Callable[[str], None], DeltaGenerator]:
    """Draw the question's row, and return its request.

    Also return a function that runs another question, and a box for choices of one view.
    """
    _arrive(bench.index.name)
    wish = request(len(bench.index.ids))
    _note(wish, bench.index.name)
    wanted = wish.specs or tuple(map(Spec, usual()))
    specs = tuple(spec.with_settings(top_k=wish.top_k) for spec in wanted)
    besides = Besides(
        tuple(one.card.badge for one in wish.imported),
        partial(choose_imported, bench, wish.imported, MOST - len(wish.specs), _put_imported),
    )
    questions, beside = question_row(view, wish.question, specs, bench, _commit, besides)
    return wish, questions.choose, beside


def _put_imported(columns: Sequence[ImportedColumn]) -> None:
    """Compare with these imported columns."""
    named = split(st.query_params.get("with", ",".join(usual()[: MOST - len(columns)])))
    specs = [one for one in named if not ImportedColumn.is_one(one)]
    _write_columns([*specs, *map(str, columns)])


def _write_columns(columns: Sequence[str]) -> None:
    """Write the columns into the address, and drop a pair that has lost a column."""
    st.query_params["with"] = ",".join(columns)
    if not {*map(str, _pair_in(st.query_params.get(PAIR, "")))} <= {*columns}:
        del st.query_params[PAIR]


def _arrive(index: str) -> None:
    """Fill an empty address from the last request: its retriever is the first column.

    The columns chosen before follow, or else a baseline.
    """
    if "q" in st.query_params or not current_question.was_asked(index):
        return
    now = current_question.now(index)
    first = str(_without_top_k(now.spec))
    before: list[str] = st.session_state.get(_COLUMNS, [])
    others = [text for text in (before if first in before else before[1:]) if text != first]
    columns = [first, *(others or [_baseline(first)])]
    if not others:
        st.session_state[_BASELINE] = columns
    wanted = {"q": now.question, "with": ",".join(columns), "k": str(now.spec.values["top_k"])}
    st.query_params.update(wanted)


def _baseline(beside: str) -> str:
    """Return the baseline to compare a retriever with by default."""
    return next(one for one in BASELINES if one != beside)


def baseline_note(wish: Request) -> str:
    """Return a note that one column is a default baseline; empty if the user chose all."""
    if [str(one) for one in wish.columns] != st.session_state.get(_BASELINE):
        return ""
    mine, base = (called(spec) for spec in wish.specs)
    return f"Comparing {mine} with {base}, a baseline. Change or add retrievers in the row above."


def by_hand_left_out(wish: Request, index: str) -> str:
    """Return a message if the first column's walkthrough was changed by hand; empty otherwise."""
    changes = len(current_question.now(index).amendments) if wish.specs and wish.question else 0
    if not changes:
        return ""
    them, they = ("The change", "it") if changes == 1 else (f"The {changes} changes", "them")
    return (
        f"{them} made by hand in the walkthrough of {wish.specs[0].card.title} "
        f"{'is' if changes == 1 else 'are'} left out here. Select Walkthrough to return to {they}."
    )


def _note(wish: Request, index: str) -> None:
    """Record the first column's question and settings for when the user opens another page.

    Changes by hand on Trace are kept for the way back, although columns ignore them.
    """
    if wish.specs:
        st.session_state[_COLUMNS] = [str(one) for one in wish.columns]
        if wish.question:
            first = wish.specs[0].with_settings(top_k=wish.top_k)
            now = Ask(wish.question, first)
            before = current_question.now(index)
            if not current_question.was_asked(index):  # reloaded, or opened by a link
                before = replace(now, amendments=_by_hand_in_address())
            kept = before if before.plain() == now else now
            current_question.note(kept, index)
            _write_by_hand(kept)


def _by_hand_in_address() -> Amendments:
    return Ask.from_params({AMEND: st.query_params.get(AMEND, "")})[0].amendments


def _write_by_hand(asked: Ask) -> None:
    """Write changes made by hand on Trace into the address, so that a reload keeps them."""
    if AMEND in asked.params():
        st.query_params[AMEND] = asked.params()[AMEND]
    elif AMEND in st.query_params:
        del st.query_params[AMEND]


def _without_top_k(spec: Spec) -> Spec:
    return Spec(spec.key, tuple(one for one in spec.settings if one[0] != "top_k"))


def _commit(question: str, chosen: Specs) -> None:
    """Write the query and its settings into the address."""
    columns = [str(one) for one in dict.fromkeys(_without_top_k(spec) for spec in chosen)]
    imported = imported_in(split(st.query_params.get("with", "")))
    _write_columns([*columns, *map(str, imported)])
    top_k = chosen[0].values["top_k"]
    st.query_params.update({"q": question, "k": str(top_k)})
