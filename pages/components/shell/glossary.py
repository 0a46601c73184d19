"""What a term means, where it stands on the screen: as a hint, or on hover in our own HTML."""

from html import escape

import streamlit as st

from core.glossary import GLOSSARY
from pages.components.shell.figures import section


def hint(key: str) -> str:
    """Return the definition of a term, for the `help` of a widget."""
    return GLOSSARY[key].told


def term(key: str, label: str = "") -> str:
    """Return `label`, by default the name of the term, as HTML that tells the meaning on hover."""
    known = GLOSSARY[key]
    name = label or known.name[:1].upper() + known.name[1:]
    return f"<abbr class='hop-term' title='{escape(known.told)}'>{escape(name)}</abbr>"


def show_glossary() -> None:
    """All terms with their definitions, in alphabetical order."""
    section("Glossary")
    rows = sorted(GLOSSARY.values(), key=lambda one: one.name.casefold())
    cells = "".join(
        f"<div><dt>{escape(one.name)}{f' <i>{escape(one.symbol)}</i>' if one.symbol else ''}</dt>"
        f"<dd>{escape(one.meaning)}</dd></div>"
        for one in rows
    )
    st.html(f"<dl class='hop-glossary'>{cells}</dl>")
