"""The walkthrough of a result, or the passages of an imported ranking."""

from collections.abc import Callable, Hashable
from functools import partial
from html import escape

import streamlit as st

from core import Hits, OpenIndex
from core.api.showing import walkthrough_data
from core.artefacts.workbench import Workbench
from core.marks import Gold, asked_gold, asked_text
from core.marks.gold_signs import star_sign
from core.retrievers import Spec, make
from core.reviews.losses.gold_outcomes import gold_ends
from core.runs import Row
from core.traces import Trace
from core.walkthroughs.contract import WalkthroughData
from core.walkthroughs.making import make_walkthrough
from pages.components.ask import current_question, model_calls
from pages.components.ask.request import Ask
from pages.components.ask.required_structures import needs_first
from pages.components.errors import keyboard
from pages.components.errors.review.gold_choice import choose_gold, gold_shown, use_todays
from pages.components.errors.review.prefetching import shared_prefetching
from pages.components.errors.review_context import Bench
from pages.components.evaluate.result_import import STEPS as HOW_TO_GET_STEPS
from pages.components.passages.gold import GoldMarks
from pages.components.passages.highlighting import fact, highlighted_excerpt
from pages.components.passages.repeated_texts import repeats_in
from pages.components.shell import nav
from pages.components.shell.formatting import cropped
from pages.components.shell.glossary import term
from pages.components.walkthrough.component import Mark, show_walkthrough

_HITS = 10
_STEPS = {
    "none": "not in the index; the pipeline's own text",
    "contained": "the pipeline's own chunk",
    "fuzzy": "the pipeline's own text, nearly identical to the passage",
    "id": "the pipeline's own text",
}
_TEXT, _AROUND = 400, 100  # characters of a passage, and on each side of its evidence


def show_result_walkthrough(bench: Bench, row: Row, coming: Row | None) -> None:
    """Draw the walkthrough of `row`, and note how many of its passages repeat others' text.

    That of `coming`, the next result, is computed in the background.
    """
    _walkthrough_of(bench, row, coming)
    if repeats := repeats_in(bench.workbench.index, row.hits):
        st.caption(repeats)


def _walkthrough_of(bench: Bench, row: Row, coming: Row | None) -> None:
    """Draw the walkthrough of a result, and compute that of the next result in the background.

    Without steps, the gold and the first passages are shown instead.
    """
    spec = bench.spec
    if spec is None:
        if trace := bench.runs.trace(bench.run.id, row.retriever, row.question.id):
            _show_imported(bench, row, trace)
            return
        _show_gold(bench, row)
        _passages(bench, row)
        return
    workbench = bench.workbench
    if needs_first(spec, workbench, place="errors"):
        return
    retriever = make(spec, workbench)
    today = choose_gold(bench, row)
    gate = model_calls.leave(retriever, row.question.text, place="errors")
    if gate.waits_for:
        model_calls.ask_leave(retriever, row.question.text, gate.waits_for, place="errors")
        return
    with model_calls.within_budget("errors"):
        gold = gold_shown(bench, row, today=today)
        told = _walkthrough_data(bench, row, spec, gold, gate)
    # Who goes on to Trace or Compare by the menu finds this question asked there.
    current_question.note(Ask(row.question.text, spec), workbench.index.name)
    marks = GoldMarks(row.question.text, workbench.index)
    # Marked is what is gold today: one of the run's gold would not show it.
    may = marks.may_mark and today
    acts = {"mark": partial(_mark, bench, row, marks)} if may else {}
    wish = show_walkthrough(
        told,
        key="errors_walkthrough",
        acts=acts,
        places=("explore",),
        keys=keyboard.HELP,
        from_start=False,
    )
    if wish:
        about = {"index": workbench.index.name, "q": row.question.text}
        nav.go(wish.name, passage=wish.value, **about)
    if coming and not spec.asks_model:
        gold = gold_shown(bench, coming, today=False)
        begun = partial(_make_walkthrough_data, workbench, spec, coming.question.text, gold, gate)
        shared_prefetching().begin(_cache_key(bench, coming, gold), begun)


def _show_imported(bench: Bench, row: Row, trace: Trace) -> None:
    """Draw the walkthrough of a result that was imported with its steps."""
    index = bench.workbench.index
    gold = gold_shown(bench, row, today=choose_gold(bench, row))
    wish = show_walkthrough(
        make_walkthrough(trace, gold, index),
        key="errors_walkthrough",
        acts={},
        places=("explore",),
        keys=keyboard.HELP,
        from_start=False,
    )
    if wish:
        nav.go(wish.name, passage=wish.value, index=index.name, q=row.question.text)


def _walkthrough_data(
    bench: Bench, row: Row, spec: Spec, gold: Gold, gate: model_calls.Gate
) -> WalkthroughData:
    """Return the walkthrough data of a result, from the background cache if it is ready."""
    made: Callable[[], WalkthroughData] = partial(
        _make_walkthrough_data, bench.workbench, spec, row.question.text, gold, gate
    )
    return shared_prefetching().walkthrough(
        (*_cache_key(bench, row, gold), *([gate.run] if gate.run else [])), made
    )


def _cache_key(bench: Bench, row: Row, gold: Gold) -> tuple[Hashable, ...]:
    """Return the cache key of a walkthrough: index version, question, retriever and gold."""
    index = bench.workbench.index
    asked = row.question.text, row.retriever
    marked = gold.given, gold.added, gold.removed, tuple(gold.passages.items())
    return (str(index.path), index.meta.finished_at, *asked, *marked, *gold.told.items())


def _make_walkthrough_data(
    workbench: Workbench, spec: Spec, question: str, gold: Gold, gate: model_calls.Gate
) -> WalkthroughData:
    """Retrieve, and return the walkthrough data."""
    trace = gate.retrieve(workbench, question, spec)
    return walkthrough_data(Hits(OpenIndex(workbench), trace), gold)


def _mark(bench: Bench, row: Row, marks: GoldMarks, wish: Mark) -> None:
    """Mark or unmark a passage as gold, and use today's gold from then on."""
    index = bench.workbench.index
    if wish["passage"] in index.number:
        marks.put(index.passage(wish["passage"]), wish["gold"], undo=wish.get("undo", False))
        use_todays(row)


def _show_gold(bench: Bench, row: Row) -> None:
    """List what became of each gold passage of an imported ranking, with its text."""
    st.caption(
        f"{bench.retriever} was imported, so only its ranking is known, not its steps. "
        f"{HOW_TO_GET_STEPS} The top {bench.top_k:,} count as retrieved."
    )
    lines = []
    for end in gold_ends(row, bench.workbench.index):
        kind = "hop-gold-lost" if end.lost else "hop-gold-kept"
        named = asked_text(row.question, end.gold)
        text = fact(end.text, _TEXT) if named else escape(cropped(end.text, _TEXT))
        lines.append(
            f"<li class='{kind}'><b dir='auto'>{star_sign('given')} {escape(end.title)}</b> · "
            f"<span class='hop-gold-end'>{escape(end.told)}</span>"
            f"<p dir='auto'>{text}</p></li>"
        )
    if lines:
        st.html(
            f"<h3 class='hop-found-head'>{term('gold')}</h3>"
            f"<ul class='hop-golds'>{''.join(lines)}</ul>"
        )


def _passages(bench: Bench, row: Row) -> None:
    """List the first passages of an imported ranking."""
    index = bench.workbench.index
    marked = {
        passage: by
        for name, by in gold_shown(bench, row, today=False).authors(row.hits).items()
        for passage in (name, *index.document_passages.get(name, ()))
    }
    gold = asked_gold(row.question)
    own = bench.runs.contexts(bench.run.id, row.retriever, row.question.id)
    st.html("<h3 class='hop-found-head'>Ranking</h3>")
    lines = []
    for rank, name in enumerate(row.hits[:_HITS], start=1):
        known = index.titled(name) if name in index.number else None
        star = f"{star_sign(marked[name])} " if name in marked else ""
        title, text = (known.title, known.text) if known else (name, "not in the index")
        note = ""
        if context := own.get(name):
            title, text = context.title or title, context.text
            note = f" <span class='hop-gold-end'>{_STEPS[context.step]}</span>"
        lines.append(
            f"<li value='{rank}'><b dir='auto'>{star}{escape(title)}</b>{note}"
            f"<p dir='auto'>{_text(name, text, gold)}</p></li>"
        )
    st.html(f"<ol class='hop-found-there'>{''.join(lines)}</ol>")


def _text(name: str, text: str, gold: Gold) -> str:
    """Return a passage's evidence with its context, or the beginning of the passage."""
    if evidence := gold.evidence_in(name):
        return highlighted_excerpt(text, evidence, _AROUND)
    return escape(cropped(text, _TEXT))
