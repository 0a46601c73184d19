"""A card for each retriever; families filter them."""

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
    "<p class='hop-picture-key'>Each picture shows the retrieval for one question of the sample: "
    "<q dir='auto'>{question}</q><br><i class='visited'></i>visited "
    "<i class='retrieved'></i>retrieved <i class='left'></i>not followed or cut off "
    "<b class='gold'>★</b> gold retrieved <b class='lost'>☆</b> gold lost<br>"
    "Bars show the scores in the ranking, by component: <i class='bar b'></i>usually similarity "
    "<i class='bar a'></i>usually words, names or the graph <i class='bar c'></i>"
    "<i class='bar d'></i>other parts <i class='bar w'></i><i class='bar v'></i>single query "
    "words. The page of a method explains its parts.</p>"
)
"""What the pictures show, and what their signs and colours mean."""


def show_cards() -> None:
    """Those of the chosen families, each a way to its own page."""
    chosen = family_choice(list(CARDS), key="methods_families")
    st.html(KEY.format(question=escape(pictured_question())))
    with st.container(key="methods_cards"):
        for key in chosen:
            _card(Spec(key))


def _card(spec: Spec) -> None:
    told = spec.card
    body = (
        f"<div class='hop-method'><h3>{badge(told)}{escape(told.title)}</h3>"
        f"<p>{escape(told.summary)}</p>{picture(spec.key)}"
        f"<small>{escape(' · '.join((*in_short(spec), *picture_note(spec))))}</small></div>"
    )
    if card(body, f"{told.title}: what it does", key=f"method_{spec.key.replace('-', '_')}"):
        nav.go("methods", method=spec.key)


def picture_note(spec: Spec) -> tuple[str, ...]:
    """Say of a retriever that needs a model that its picture was drawn without one."""
    return ("picture drawn without a model",) if spec.needs_model else ()


def in_short(spec: Spec) -> list[str]:
    """Its family, a model or none, what is built for it, where it comes from."""
    needs = [need for need in in_order(spec.needs) if need.stored]
    built_by_model = any(need.asks_model for need in needs)
    if spec.card.family == "custom":
        model = "cost unknown"
    elif spec.idle_without_model:
        model = "needs a model"
    else:
        model = "with or without a model" if spec.asks_model or built_by_model else "no model"
    built = [need.title for need in needs]
    return [
        spec.card.family,
        model,
        *([f"builds {all_of(built)}"] if built else []),
        spec.card.paper,
    ]
