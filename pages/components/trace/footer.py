"""What stands below a trace: what it cost, and ways to keep it."""

import re
from dataclasses import replace
from html import escape

import streamlit as st

from core.playback.account import Account, Looked, account
from core.retrievers import Spec
from core.steps import Asked, Step
from core.traces import Trace, dump
from pages.components.ask.methods import how_it_ranks
from pages.components.passages.gold import GoldMarks
from pages.components.shell.words import count


def footer(trace: Trace) -> None:
    """How it ranks; seconds, judgements, edges scored, retriever with settings, graph version."""
    spec = Spec.known(trace.retriever)
    if spec:
        how_it_ranks(spec, place="trace")
    cost = account(trace.steps)
    model = {"Model": _model(cost)} if cost.asked else {}
    if spec and spec.asks_model and not cost.answered:
        model["In place of a model"] = spec.card.substitute
    facts = {
        "Question embedded": _milliseconds(cost.embed_seconds),
        "Retrieved": _milliseconds(cost.seconds),
        **{_lists(looked): f"{looked.scored:,} scored" for looked in cost.looked},
        **model,
        "Retriever": spec.card.title if spec else trace.retriever,
        "Settings": _settings(trace.steps[0]),
        "Graph version": f"{trace.index} {trace.graph_version}",
    }
    cells = "".join(
        f"<div><dt>{name}</dt><dd>{escape(value)}</dd></div>" for name, value in facts.items()
    )
    st.html(f"<dl class='tr-footer'>{cells}</dl>")


def save_button(trace: Trace, marks: GoldMarks) -> None:
    """The trace as a file, with the gold marks as they are now."""
    marked = replace(trace, gold=marks.ids())
    st.download_button(
        "Save the trace",
        lambda: dump(marked),
        file_name="-".join(["trace", *re.findall(r"\w+", f"{trace.index} {trace.retriever}")])
        + ".jsonl",
        mime="application/jsonl",
        key="trace_save",
        on_click="ignore",
    )


def _lists(looked: Looked) -> str:
    """`6 lists of edges`."""
    return f"{count(looked.lists, 'list')} of {looked.of}"


def _model(cost: Account) -> str:
    calls = f"{count(cost.calls, 'call')}, {cost.tokens:,} tokens" if cost.calls else "no call"
    kept = f", {count(cost.kept, 'reply', 'replies')} kept" if cost.kept else ""
    fell = f", {count(cost.fallbacks, 'fallback')}" if cost.fallbacks else ""
    return f"{calls}{kept}{fell}"


def _milliseconds(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"


def _settings(first: Step) -> str:
    settings = {"top_k": first.top_k, **first.settings} if isinstance(first, Asked) else {}
    return ", ".join(f"{name} {value}" for name, value in settings.items())
