"""What a language model was asked at a passage, and what it said: word for word, as text."""

from html import escape

import streamlit as st

from core.playback import Frame
from core.steps import Exchange, Judged
from pages.components.graph.graph_view import Selection
from pages.components.shell.words import count
from pages.components.trace.picture import Picture

_LONG, _TALL = 400, 220  # letters from which on a text scrolls, within so many pixels


def judged_at(stage: Picture, now: Frame, picked: Selection | None) -> Judged | None:
    """The step so far at which a model was asked about what is selected, or else this step."""
    vertex = now.current
    if picked and picked.kind == "node":
        vertex = picked.id
    elif picked and picked.id in stage.trace.edges:
        vertex = stage.trace.edges[picked.id].source
    judged = (step for step in reversed(stage.trace.steps[: now.t]) if isinstance(step, Judged))
    return next((step for step in judged if step.vertex == vertex and step.exchange), None)


def show_exchange(step: Judged, title: str) -> None:
    """Verdict, reason and cost; instructions, data and replies to be opened."""
    said = step.exchange
    if said is None:
        return
    lines = [f"<b>{escape(step.verdict)}</b>: {escape(step.reason)}"] if step.verdict else []
    lines += [f"<b>Fallback:</b> {escape(step.fallback)}"] if step.fallback else []
    lines.append(escape(_took(said)))
    facts = "".join(f"<p dir='auto'>{line}</p>" for line in lines)
    head = f"The model at {title}, hop {step.hop}"
    st.html(f"<div class='tr-facts'><h4>{escape(head)}</h4>{facts}</div>")
    for number, reply in enumerate(said.replies, start=1):
        which = f" {number} of {len(said.replies)}" if len(said.replies) > 1 else ""
        _text(f"Raw reply{which}", reply)
    _text("Prompt: what it was given", said.user)
    _text("Prompt: instructions", said.system)


def _took(said: Exchange) -> str:
    tokens = f"{said.tokens_in:,} tokens in, {said.tokens_out:,} out"
    seconds = f"{said.seconds:.2f} s"
    if not said.replies:
        return f"{said.model}: no reply"
    if said.cached:
        return f"{said.model}: kept, no call; it once took {tokens}, {seconds}"
    return f"{said.model}: {count(len(said.replies), 'reply', 'replies')}, {tokens}, {seconds}"


def _text(label: str, text: str) -> None:
    with st.expander(label):
        long = len(text) > _LONG
        shown = text or "(nothing)"
        st.code(shown, language=None, wrap_lines=True, height=_TALL if long else "content")
