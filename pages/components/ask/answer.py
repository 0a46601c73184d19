"""The answer below a ranking: by a model on a click, or else the evidence sentences."""

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from itertools import pairwise

import streamlit as st

from core.answers import Answer, Evidence, Reader, Sentence, evidence
from core.artefacts.lexical.postings import LEXICON
from core.artefacts.workbench import Workbench
from core.funnel.fates import fates
from core.funnel.stages import STAGES
from core.marks import gold_of
from core.models.money.forecast import foreseen
from core.playback.ending import own_answer_step
from core.settings import settings
from core.steps import Exchange, Step, result
from core.store.index import Index
from core.traces import Trace
from core.types import Passage
from pages.components.passages.passage import show_passage
from pages.components.shell import layout
from pages.components.shell.actions import permissions
from pages.components.shell.figures import section
from pages.components.shell.formatting import cropped, duration

_GIVEN = "answer_given"
_TITLE = 40  # characters of a title on a chip
_TALL = 220  # pixels within which a prompt scrolls

Ranking = tuple[Passage, ...]


def show_answer(workbench: Workbench, trace: Trace) -> None:
    """Draw the retriever's own answer, and the panel that answers from the retrieved passages."""
    show_retriever_answer(trace.steps)
    hits = result(trace.steps).hits
    if hits:
        ranking = tuple(trace.passages[hit.passage_id] for hit in hits)
        st.fragment(_panel)(workbench, trace.query, ranking, trace.steps)


def show_retriever_answer(steps: Sequence[Step]) -> None:
    """Show the retriever's own answer, if it gave one."""
    if said := own_answer_step(steps):
        st.html(
            f"<p class='hop-answer' dir='auto'>{escape(said.text)}</p>"
            f"<p class='hop-reasoning' dir='auto'>{escape(said.told.reason)}</p>"
        )
        st.caption(layout.literal(f"Answer generated during retrieval by the {said.by}."))


def _panel(workbench: Workbench, question: str, ranking: Ranking, steps: Sequence[Step]) -> None:
    """Draw the answer by the model, or without a model the best evidence sentences."""
    pressed = None
    with st.container(key="answer", gap="xsmall"), layout.mendable():
        if workbench.oracle is None:
            pressed = _show_evidence(workbench, question, ranking, steps)
            st.caption(
                "To get an answer from these passages, set up a language model (see Settings)."
            )
        else:
            reader = Reader(workbench.oracle.reading, workbench.index.number)
            pressed = _show_model_answer(workbench, reader, question, ranking, steps)
    if pressed:
        _drawer(workbench.index, pressed)


def _show_model_answer(
    workbench: Workbench, reader: Reader, question: str, ranking: Ranking, steps: Sequence[Step]
) -> str | None:
    """Draw the model's answer, or the button that requests it; return a pressed passage id."""
    section("Answer")
    findings = result(steps).findings
    given = _session_answer(workbench, reader, question, ranking, findings)
    if given is None:
        return None
    if given.fallback:
        st.warning(layout.literal(given.fallback))
        return _show_evidence(workbench, question, ranking, steps)
    pressed = _show_cited_answer(given, ranking)
    _show_unused_gold(workbench.index, question, steps, given.citations, STAGES["unused"])
    return pressed


def _session_answer(
    workbench: Workbench,
    reader: Reader,
    question: str,
    ranking: Ranking,
    findings: Sequence[str],
) -> Answer | None:
    """Return the model's answer from this session, or draw a button that asks for it."""
    index = workbench.index
    about = (str(index.path), index.meta.finished_at, question, reader.oracle.llm.model)
    key = (*about, tuple(passage.id for passage in ranking), tuple(findings))
    held = st.session_state.get(_GIVEN)
    found: Answer | None = held[1] if held and held[0] == key else None
    if found and not found.fallback:
        return found
    place = st.empty()
    with place.container(horizontal=True, vertical_alignment="center", key="answer_ask"):
        again = found is not None
        label = "Ask again" if again else "Answer from these passages"
        asks = st.button(label, key="answer_button")
        st.caption(layout.literal(_cost(reader, question, ranking, findings, again=again)))
    _show_findings(findings)
    if asks:
        with st.spinner("The model reads the passages…"):
            allowed = replace(
                reader, oracle=reader.oracle.with_leave(permissions.leave(again=again))
            )
            found = allowed.answer(question, ranking, findings)
        st.session_state[_GIVEN] = key, found
        if not found.fallback:
            place.empty()
    return found


def _show_findings(findings: Sequence[str]) -> None:
    """Show what the retriever passes to the reader beside the passages, if anything."""
    if findings:
        with st.expander("Findings of the retriever", key="answer_findings"):
            st.caption(
                "Intermediate results of the retriever. The model that answers "
                "receives them with the passages."
            )
            for text in findings:
                st.html(f"<p class='hop-evidence' dir='auto'>{escape(text)}</p>")


def _cost(
    reader: Reader, question: str, ranking: Ranking, findings: Sequence[str], *, again: bool
) -> str:
    """Return the expected cost of a click."""
    model = reader.oracle.llm.model
    unasked = reader.unasked(question, ranking, findings, again=again)
    if not unasked:
        return f"{model}: cached reply, no call."
    calls = foreseen(reader.oracle, unasked, settings().prices)
    return f"{model}: {calls}. The reply is cached."


def _show_cited_answer(given: Answer, ranking: Ranking) -> str | None:
    """Draw a model's answer, its reasoning, and a button for each cited passage; return a pressed
    passage id.
    """
    text = given.text or "These passages do not contain the answer."
    name = "hop-answer" if given.text else "hop-answer hop-none"
    st.html(
        f"<p class='{name}' dir='auto'>{escape(text)}</p>"
        f"<p class='hop-reasoning' dir='auto'>{escape(given.reasoning)}</p>"
    )
    ranks = {passage.id: rank for rank, passage in enumerate(ranking, 1)}
    pressed = None
    if given.citations:
        with st.container(horizontal=True, gap="small", key="answer_citations"):
            for name in given.citations:
                if _chip(ranking[ranks[name] - 1], ranks[name], f"answer_cited_{ranks[name]}"):
                    pressed = name
    for note in given.notes:
        st.caption(layout.literal(note))
    st.caption(layout.literal(given.context.told))
    if given.exchange:
        _show_exchange(given.exchange)
    return pressed


def _show_exchange(exchange: Exchange) -> None:
    """Show tokens and seconds, and below them the prompt and the replies, collapsed."""
    with st.expander(layout.literal(_tokens_and_time(exchange)), key="answer_exchange"):
        for reply in exchange.replies:
            st.code(reply, language=None, wrap_lines=True)
        st.code(exchange.user, language=None, wrap_lines=True, height=_TALL)
        st.code(exchange.system, language=None, wrap_lines=True, height=_TALL)


def _tokens_and_time(exchange: Exchange) -> str:
    tokens = f"{exchange.tokens_in:,} tokens in, {exchange.tokens_out:,} out"
    kept = "cached reply, no call" if exchange.cached else duration(exchange.seconds)
    return f"{exchange.model}: {tokens}; {kept}"


def _show_evidence(
    workbench: Workbench, question: str, ranking: Ranking, steps: Sequence[Step]
) -> str | None:
    """Show the sentences that cover the question best, each with a button for its passage."""
    gold = gold_of(workbench.index, question).evidence.values()
    weights = workbench.get(LEXICON).weights(question)
    found = evidence(weights, ranking, gold=[one.text for one in gold])
    section("Evidence, not an answer")
    st.caption(layout.literal(_evidence_summary(found)))
    pressed = None
    for number, sentence in enumerate(found.telling):
        passage = ranking[sentence.rank - 1]
        with st.container(horizontal=True, gap="small", key=f"evidence_{number}"):
            if _chip(passage, sentence.rank, f"evidence_open_{number}"):
                pressed = passage.id
            st.html(f"<p class='hop-evidence' dir='auto'>{_highlight_query_terms(sentence)}</p>")
    used = [sentence.passage_id for sentence in found.telling]
    _show_unused_gold(workbench.index, question, steps, used, "retrieved, but not quoted above")
    return pressed


def _show_unused_gold(
    index: Index, question: str, steps: Sequence[Step], used: Sequence[str], how: str
) -> None:
    """Show the retrieved gold passages that the answer does not use; `how` says so."""
    gold = gold_of(index, question)
    ends = fates(steps, gold.ids, index, used, passages_by_gold=gold.passages) if gold else ()
    unused = [index.passage(end.passage) for end in ends if end.stage == "unused"]
    if unused:
        titles = ", ".join(cropped(passage.title or passage.id, _TITLE) for passage in unused)
        st.caption(layout.literal(f"Gold passages {how}: {titles}."))


def _evidence_summary(found: Evidence) -> str:
    """Describe the evidence sentences: the query terms that no passage contains, and how many
    sentences are gold.
    """
    if not found.sentences:
        return "No sentence in these passages contains a query term."
    words = [f"'{word}'" for word in found.missing]
    either = " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
    missing = f"None of these passages contains {either}. " if words else ""
    gold = sum(sentence.gold for sentence in found.telling)
    if gold:
        which = "The first sentence is" if gold == 1 else f"The first {gold} sentences are"
        return f"{missing}{which} gold evidence; the others cover more query terms."
    return f"{missing}These sentences together cover the most query terms."


def _highlight_query_terms(sentence: Sentence) -> str:
    """Return the sentence as HTML with the words of the question marked."""
    text = sentence.text
    places = [0, *(at for mark in sentence.marks for at in mark), len(text)]
    pieces = [escape(text[start:end]) for start, end in pairwise(places)]
    return "".join(
        f"<mark>{piece}</mark>" if number % 2 else piece for number, piece in enumerate(pieces)
    )


def _chip(passage: Passage, rank: int, key: str) -> bool:
    """Draw a small button with a passage's rank and title, which opens the passage."""
    title = cropped(passage.title or passage.id, _TITLE)
    return st.button(layout.literal(f"{rank}. {title}"), key=key, help="Show the passage")


@st.dialog("Passage", width="medium", position="right")
def _drawer(index: Index, passage_id: str) -> None:
    show_passage(index, passage_id, key="answer_passage")
