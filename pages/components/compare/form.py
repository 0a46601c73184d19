"""What to compare: question, retrievers, top_k. The address bar is the state."""

from dataclasses import dataclass

import streamlit as st

from core.artefacts.base import in_order
from core.errors import InputError
from core.retrievers import CARDS, MODEL_FREE, Spec
from core.retrievers.written import LONGEST, split
from core.store.index import Index
from pages.components.ask.known_questions import question_picker
from pages.components.ask.naming import changes, described, how_to_get_the_others, offered
from pages.components.ask.wish import LONGEST_QUESTION
from pages.components.shell import frame

FEWEST, MOST = 2, 4
TOP_K, MOST_TOP_K = 10, 50

_QUESTION = "compare_question"
_RETRIEVERS = "compare_retrievers"
_ANOTHER = "compare_another"
_TOP_K = "compare_top_k"
_ADDRESS = "compare_address"


@dataclass(frozen=True)
class Request:
    """A wish to compare; `specs` in the order of the columns, whose `top_k` is that of all.

    `refused` says what the address asks for and there is not.
    """

    question: str
    specs: tuple[Spec, ...]
    top_k: int
    refused: tuple[str, ...] = ()

    @property
    def problem(self) -> str:
        """Why it cannot be done and what mends it, or nothing."""
        if self.refused:
            return " ".join(self.refused)
        if FEWEST <= len(self.specs) <= MOST:
            return ""
        chosen = f"{len(self.specs)} {'is' if len(self.specs) == 1 else 'are'} chosen"
        return f"Choose two to four retrievers to compare; {chosen}."


def usual() -> list[str]:
    """The first of each family that needs neither a model nor anything built, two to four."""
    first: dict[str, str] = {}
    for key in MODEL_FREE:
        if not any(one.stored for one in in_order(Spec(key).needs)):
            first.setdefault(CARDS[key].family, key)
    return list(first.values())[:MOST]


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
    number = params.get("k", str(TOP_K))
    fits = number.isascii() and number.isdigit() and 1 <= int(number[:9]) <= MOST_TOP_K
    if not fits:
        refused.append(f"There is no k={number[:40]!r}; it is a number from 1 to {MOST_TOP_K}.")
    return Request(
        question=params.get("q", "").strip()[:LONGEST_QUESTION],
        specs=tuple(dict.fromkeys(specs)),
        top_k=int(number) if fits else TOP_K,
        refused=tuple(refused),
    )


def form(index: Index, *, with_model: bool) -> Request:
    """The form, filled from the address bar, and what it asks for."""
    wish = request()
    # An address may ask for a model where there is none; its column then says how to get one.
    known = [*offered(with_model=with_model), *map(str, wish.specs)]
    if st.session_state.get(_ADDRESS) != wish or _QUESTION not in st.session_state:
        _fill(wish)
    with st.container(horizontal=True, key="question_row"):
        with st.form("compare_form", border=False):
            with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
                st.text_input(
                    "Question",
                    key=_QUESTION,
                    placeholder="Ask a question that needs more than one passage",
                    label_visibility="collapsed",
                    max_chars=LONGEST_QUESTION,
                )
                with st.popover(f"top {wish.top_k}", key="compare_settings"):
                    _settings(with_model=with_model)
                st.form_submit_button("Compare", type="primary", on_click=_commit)
            st.pills(
                "Retrievers, two to four; ranks are compared with the one chosen first",
                list(dict.fromkeys(known)),
                selection_mode="multi",
                format_func=_described,
                key=_RETRIEVERS,
                wrap=True,
            )
        question_picker(index.questions, wish.question, ask)
    return request()


def ask(question: str) -> None:
    """Compare on `question` with what else is chosen."""
    st.session_state[_QUESTION] = question
    _commit()


def _settings(*, with_model: bool) -> None:
    st.number_input(
        "Top k", 1, MOST_TOP_K, key=_TOP_K, help="How many passages every retriever keeps."
    )
    st.text_input(
        "One more, with its settings",
        key=_ANOTHER,
        placeholder="hoprag-coverage(n_hop=2)",
        max_chars=LONGEST,
        help="The same retriever may stand here several times with different settings.",
    )
    if others := how_to_get_the_others(with_model=with_model):
        st.caption(frame.literal(others))


def _without_top_k(spec: Spec) -> Spec:
    return Spec(spec.key, tuple(one for one in spec.settings if one[0] != "top_k"))


def _described(text: str) -> str:
    spec = Spec.parse(text)
    differs = changes(spec)
    return frame.literal(described(spec.key) + (f" · {differs}" if differs else ""))


def _fill(wish: Request) -> None:
    st.session_state[_QUESTION] = wish.question
    st.session_state[_RETRIEVERS] = [str(spec) for spec in wish.specs]
    st.session_state[_TOP_K] = wish.top_k
    st.session_state[_ANOTHER] = ""
    st.session_state[_ADDRESS] = wish


def _commit() -> None:
    """Write the form into the address bar."""
    state = st.session_state
    chosen = [*state[_RETRIEVERS], *split(state[_ANOTHER])]
    st.query_params.update(
        {"q": state[_QUESTION].strip(), "with": ",".join(chosen), "k": str(state[_TOP_K])}
    )
    _fill(request())
