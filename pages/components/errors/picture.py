"""The film of a result; where there is none, as of a ranking made elsewhere, its passages."""

from collections.abc import Callable, Hashable, Mapping
from functools import partial
from html import escape

import streamlit as st

from core.artefacts.workbench import Workbench
from core.film import make_film
from core.film.data import FilmData, Marked
from core.funnel.lists import Lists
from core.marks import gold_of
from core.retrievers import Spec, make
from core.runs import Row
from core.traces import record
from pages.components.ask import model_calls
from pages.components.ask.needs import needs_first
from pages.components.errors.ahead import ahead
from pages.components.errors.bench import Bench
from pages.components.film.component import show_film
from pages.components.passages.gold import GoldMarks
from pages.components.shell import nav

_HITS = 10
Said = Mapping[str, Marked]


def picture(bench: Bench, row: Row, coming: Row | None) -> None:
    """The film of `row`; that of `coming`, which is looked at next, is begun."""
    spec = Spec.known(row.retriever)
    if spec is None:
        _passages(bench, row)
        return
    workbench = bench.workbench
    if needs_first(spec, workbench, place="errors"):
        return
    retriever = make(spec, workbench)
    gate = model_calls.leave(retriever, row.question.text, place="errors")
    if gate.waits_for:
        model_calls.ask_leave(retriever, row.question.text, gate.waits_for, place="errors")
        return
    with model_calls.within_budget("errors"):
        film = _film(bench, row, spec, gate.opened(workbench), gate.run)
    marks = GoldMarks(row.question.text, workbench.index)
    acts = {"mark": partial(_mark, bench, marks)} if marks.may_mark else {}
    wish = show_film(film, key="errors_film", acts=acts, places=("explore",), from_start=False)
    if wish:
        about = {"index": workbench.index.name, "q": row.question.text}
        nav.go(wish.name, passage=wish.value, **about)
    if coming and not spec.asks_model:
        said = _said(bench, coming)
        begun = partial(_made, workbench, spec, coming.question.text, said)
        ahead().begin(_about(bench, coming, said), begun)


def _film(bench: Bench, row: Row, spec: Spec, workbench: Workbench, run: str) -> FilmData:
    said = _said(bench, row)
    made: Callable[[], FilmData] = partial(_made, workbench, spec, row.question.text, said)
    return ahead().film((*_about(bench, row, said), *([run] if run else [])), made)


def _about(bench: Bench, row: Row, said: Said) -> tuple[Hashable, ...]:
    index = bench.workbench.index
    asked = row.question.text, row.retriever
    return (str(index.path), index.meta.finished_at, *asked, tuple(said.items()))


def _made(workbench: Workbench, spec: Spec, question: str, said: Said) -> FilmData:
    trace = record(make(spec, workbench), question, workbench.index)
    return make_film(trace, said, workbench.index, Lists(workbench))


def _said(bench: Bench, row: Row) -> Said:
    """What is gold: as marked in the index, where it has the question; else as the run says."""
    known: Said = gold_of(bench.workbench.index, row.question.text).said
    given: Said = dict.fromkeys(row.question.gold, "given")
    return known or given


def _mark(bench: Bench, marks: GoldMarks, passage: str) -> None:
    index = bench.workbench.index
    if passage in index.number:
        marks.toggle(index.passage(passage))


def _passages(bench: Bench, row: Row) -> None:
    """The first passages of a ranking whose steps nobody has."""
    index = bench.workbench.index
    gold = {
        passage
        for name in row.question.gold
        for passage in (name, *index.document_passages.get(name, ()))
    }
    st.caption("This ranking was made elsewhere: it has no film.")
    lines = []
    for rank, name in enumerate(row.hits[:_HITS], start=1):
        known = index.passage(name) if name in index.number else None
        star = "★ " if name in gold else ""
        title, text = (known.title, known.text) if known else (name, "not in the index")
        lines.append(
            f"<li value='{rank}'><b dir='auto'>{star}{escape(title or name)}</b>"
            f"<p dir='auto'>{escape(text[:400])}</p></li>"
        )
    st.html(f"<ol class='hop-found-there'>{''.join(lines)}</ol>")
