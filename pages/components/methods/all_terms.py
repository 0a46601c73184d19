"""The glossary as a list."""

from html import escape

import streamlit as st

from core.glossary import GLOSSARY
from pages.components.shell.figures import section


def show_glossary() -> None:
    """Show all terms with their definitions, in alphabetical order."""
    section("Glossary")
    rows = sorted(GLOSSARY.values(), key=lambda one: one.name.casefold())
    cells = "".join(
        f"<div><dt>{escape(one.name)}{f' <i>{escape(one.symbol)}</i>' if one.symbol else ''}</dt>"
        f"<dd>{escape(one.meaning)}</dd></div>"
        for one in rows
    )
    st.html(f"<dl class='hop-glossary'>{cells}</dl>")
