"""The form of a new run: questions, retrievers with settings, and a budget."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from core.artefacts.workbench import Workbench
from core.corpus.formats import SUFFIXES, ending_of
from core.errors import HopRagError, InputError
from core.evidence import GoldLevel, gold_told
from core.models.money.budget import NO_BUDGET, Budget
from core.models.money.prices import FREE, price_of
from core.retrievers import CARDS, Spec, default_retrievers, make
from core.retrievers.base import KEPT
from core.retrievers.cost_forecast import forecast_all
from core.runs import Runs
from core.runs.answers import AnsweringRetriever, judge_of
from core.runs.question_sets import OWN, own_questions, questions_in
from core.runs.store import MAX_NAME
from core.settings import settings
from core.text.display import plurals
from core.types import Query
from pages.components.ask.family_filter import family_choice
from pages.components.ask.model_setup import model_setup_hint
from pages.components.ask.request import kept_of
from pages.components.ask.retriever_names import listed, offered
from pages.components.building.pseudo_query_maker import ask_budget
from pages.components.evaluate.column_names import badged
from pages.components.evaluate.outdated_run import ANSWERS, JUDGE, RETRIEVERS
from pages.components.shell import layout
from pages.components.shell.actions import run_actions
from pages.components.shell.glossary import hint

_LEVELS: dict[GoldLevel, str] = {"evidence": "Evidence", "document": "Whole documents"}
_SOURCES = ("This index", "A file")
_FORESEEN = "evaluate_foreseen"
_BEGUN = "evaluate_retrievers_begun"


def new_run(workbench: Workbench) -> None:
    """Draw the form; its button starts the run in a separate process."""
    with st.container(border=True, key="evaluate_new"):
        source, questions = _questions(workbench)
        specs = _retrievers(workbench)
        answers = _answers(workbench, questions)
        judge = answers and _judge(workbench)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            names = {run.name for run in Runs(workbench.index.path).all()}
            name = st.text_input(
                "Run name",
                value=_new_name(names),
                key=f"evaluate_name_{len(names)}",
                max_chars=MAX_NAME,
            )
            allowed, ready = _budget(workbench, specs, questions, answers=answers, judge=judge)
            started = st.button(
                "Start the run",
                type="primary",
                key="evaluate_start",
                disabled=not (questions and specs and ready),
            )
        waiting = st.empty()
        if started:
            with layout.mendable():
                if name.strip() in names:
                    raise InputError(f"A run named {name!r} already exists. Choose another name.")
                run = run_actions.evaluate(
                    workbench,
                    questions,
                    specs,
                    name=name,
                    question_set=source,
                    budget=allowed,
                    answers=answers,
                    judge=judge,
                    tell=lambda doing: waiting.progress(
                        0.0, layout.literal(f"Starting {name}: {doing} …")
                    ),
                )
                st.query_params["run"] = run.id
                st.rerun()
            waiting.empty()
        if questions:
            asked = plurals.number(len(questions), "question")
            told = f"{asked} by {plurals.number(len(specs), 'retriever')}."
            if bare := sum(not each.gold for each in questions):
                without = plurals.number(bare, "question")
                told = f"{told} For {without} without gold, only time and cost are measured."
            st.caption(f"{told} {gold_told(questions)}")


def _questions(workbench: Workbench) -> tuple[str, list[Query]]:
    """Return the source of the questions and the questions; empty while a file is missing."""
    own: list[Query] = []
    level = _gold_level()
    with suppress(InputError):
        own = own_questions(workbench.index, level)
    source = _SOURCES[0]
    if own:
        source = st.segmented_control(
            "Questions", _SOURCES, key="evaluate_source", default=source, required=True
        )
    if own and source == _SOURCES[0]:
        return OWN, own
    given = st.file_uploader(
        "Question file",
        type=[suffix.lstrip(".") for suffix in SUFFIXES],
        key="evaluate_file",
        help="JSONL or CSV with question, answers and gold; HotpotQA, 2WikiMultiHopQA, MuSiQue, "
        "MultiHop-RAG, SQuAD, FRAMES, ragas.",
    )
    if given is None:
        return "", []
    with layout.mendable():
        return given.name, _read(given.name, given.getvalue(), workbench, level)
    return "", []


def _gold_level() -> GoldLevel:
    """Draw the choice of what counts as gold, if questions have evidence, and return it."""
    chosen = st.segmented_control(
        "Gold",
        list(_LEVELS),
        key="evaluate_gold",
        default="evidence",
        required=True,
        format_func=lambda level: _LEVELS[level],
        help=hint(
            "gold",
            "Evidence: counts each fact, sentence or span that a question needs, in any passage "
            "that contains it. Whole documents: counts any passage of a gold document. Questions "
            "without evidence always use whole documents or passages.",
        ),
    )
    return "document" if chosen == "document" else "evidence"


def _read(name: str, content: bytes, workbench: Workbench, level: GoldLevel) -> list[Query]:
    """Read the questions of an upload; the file name from the browser is not used as a path."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"questions{ending_of(name)}"
        path.write_bytes(content)
        found = questions_in(path, workbench.index, name, level)
    for remark in found.notes:
        st.caption(layout.literal(remark))
    return found.questions


def _retrievers(workbench: Workbench) -> list[Spec]:
    """Draw the choice of retrievers, listed or typed as text; return none while one is invalid."""
    with_model = workbench.oracle is not None
    state, passages = st.session_state, len(workbench.index.ids)
    state[RETRIEVERS] = _chosen_retrievers(passages)
    families = family_choice(offered(with_model=with_model), key="evaluate_families")
    chosen = st.multiselect(
        "Retrievers",
        list(dict.fromkeys([*state[RETRIEVERS], *families])),
        key=RETRIEVERS,
        format_func=partial(_retriever_label, with_model=with_model),
        accept_new_options=True,
        help=hint(
            "retriever",
            "To change settings, type the retriever as text: hoprag-coverage(top_k=10).",
        ),
    )
    model_setup_hint(with_model=with_model, place="evaluate")
    found = []
    for text in chosen:
        with layout.mendable():
            found.append(Spec.parse(text))
    if told := _top_k_message(found, passages):
        st.caption(layout.literal(told))
    return list(dict.fromkeys(found)) if len(found) == len(chosen) else []


def _retriever_label(text: str, *, with_model: bool) -> str:
    """Return the label of a retriever in the list; typed text stays unchanged."""
    if text in CARDS:
        return listed(text, with_model=with_model)
    return badged(text) if text in st.session_state[_BEGUN] else text


def _chosen_retrievers(passages: int) -> list[str]:
    """Return the chosen retrievers; the default ones have a smaller top k on a small index.

    A default that the user has not changed follows the index.
    """
    state, kept = st.session_state, kept_of(passages)
    usual = [Spec.parse(key) for key in default_retrievers()]
    begun = [str(spec.with_settings(top_k=kept)) if kept < KEPT else str(spec) for spec in usual]
    before, state[_BEGUN] = state.get(_BEGUN), begun
    chosen: list[str] = state.get(RETRIEVERS, begun)
    return begun if chosen == before else chosen


def _top_k_message(specs: Sequence[Spec], passages: int) -> str:
    """Say that a ranking can hold the whole index, which loses nothing, or why it is short.

    >>> _top_k_message([Spec("bm25")], 12).partition(". ")[0]
    'This index has 12 passages, so the top 20 can hold all of them'
    >>> _top_k_message([Spec("bm25")], 100)
    ''
    >>> _top_k_message([Spec.parse("bm25(top_k=3)")], 12).partition(",")[0]
    'Top 3 of 12 passages'
    """
    kept = kept_of(passages)
    whole = [spec for spec in specs if int(str(spec.values["top_k"])) >= passages]
    if not whole:
        is_short = kept < KEPT and any(spec.values["top_k"] == kept for spec in specs)
        why = "to show what is lost: larger cut-offs retrieve most of the index"
        return f"Top {kept} of {plurals.number(passages, 'passage')}, {why}." if is_short else ""
    fewer = whole[0].with_settings(top_k=max(1, passages // 4))
    return (
        f"This index has {plurals.number(passages, 'passage')}, so the top "
        f"{whole[0].values['top_k']} can hold all of them. To see what is lost, ask for fewer, "
        f"as in {fewer}."
    )


def _answers(workbench: Workbench, questions: Sequence[Query]) -> bool:
    """Ask whether the model answers, if there is one and any answer is known."""
    oracle, known = workbench.oracle, sum(each.is_answer_known for each in questions)
    why = "Needs a language model." if oracle is None else "No question has a known answer."
    told = (
        f"EM, F1 and string accuracy for {plurals.number(known, 'question')}, "
        "and the gold passages that the answer does not use."
    )
    wanted = st.toggle(
        f"Generate answers with {layout.literal(oracle.reading.llm.model)}"
        if oracle
        else "Generate answers with a model",
        key=ANSWERS,
        disabled=not (oracle and known),
        help=told if oracle and known else why,
    )
    return bool(wanted and oracle and known)


def _judge(workbench: Workbench) -> bool:
    """Ask whether a model also judges the answers, and return the choice."""
    return st.toggle(
        f"Judge answers with {layout.literal(judge_of(workbench).llm.model)}",
        key=JUDGE,
        help="The model compares each answer with the reference answers: one more call per answer. "
        "The results show how often it agrees with EM.",
    )


def _budget(
    workbench: Workbench,
    specs: Sequence[Spec],
    questions: Sequence[Query],
    *,
    answers: bool,
    judge: bool,
) -> tuple[Budget, bool]:
    """Return the budget, and whether the user has seen the cost estimate."""
    oracle = workbench.oracle
    asking = [spec for spec in specs if answers or spec.asks_model]
    if not oracle or not asking or not questions:
        return NO_BUDGET, True
    asked = hash(tuple(each.text for each in questions))
    wish = (str(workbench.index.path), *map(str, asking), asked, answers, judge)
    price = None
    with layout.mendable():
        price = price_of(oracle.llm.endpoint, settings().prices)
    allowed = ask_budget("evaluate_budget", in_money=price not in (None, FREE))
    if st.button("Estimate calls and cost", key="evaluate_forecast"):
        with layout.mendable(), st.spinner("Estimating the model calls"):
            told = _forecast(workbench, asking, questions, answers=answers, judge=judge)
            st.session_state[_FORESEEN] = (wish, told)
    held = st.session_state.get(_FORESEEN)
    told = held[1] if held and held[0] == wish else ""
    if told:
        st.caption(layout.literal(f"{oracle.named}: {told}. Replies are cached."))
    return allowed, bool(told)


def _forecast(
    workbench: Workbench,
    asking: Sequence[Spec],
    questions: Sequence[Query],
    *,
    answers: bool,
    judge: bool,
) -> str:
    """Describe the model calls that a run needs, with answers and judgements if chosen."""
    try:
        retrievers = [make(spec, workbench) for spec in asking]
    except HopRagError as error:
        raise InputError(str(error)) from error
    if answers:
        known = frozenset(each.text for each in questions if each.is_answer_known)
        retrievers = [AnsweringRetriever(each, workbench, known, judge) for each in retrievers]
    return str(forecast_all(retrievers, [q.text for q in questions], settings().prices))


def _new_name(taken: set[str]) -> str:
    """Return `Run n` with the lowest free number above that of the existing runs."""
    number = len(taken) + 1
    while f"Run {number}" in taken:
        number += 1
    return f"Run {number}"
