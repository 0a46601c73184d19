"""A card that is a button: HTML below an invisible Streamlit button."""

from collections.abc import Callable

import streamlit as st

from pages.components.shell.layout import literal


def card(
    body: str,
    label: str,
    *,
    key: str,
    hint: str = "",
    on_click: Callable[..., None] | None = None,
    args: tuple[object, ...] = (),
    kwargs: dict[str, object] | None = None,
) -> bool:
    """Draw `body`, trusted HTML with escaped texts, as a card; return whether it was pressed.

    `label` is what a screen reader says, `hint` is shown when the pointer rests on it; both are
    texts. `key` is letters, digits and underscores.
    """
    with st.container(key=f"hopcard_{key}", gap=None):
        st.html(body)
        return st.button(
            literal(label),
            key=key,
            help=literal(hint) or None,
            width="stretch",
            on_click=on_click,
            args=args,
            kwargs=kwargs,
        )
