"""What to compare: question, retrievers, top_k. The address bar is the state."""

from dataclasses import dataclass

import streamlit as st

from core.retrievers import CARDS, MODEL_FREE
from core.store.index import Index
from pages.components.ask.known_questions import question_picker
from pages.components.ask.model_calls import HOW_TO_GET_IT
from pages.components.ask.wish import LONGEST_QUESTION

FEWEST, MOST = 2, 4
TOP_K, MOST_TOP_K = 10, 50
DEFAULT = ("dense", "hybrid", "hoprag-similarity", "hoprag-coverage")

_QUESTION = "compare_question"
_RETRIEVERS = "compare_retrievers"
_TOP_K = "compare_top_k"
_ADDRESS = "compare_address"


@dataclass(frozen=True)
class Request:
    """A wish to compare; `keys` in the order of the columns. `unknown` names what there is not."""

    question: str
    keys: tuple[str, ...]
    top_k: int
    unknown: tuple[str, ...] = ()

    @property
    def problem(self) -> str:
        """Why it cannot be done and what mends it, or nothing."""
        if self.unknown:
            return (
                f"There is no {', '.join(map(repr, self.unknown))} to compare; "
                f"retrievers are {', '.join(CARDS)}, and k is from 1 to {MOST_TOP_K}."
            )
        if FEWEST <= len(self.keys) <= MOST:
            return ""
        chosen = f"{len(self.keys)} {'is' if len(self.keys) == 1 else 'are'} chosen"
        return f"Choose two to four retrievers to compare; {chosen}."


def request() -> Request:
    """The wish in the address bar."""
    params = st.query_params
    named = [key for key in params["with"].split(",") if key] if "with" in params else DEFAULT
    number = params.get("k", str(TOP_K))
    fits = number.isascii() and number.isdigit() and 1 <= int(number[:9]) <= MOST_TOP_K
    return Request(
        question=params.get("q", "").strip()[:LONGEST_QUESTION],
        keys=tuple(dict.fromkeys(key for key in named if key in CARDS)),
        top_k=int(number) if fits else TOP_K,
        unknown=(
            *(key[:40] for key in named if key not in CARDS),
            *(() if fits else (f"k={number[:40]}",)),
        ),
    )


def form(index: Index, *, with_model: bool) -> Request:
    """The form, filled from the address bar, and what it asks for."""
    wish = request()
    # An address may ask for a model where there is none; its column then says how to get one.
    offered = [key for key in CARDS if with_model or key in MODEL_FREE or key in wish.keys]
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
                    st.number_input(
                        "Top k",
                        1,
                        MOST_TOP_K,
                        key=_TOP_K,
                        help="How many passages every retriever keeps.",
                    )
                st.form_submit_button("Compare", type="primary", on_click=_commit)
            st.pills(
                "Retrievers, two to four; ranks are compared with the one chosen first",
                offered,
                selection_mode="multi",
                format_func=lambda key: f"{CARDS[key].letter} · {CARDS[key].title}",
                key=_RETRIEVERS,
                wrap=True,
            )
            if not with_model:
                st.caption(f"hoprag-{HOW_TO_GET_IT}")
        question_picker(index.questions, wish.question, ask)
    return request()


def ask(question: str) -> None:
    """Compare on `question` with what else is chosen."""
    st.session_state[_QUESTION] = question
    _commit()


def _fill(wish: Request) -> None:
    st.session_state[_QUESTION] = wish.question
    st.session_state[_RETRIEVERS] = list(wish.keys)
    st.session_state[_TOP_K] = wish.top_k
    st.session_state[_ADDRESS] = wish


def _commit() -> None:
    """Write the form into the address bar."""
    state = st.session_state
    st.query_params.update(
        {
            "q": state[_QUESTION].strip(),
            "with": ",".join(state[_RETRIEVERS]),
            "k": str(state[_TOP_K]),
        }
    )
    state[_ADDRESS] = request()
