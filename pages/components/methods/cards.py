"""A card for each retriever; families filter them."""

import re
from html import escape

import streamlit as st

from core.artefacts.base import in_order
from core.retrievers import CARDS, Spec
from core.shipping.method_pictures import picture, pictured_question
from pages.components.ask.family_filter import family_choice
from pages.components.shell import nav
from pages.components.shell.formatting import all_of
from pages.components.shell.retriever_colours import badge
from pages.components.shell.widgets.card import card

KEY = (
    "<div class='hop-picture-key'><p>Each picture shows how a method handles one question from "
    "the sample: <q dir='auto'>{question}</q></p><p><span><b>◆</b>query or sub-question</span>"
    "<span><i class='retrieved'></i>retrieved</span>"
    "<span><i class='visited'></i>visited, not retrieved</span>"
    "<span><i class='left'></i>not followed or cut off</span>"
    "<span><b class='gold'>★</b>gold passage, found</span>"
    "<span><b class='lost'>☆</b>gold passage, missed</span>"
    "<span><i class='bar'></i>score</span><span><b>+3</b>3 more</span></p></div>"
)
"""What the pictures show, and what their signs and colours mean."""
MODEL_USE = {
    "required": "needs a model",
    "optional": "model optional",
    "none": "no model needed",
}
ARXIV = re.compile(r"arXiv (\d{4}\.\d{5})")


def show_cards() -> None:
    """Draw a card for each retriever of the selected families, which opens its page."""
    chosen = family_choice(list(CARDS), key="methods_families")
    st.html(KEY.format(question=escape(pictured_question())))
    with st.container(key="methods_cards"):
        for key in chosen:
            _card(Spec(key))


def _card(spec: Spec) -> None:
    """Draw a retriever's card, which opens its page."""
    told = spec.card
    facts = "".join(
        f"<span>{escape(one)}</span>" for one in (*card_facts(spec), *picture_note(spec))
    )
    body = (
        f"<div class='hop-method'><h3>{badge(told)}{escape(told.title)}</h3>"
        f"<p>{escape(told.summary)}</p>{picture(spec.key)}"
        f"<div class='hop-method-facts'>{facts}</div><small>{paper(told.paper)}</small></div>"
    )
    if card(body, f"{told.title}: what it does", key=f"method_{spec.key.replace('-', '_')}"):
        nav.go("methods", method=spec.key)


def paper(text: str) -> str:
    """Return a reference as HTML, in which papers on arXiv are links."""
    link = r"<a href='https://arxiv.org/abs/\1' target='_blank' rel='noopener'>arXiv \1</a>"
    return ARXIV.sub(link, escape(text))


def picture_note(spec: Spec) -> tuple[str, ...]:
    """Say of a retriever that needs a model that its picture was drawn without one."""
    return ("picture drawn without a model",) if spec.needs_model else ()


def card_facts(spec: Spec) -> list[str]:
    """Return its family, whether it needs a model, and its stored structures."""
    needs = [need for need in in_order(spec.needs) if need.stored]
    model = "cost unknown" if spec.card.family == "custom" else MODEL_USE[spec.model_use]
    built = [need.title for need in needs]
    return [
        spec.card.family,
        model,
        *([f"builds {all_of(built)}"] if built else []),
    ]
