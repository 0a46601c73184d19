"""Definitions of terms as help texts and as tooltips."""

from html import escape

from core.glossary import GLOSSARY
from core.retrievers.settings import Declared

_SETTINGS = {"top_k": "top_k", "n_hop": "hop", "seeds": "seed", "entry": "seed"}
"""Settings of retrievers that are terms, by name."""


def hint(key: str, more: str = "") -> str:
    """Return the definition of a term and `more` behind it, for the `help` of a widget."""
    return f"{GLOSSARY[key].told} {more}".rstrip()


def term(key: str, label: str = "") -> str:
    """Return `label`, by default the name of the term, as HTML that tells the meaning on hover."""
    known = GLOSSARY[key]
    name = label or known.name[:1].upper() + known.name[1:]
    return f"<abbr class='hop-term' title='{escape(known.told)}'>{escape(name)}</abbr>"


def setting_hint(one: Declared, told: str) -> str:
    """Return the help text of a setting, after the definition of its glossary term if it has
    one.
    """
    key = _SETTINGS.get(one.name)
    return f"{GLOSSARY[key].meaning} {told}" if key else told
