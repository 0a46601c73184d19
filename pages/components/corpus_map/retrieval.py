"""A retrieval played over the map: a question, a retriever, and its steps."""

import streamlit as st

from core.artefacts.workbench import Workbench
from core.maps.walk import WalkData, walk_data
from core.retrievers import Spec
from pages.components.ask import current_question, model_calls
from pages.components.ask.request import Ask, too_long, usual_for
from pages.components.ask.required_structures import needs_first
from pages.components.ask.retriever_names import called, listed, offered
from pages.components.passages.gold import GoldMarks
from pages.components.shell import layout, model_servers, nav
from pages.components.shell.formatting import cropped
from pages.components.trace import current_trace

_QUESTION, _RETRIEVER = "map_question", "map_retriever"


def walk(bench: Workbench) -> WalkData | None:
    """Draw the choice of a question and a retriever; return the walk, None if no walk is shown."""
    index = bench.index
    known = current_question.now(index.name)
    texts = list(
        dict.fromkeys([*filter(None, [known.question]), *(q.text for q in index.questions)])
    )
    usual = known.spec if known.question else usual_for(len(index.ids))
    keys = offered(with_model=model_servers.endpoint() is not None)
    playing = bool(st.session_state.get(_QUESTION))
    with st.popover("Retrieval (on)" if playing else "Retrieval", width="stretch"):
        question = st.selectbox(
            "Question",
            texts,
            index=None,
            key=_QUESTION,
            format_func=lambda text: cropped(text, 120),
            accept_new_options=True,
            placeholder="Choose or type a question",
        )
        key = st.selectbox(
            "Retriever",
            keys,
            index=keys.index(usual.key) if usual.key in keys else 0,
            key=_RETRIEVER,
            format_func=listed,
        )
        spec = usual if key == usual.key else Spec(str(key))
        st.caption("Plays the retrieval step by step over the map.")
        if not question:
            return None
        st.caption(layout.literal(f"Settings: {called(spec)}"))
        if told := too_long(question):
            st.warning(layout.literal(told))
            return None
        wanted = Ask(question, spec)
        if st.button("Open in Trace", key="map_trace", width="stretch"):
            nav.go("trace", index=index.name, **wanted.params())
        with layout.mendable():
            return _walk(bench, wanted)
    return None


def _walk(bench: Workbench, wanted: Ask) -> WalkData | None:
    """Retrieve, and return the walk for the map; None if structures or an approval are missing."""
    if needs_first(wanted.spec, bench, place="map"):
        return None
    retriever = current_trace.retriever_of(bench, wanted)
    gate = model_calls.leave(retriever, wanted.question, place="map")
    if gate.waits_for:
        model_calls.ask_leave(retriever, wanted.question, gate.waits_for, place="map")
        return None
    with model_calls.within_budget("map"):
        trace = current_trace.trace_of(bench, wanted, gate)
    gold = GoldMarks(wanted.question, bench.index).among(map(bench.index.passage, bench.index.ids))
    return walk_data(wanted.question, trace.steps, sorted(gold), bench.index.number)
