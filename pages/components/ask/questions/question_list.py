"""The questions of an index as a list with the outcome beside each, above what it changes."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from html import escape
from typing import Any

import streamlit as st

from core.artefacts.stored_artefacts import missing
from core.artefacts.workbench import Workbench
from core.bundles import bundle
from core.evaluation.kept import KeptRankings
from core.evaluation.outcomes import OutcomeName, QuestionOutcome, outcome_label
from core.evaluation.question_outcomes import unrun_questions
from core.retrievers import Spec
from core.text.display import plurals
from core.text.display.question_types import meaning, named
from core.types import Query
from pages.components.ask.questions import question_order
from pages.components.ask.questions.question_filters import show_filters
from pages.components.ask.questions.question_order import Listed
from pages.components.ask.retriever_names import called
from pages.components.shell import layout
from pages.components.shell.actions import run_actions
from pages.components.shell.retriever_colours import badge
from pages.components.shell.visitors.visitor import visitor
from pages.components.shell.widgets.card import card

SHOWN = 20
"""Questions on a page of the list."""
MOST = 4
"""Retrievers whose outcomes stand beside a question, where fewer are chosen."""
_LONG = 110  # characters of a question that fit into a row at any width
_OPEN, _FIRST, _TRIED = "questions_open", "questions_first", "questions_tried"
_AT_ONCE, _SECONDS = 100, 1.5
SIGNS: dict[OutcomeName, str] = {
    "found": "●",
    "partly": "◐",
    "missed": "○",
    "not in the index": "∅",
    "no gold": "–",
    "not run": "·",
}


@dataclass(frozen=True)
class Questions:
    """The questions of an index with the outcomes of retrievers; `now` is the current question.

    `chosen` are the current retrievers. `more` adds columns for other retrievers whose outcomes are
    stored. `choose` runs another question.
    """

    workbench: Workbench
    chosen: tuple[Spec, ...]
    now: str
    choose: Callable[[str], None]
    more: bool = False

    @cached_property
    def specs(self) -> tuple[Spec, ...]:
        """Return the retrievers with a column: the chosen ones, then others by stored outcomes.

        Each badge of the others occurs once, since Compare tells their settings apart.
        """
        held = KeptRankings.of(self.workbench).retrievers() if self.more else []
        others = {spec.card.badge: spec for spec in reversed(held)}
        for spec in self.chosen:
            others.pop(spec.card.badge, None)
        shown = (*self.chosen, *(spec for spec in held if spec in others.values()))
        return tuple(dict.fromkeys(shown))[: max(MOST, len(self.chosen))]

    @property
    def is_open(self) -> bool:
        """Return whether the list is shown: always before a question is run, then by the user's
        choice.
        """
        wished = not self.now or st.session_state.get(_OPEN)
        return bool(wished and self.workbench.index.questions)

    def turn(self, by: int) -> None:
        """Run the question after the current one in the list, or with -1 the one before."""
        if (text := question_order.beside(self.shown(), self.now, by)) is not None:
            st.session_state.pop(_FIRST, None)  # to where that question stands
            self.choose(text)

    def shown(self) -> list[Listed]:
        """Return the questions that pass the filters, in order."""
        return question_order.ordered(question_order.listed(self.workbench, self.specs), self.specs)


def question_buttons(questions: Questions, *, keys: bool) -> None:
    """Draw the switch that opens the list, and the buttons for the previous and next question.

    Nothing is drawn before a question is run, when the list is open anyway.

    Parameters
    ----------
    keys : whether `[` and `]` press these buttons; a walkthrough handles these keys itself.
    """
    number = len(questions.workbench.index.questions)
    if not number or not questions.now:
        return
    question_order.follow_address()
    st.toggle(f"Questions ({number:,})", key=_OPEN, persist_state="session")
    for by, sign, said, key in ((-1, "‹", "before", "["), (1, "›", "after", "]")):
        st.button(
            sign,
            key=f"question_{said}",
            help=layout.literal(f"Question {said} this one in the list ({key})"),
            on_click=questions.turn,
            args=(by,),
        )
    if question_order.filtered_by(questions.specs) and not questions.is_open:
        with layout.mendable():
            st.html(f"<p class='hop-among'>{escape(_position(questions))}</p>")
    if keys:
        _listen()(key="question_keys", height=1)


def _position(questions: Questions) -> str:
    """Return the position of the current question among the filtered ones: `4 of 22: failing`."""
    texts = [one.query.text for one in questions.shown()]
    at = f"{texts.index(questions.now) + 1:,} of " if questions.now in texts else ""
    return f"{at}{len(texts):,}: {question_order.filtered_by(questions.specs)}"


@cache
def _listen() -> Callable[..., Any]:
    return st.components.v2.component("hop_turning", js=bundle("page/question_keys"))


def question_list(questions: Questions) -> None:
    """Draw the list of questions, if it is open: filters, a page of questions, and those not run
    yet.
    """
    if not questions.is_open:
        return
    if not questions.now:
        came = plurals.number(len(questions.workbench.index.questions), "question")
        st.text(f"This index includes {came}. Select one, or type your own query above.")
    with st.container(key="questions", gap="xsmall"), layout.mendable():
        _run_small_set(questions)
        found = question_order.listed(questions.workbench, questions.specs)
        show_filters(found, questions.specs, _apply_filters)
        st.html(_key(questions.specs))
        shown = question_order.ordered(found, questions.specs)
        first = _first_row(shown, questions.now)
        # Above a film it is lower, and scrolls.
        with st.container(key="questions_above" if questions.now else "questions_alone", gap=None):
            for number, one in enumerate(shown[first : first + SHOWN]):
                _row(one, questions, number)
        _show_foot(found, shown, first, questions)


def _key(specs: Sequence[Spec]) -> str:
    """Return the legend of the signs and badges beside the questions."""
    names = " · ".join(f"{badge(spec.card)} {escape(called(spec))}" for spec in specs)
    signs = (
        f"{SIGNS['found']} found: all gold passages retrieved, "
        f"{SIGNS['partly']} partly found: some, "
        f"{SIGNS['missed']} missed: none, “{SIGNS['not run']}” not run yet"
    )
    first = f"Left: outcome by {escape(specs[0].card.title)}. {signs}"
    return f"<p class='hop-asked-key'><span>{first}</span><span>Right: {names}</span></p>"


def _first_row(shown: Sequence[Listed], now: str) -> int:
    """Return the first row to show: of the page turned to, or one near the current question."""
    last = max(0, len(shown) - SHOWN)
    if _FIRST not in st.session_state:
        at = next((i for i, one in enumerate(shown) if one.query.text == now), 0)
        st.session_state[_FIRST] = max(0, at - 2)
    return min(max(0, int(st.session_state[_FIRST])), last)


def _row(one: Listed, questions: Questions, number: int) -> None:
    """Draw a question as a card: the first retriever's outcome, the text, its type, and the others'
    outcomes.
    """
    here = one.query.text == questions.now
    first = one.outcomes[0]
    others = "".join(
        f"<span title='{escape(f'{called(spec)}: {outcome_label(each.outcome)}')}'>"
        f"{badge(spec.card)}<i>{SIGNS[each.outcome]}</i></span>"
        for spec, each in zip(questions.specs, one.outcomes, strict=True)
    )
    body = (
        f"<div class='hop-asked{' hop-asked-now' if here else ''}'>"
        f"<span class='hop-asked-outcome' title='{escape(_outcome_text(first))}'>"
        f"{SIGNS[first.outcome]} {escape(_short_outcome(first))}</span>"
        f"<span class='hop-asked-text' dir='auto'>{escape(one.query.text)}</span>"
        f"<span class='hop-quiet hop-asked-kind' title='{escape(meaning(one.query.type))}'>"
        f"{escape(named(one.query.type))}</span>"
        f"<span class='hop-asked-by'>{others}</span></div>"
    )
    card(
        body,
        f"{one.query.text} ({_outcome_text(first)})",
        key=f"question_row_{number}",
        # Over a text that is whole, a tooltip would only lie in the way of the next row.
        hint=one.query.text if len(one.query.text) > _LONG else "",
        on_click=questions.choose,
        args=(one.query.text,),
    )


def _short_outcome(one: QuestionOutcome) -> str:
    """Shorten an outcome to fit a row: `found 1 of 2` or `found, by hand`."""
    if one.outcome == "partly":
        return f"found {one.kept} of {one.held + one.absent}"
    return f"{outcome_label(one.outcome)}{_by_hand(one)}"


def _outcome_text(one: QuestionOutcome) -> str:
    """Describe an outcome: `found 1 of 2, not all in the index`."""
    hand = _by_hand(one) if one.outcome == "partly" else ""
    absent = ", not all in the index" if one.absent and one.held else ""
    return f"{_short_outcome(one)}{hand}{absent}"


def _by_hand(one: QuestionOutcome) -> str:
    return ", by hand" if one.by_hand or one.removed else ""


def _outcome_count(number: int, outcome: OutcomeName) -> str:
    """Return a number of questions with an outcome: `3 without gold`, `25 not yet run`."""
    told = {"no gold": "without gold", "not run": "not yet run"}
    return f"{number:,} {told.get(outcome, outcome_label(outcome))}"


def _show_foot(
    found: Sequence[Listed], shown: Sequence[Listed], first: int, questions: Questions
) -> None:
    """Draw the buttons between pages of the list, its summary, and the button to run more."""
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="questions_foot"
    ):
        last = min(first + SHOWN, len(shown))
        if len(shown) > SHOWN:
            for sign, key, to, end in (
                ("‹ Page", "questions_back", first - SHOWN, not first),
                ("Page ›", "questions_on", last, last >= len(shown)),
            ):
                st.button(sign, key=key, disabled=end, on_click=_go_to_page, args=(to,))
        st.caption(layout.literal(_list_summary(found, shown, range(first, last), questions.specs)))
        _run_all(questions, found)


def _list_summary(
    found: Sequence[Listed], shown: Sequence[Listed], rows: range, specs: Sequence[Spec]
) -> str:
    """Describe which questions are listed, and the outcomes of all."""
    by, total = question_order.filtered_by(specs), len(found)
    among = f"{len(shown):,} ({by})" if by else f"{total:,}"
    where = f"{rows.start + 1:,} to {rows.stop:,} of {among}" if shown else f"None: {by}"
    tally = ", ".join(
        _outcome_count(number, name)
        for name in question_order.OUTCOMES
        if (number := sum(one.outcome == name for one in found))
    )
    return f"{where}. {called(specs[0])} on all {total:,}: {tally}."


def _run_all(questions: Questions, found: Sequence[Listed]) -> None:
    """Draw the button that runs the questions not yet run, and show its progress; editors only."""
    if not visitor().may_edit:
        return
    waiting = _questions_to_run(questions, found)
    total = sum(map(len, waiting.values()))
    if total and st.button(
        layout.literal(_run_all_label(waiting, alone=len(questions.specs) == 1)),
        key="questions_run",
        help="If you leave this page early, finished results are kept.",
    ):
        bar, before = st.progress(0.0, plurals.number(total, "question")), 0
        for spec, some in waiting.items():

            def told(done: int, _: int, before: int = before, name: str = called(spec)) -> None:
                now = before + done
                bar.progress(now / total, layout.literal(f"{name}: {now:,} of {total:,}"))

            run_actions.ask_all(questions.workbench, spec, some, told)
            before += len(some)
        st.rerun()


def _questions_to_run(questions: Questions, found: Sequence[Listed]) -> dict[Spec, list[Query]]:
    """Return the questions that each chosen retriever has not run yet, or else those of the others.

    Only retrievers that can run are returned. Questions without gold have no outcome and are left
    out.
    """
    for specs in (questions.chosen, questions.specs):
        left = {spec: some for spec in specs if (some := _not_run(questions, spec, found))}
        if left:
            return {spec: some for spec, some in left.items() if _can_run(questions, spec)}
    return {}


def _not_run(questions: Questions, spec: Spec, found: Sequence[Listed]) -> list[Query]:
    """Return the questions that are listed as not run by `spec`."""
    place = questions.specs.index(spec)
    listed = {one.query.text for one in found if one.outcomes[place].outcome == "not run"}
    return [query for query in unrun_questions(questions.workbench, spec) if query.text in listed]


def _run_all_label(waiting: Mapping[Spec, Sequence[Query]], *, alone: bool) -> str:
    """Return the label of the button: `Run the rest for BM, DE`."""
    if alone:
        number = max(map(len, waiting.values()))
        return f"Run the other {number:,}" if number > 1 else "Run the other one"
    return f"Run the rest for {', '.join(spec.card.badge for spec in waiting)}"


def _run_small_set(questions: Questions) -> None:
    """Run the questions of a small set that were not run yet, until `_SECONDS` have passed."""
    tried: set[tuple[str, str]] = st.session_state.setdefault(_TRIED, set())
    few = len(questions.workbench.index.questions) <= _AT_ONCE
    if not few or not visitor().may_edit:
        return
    until = time.monotonic() + _SECONDS
    for spec in questions.chosen:
        about, left = (questions.workbench.content, str(spec)), until - time.monotonic()
        unknown = spec.card.family == "custom"  # what a question costs; it is asked on a click
        if about in tried or left <= 0 or unknown or not _can_run(questions, spec):
            continue
        tried.add(about)
        waiting = unrun_questions(questions.workbench, spec)
        run_actions.ask_all(questions.workbench, spec, waiting, seconds=left)


def _can_run(questions: Questions, spec: Spec) -> bool:
    """Return whether `spec` can be asked with no call of a model and nothing to build."""
    return not spec.asks_model and not missing(spec.needs, questions.workbench)


def _apply_filters() -> None:
    question_order.write_address()
    _go_to_page(0)


def _go_to_page(first: int) -> None:
    st.session_state[_FIRST] = first
