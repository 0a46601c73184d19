"""What a language model was asked in a step, and what it said: word for word, as text."""

from html import escape

import streamlit as st

from core.playback import Frame
from core.playback.grains import labels
from core.steps import Exchange, Offered, Step
from pages.components.graph.graph_view import Selection
from pages.components.shell.words import count
from pages.components.trace.picture import Picture

_LONG, _TALL = 400, 220  # letters from which on a text scrolls, within so many pixels


def exchange_at(picture: Picture, now: Frame, picked: Selection | None) -> int | None:
    """The step so far, from 1, at which a model was asked about what is selected, or this one."""
    place = now.current
    if picked and picked.kind == "node":
        place = picked.id
    elif picked and picked.id in picture.trace.edges:
        place = picture.trace.edges[picked.id].source
    steps = picture.trace.steps
    about = (
        t
        for t in range(now.t, 0, -1)
        if steps[t - 1].told.exchange and place is not None and _place(steps[t - 1]) == place
    )
    this = now.t if now.step and now.step.told.exchange else None
    return next(about, this)


def _place(step: Step) -> str | None:
    return step.at if isinstance(step, Offered) else None


def show_exchange(picture: Picture, t: int) -> None:
    """Verdict, reason and cost of step `t`; instructions, data and replies to be opened."""
    step = picture.trace.steps[t - 1]
    told = step.told
    said = told.exchange
    if said is None:
        return
    lines = [f"<b>{escape(told.verdict)}</b>: {escape(told.reason)}"] if told.verdict else []
    lines += [f"<b>Fallback:</b> {escape(told.fallback)}"] if told.fallback else []
    lines.append(escape(_took(said)))
    facts = "".join(f"<p dir='auto'>{line}</p>" for line in lines)
    place = _place(step)
    at = f" at {picture.title(place)}" if place else ""
    head = f"The model{at}, {labels(picture.trace.steps)[t - 1].text.lower()}"
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
