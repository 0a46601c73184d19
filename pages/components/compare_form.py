"""What to compare: question, retrievers, top_k. The address bar is the state."""

from dataclasses import dataclass

import streamlit as st

from core.retrievers import CARDS
from core.store.index import Index
from core.types import Query
from pages.components.frame import literal
from pages.components.words import count

FEWEST, MOST = 2, 4
TOP_K, MOST_TOP_K = 10, 50
DEFAULT = ("dense", "hybrid", "hoprag-similarity", "hoprag-coverage")

_QUESTION = "compare_question"
_RETRIEVERS = "compare_retrievers"
_TOP_K = "compare_top_k"
_PICKED = "compare_picked"
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
        question=params.get("q", "").strip(),
        keys=tuple(dict.fromkeys(key for key in named if key in CARDS)),
        top_k=int(number) if fits else TOP_K,
        unknown=(
            *(key[:40] for key in named if key not in CARDS),
            *(() if fits else (f"k={number[:40]}",)),
        ),
    )


def form(index: Index) -> Request:
    """The form, filled from the address bar, and what it asks for."""
    wish = request()
    if st.session_state.get(_ADDRESS) != wish or _QUESTION not in st.session_state:
        _fill(wish)
    if index.questions:
        _questions(index)
    with st.form("compare_form", border=True):
        text, number = st.columns([5, 1], vertical_alignment="bottom")
        text.text_input(
            "Question", key=_QUESTION, placeholder="Ask anything about the corpus", max_chars=2000
        )
        number.number_input(
            "Top k", 1, MOST_TOP_K, key=_TOP_K, help="How many passages every retriever keeps."
        )
        pills, button = st.columns([5, 1], vertical_alignment="bottom")
        pills.pills(
            "Retrievers, two to four; ranks are compared with the one chosen first",
            list(CARDS),
            selection_mode="multi",
            format_func=lambda key: f"{CARDS[key].letter} · {CARDS[key].title}",
            key=_RETRIEVERS,
            wrap=True,
        )
        button.form_submit_button("Compare", type="primary", width="stretch", on_click=_commit)
    return request()


def suggestions(index: Index, limit: int = 4) -> None:
    """A few of the index's own questions, each a button that asks it."""
    for number, query in enumerate(_varied(index, limit)):
        st.button(
            literal(query.text),
            key=f"compare_suggestion_{number}",
            on_click=ask,
            args=(query.text,),
        )


def ask(question: str) -> None:
    """Compare on `question` with what else is chosen."""
    st.session_state[_QUESTION] = question
    _commit()


def _questions(index: Index) -> None:
    known = count(len(index.questions), "question")
    st.selectbox(
        "Questions of this index",
        range(len(index.questions)),
        index=None,
        format_func=lambda number: _shown(index.questions[number]),
        placeholder=f"Pick from {known} that came with the corpus",
        key=_PICKED,
        on_change=_ask_picked,
        args=(index,),
        label_visibility="collapsed",
    )


def _shown(query: Query) -> str:
    return f"{query.text}  ({query.type})" if query.type else query.text


def _ask_picked(index: Index) -> None:
    number = st.session_state[_PICKED]
    if number is not None:
        ask(index.questions[number].text)


def _varied(index: Index, limit: int) -> list[Query]:
    """Questions with gold, one of each type first."""
    with_gold = [query for query in index.questions if query.gold] or list(index.questions)
    firsts = {query.type: query for query in reversed(with_gold)}
    ordered = [*firsts.values(), *(q for q in with_gold if q not in firsts.values())]
    return ordered[:limit]


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
