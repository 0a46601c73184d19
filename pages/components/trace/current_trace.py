"""The current request on Trace, kept across pages.

The address names the question, its retriever and the step. A trace from a file has no address
(`pages.components.ask.opened_trace`).
"""

import streamlit as st

from core.artefacts.workbench import Workbench
from core.counterfactual import amendments_text, parse
from core.retrievers import Retriever, Spec, make
from core.traces import Trace
from pages.components.ask import current_question, opened_trace
from pages.components.ask.model_calls import Gate
from pages.components.ask.request import ADDRESS, AMEND, OLD, Ask
from pages.components.ask.view_switch import PLACE

_BEFORE, _IGNORED = "trace_before", "trace_ignored"


def ask(wanted: Ask, index: str) -> None:
    """Make a request the current one, and show its walkthrough from the start."""
    opened_trace.close_file()
    current_question.note(wanted, index)
    for name in PLACE:
        if name != "view":  # the next question is shown as this one is
            st.query_params.pop(name, None)
    _write_address(wanted)


def replay(wanted: Ask, before: Ask, index: str) -> None:
    """Show `wanted`, a variant of `before`."""
    ask(wanted, index)
    st.session_state[_BEFORE] = index, wanted, before


def before(wanted: Ask, index: str) -> Ask | None:
    """Return the request that `wanted` was changed from with `replay`, in this session."""
    known: tuple[str, Ask, Ask] | None = st.session_state.get(_BEFORE)
    return known[2] if known and known[:2] == (index, wanted) else None


def change(wanted: Ask, index: str) -> None:
    """Show the same question with other changes by hand; the walkthrough keeps its step."""
    current_question.note(wanted, index)
    _write_address(wanted)


def asked(index: str, usual: Spec) -> Ask:
    """Return the request of the address, or else the last one of this session.

    `usual` is the default retriever. Invalid parameters are removed from the address and listed by
    `ignored`.
    """
    params = st.query_params.to_dict()
    if "q" in params:
        wanted, said = Ask.from_params(params, usual)
        current_question.note(wanted, index)
        if said:
            st.session_state[_IGNORED] = wanted, said
        for name in params.keys() - {*ADDRESS}:
            del st.query_params[name]
    if not current_question.was_asked(index):
        return Ask(spec=usual)
    known = current_question.now(index)
    _write_address(known)
    return known


def ignored(wanted: Ask) -> tuple[str, ...]:
    """Return messages on the ignored parameters of the address that led to `wanted`."""
    about, said = st.session_state.get(_IGNORED, (None, ()))
    return said if about == wanted else ()


def retriever_of(workbench: Workbench, wanted: Ask) -> Retriever:
    """Return the retriever of `wanted`; raise InputError if it needs a model and none is set up."""
    return make(wanted.spec, workbench.amended(wanted.amendments))


def trace_of(workbench: Workbench, wanted: Ask, gate: Gate) -> Trace:
    """Return the retrieval of `wanted`, computed once for a run and a version of the index."""
    index = workbench.index
    about = (str(index.path), index.meta.finished_at, wanted.question, str(wanted.spec))
    model = workbench.oracle.llm.asked_as if workbench.oracle else ""
    run = f"{gate.run} {wanted.spec.version}"
    return _computed(workbench, gate, *about, amendments_text(wanted.amendments), run, model)


@st.cache_resource(max_entries=60, show_spinner="Walking the graph…")
def _computed(
    _workbench: Workbench,
    _gate: Gate,
    path: str,  # noqa: ARG001 - a part of the cache's key, as are the next and the last two
    finished_at: str,  # noqa: ARG001
    question: str,
    retriever: str,
    by_hand: str,
    run: str,  # noqa: ARG001
    model: str,  # noqa: ARG001
) -> Trace:
    """Retrieve, cached by index version, request, approved run and model."""
    return _gate.retrieve(_workbench.amended(parse(by_hand)), question, retriever)


def _write_address(wanted: Ask) -> None:
    """Write a request into the address, and remove outdated parameters."""
    params = wanted.params()
    for name in (*OLD, AMEND):
        if name in st.query_params and name not in params:
            del st.query_params[name]
    for name, value in params.items():
        if st.query_params.get(name) != value:
            st.query_params[name] = value
