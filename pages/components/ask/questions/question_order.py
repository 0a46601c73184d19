"""The questions of an index in the order of the list: filtered and sorted.

What is chosen stays for the session, on every page, and stands in the address.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import streamlit as st

from core.artefacts.workbench import Workbench
from core.evaluation.kept import KeptRankings
from core.evaluation.outcomes import LOST_GOLD, OutcomeName, QuestionOutcome
from core.evaluation.question_outcomes import question_outcomes
from core.marks import Marks
from core.retrievers import Spec
from core.types import Query
from pages.components.ask.retriever_names import called

SEARCH, OUTCOME = "questions_search", "questions_outcome"
FINDER, MISSER = "questions_finder", "questions_misser"
TYPE, SORT = "questions_type", "questions_sort"
OUTCOMES: tuple[OutcomeName, ...] = get_args(OutcomeName)
ANY, FAILING = "all", "failing"
SORTS = ("original order", "missed first", "A to Z")
_ADDRESS = {
    "find": SEARCH,
    "outcome": OUTCOME,
    "finds": FINDER,
    "misses": MISSER,
    "type": TYPE,
    "order": SORT,
}
_USUAL = ("", ANY, SORTS[0])
_WORST_FIRST: tuple[OutcomeName, ...] = (*LOST_GOLD, "found", "not run", "no gold")


@dataclass(frozen=True, slots=True)
class Listed:
    """A question, and the outcome of each retriever on it."""

    query: Query
    outcomes: tuple[QuestionOutcome, ...]

    @property
    def outcome(self) -> OutcomeName:
        """Return the outcome for the first retriever."""
        return self.outcomes[0].outcome


def listed(workbench: Workbench, specs: Sequence[Spec]) -> list[Listed]:
    """Return all questions of the index with the outcomes that are known, in their own order."""
    held = KeptRankings.of(workbench).stamp(), Marks(workbench.index.path).stamp()
    stamps = (*held, *(spec.version for spec in specs))
    about = str(workbench.index.path), workbench.index.meta.finished_at, str(stamps)
    oracle = workbench.oracle
    return _read_outcomes(
        workbench, *about, oracle.llm.model if oracle else "", tuple(map(str, specs))
    )


def named(specs: Sequence[Spec]) -> dict[str, int]:
    """Return the filter names of the retrievers: their badges, or full names if two badges are
    equal.
    """
    badges = [spec.card.badge for spec in specs]
    names = badges if len({*badges}) == len(badges) else [called(spec) for spec in specs]
    return {name: at for at, name in enumerate(names)}


def follow_address() -> None:
    """Set the filters from the address, and write filters that are missing there into it."""
    params, state = st.query_params, st.session_state
    for name, key in _ADDRESS.items():
        if name in params:
            state[key] = params[name]
        elif state.get(key, "") not in _USUAL:
            params[name] = state[key]


def write_address() -> None:
    """Write the filters that the user has just set into the address."""
    for name, key in _ADDRESS.items():
        chosen = st.session_state.get(key) or ""
        if chosen not in _USUAL:
            st.query_params[name] = chosen
        else:
            st.query_params.pop(name, None)


def filtered_by(specs: Sequence[Spec]) -> str:
    """Describe the active filters; empty if all questions are shown."""
    state, names = st.session_state, named(specs)
    words, outcome, kind = (state.get(key) or "" for key in (SEARCH, OUTCOME, TYPE))
    finder, misser = state.get(FINDER), state.get(MISSER)
    told = [
        outcome if outcome not in _USUAL else "",
        f"{finder} finds all gold" if finder in names else "",
        f"{misser} misses some" if misser in names else "",
        kind if kind not in _USUAL else "",
        f"'{words}'" if words else "",
    ]
    return ", ".join(filter(None, told))


def ordered(found: Sequence[Listed], specs: Sequence[Spec]) -> list[Listed]:
    """Return the questions that pass the filters, sorted; `specs` as for `listed`."""
    state, names = st.session_state, named(specs)
    words = str(state.get(SEARCH) or "").casefold().split()
    wanted, kind = _outcomes_to_list(state.get(OUTCOME) or ANY), state.get(TYPE) or ANY
    finder, misser = names.get(state.get(FINDER, "")), names.get(state.get(MISSER, ""))
    shown = [
        one
        for one in found
        if one.outcome in wanted
        and (finder is None or one.outcomes[finder].outcome == "found")
        and (misser is None or one.outcomes[misser].outcome in LOST_GOLD)
        and kind in (ANY, one.query.type)
        and all(word in one.query.text.casefold() for word in words)
    ]
    match state.get(SORT):
        case "missed first":
            shown.sort(key=lambda one: _WORST_FIRST.index(one.outcome))
        case "A to Z":
            shown.sort(key=lambda one: one.query.text.casefold())
    return shown


def _outcomes_to_list(outcome: str) -> Sequence[str]:
    if outcome == FAILING:
        return LOST_GOLD
    return (outcome,) if outcome in OUTCOMES else OUTCOMES


def beside(shown: Sequence[Listed], now: str, by: int) -> str | None:
    """Return the question `by` places after `now` (before it if negative); None at an end.

    If `now` is not listed, the first question is returned, or the last one.
    """
    texts = [one.query.text for one in shown]
    if not texts:
        return None
    if now not in texts:
        return texts[0 if by > 0 else -1]
    at = texts.index(now) + by
    return texts[at] if 0 <= at < len(texts) else None


@st.cache_resource(max_entries=20, show_spinner=False)
def _read_outcomes(
    _workbench: Workbench,
    path: str,  # noqa: ARG001 - parts of the cache's key, as are the next three
    finished_at: str,  # noqa: ARG001
    stamps: str,  # noqa: ARG001
    model: str,  # noqa: ARG001
    specs: tuple[str, ...],
) -> list[Listed]:
    """Read the questions of an index with the outcome of each retriever."""
    found = question_outcomes(_workbench, [Spec.parse(text) for text in specs])
    questions = _workbench.index.questions
    return [Listed(*each) for each in zip(questions, found, strict=True)]
