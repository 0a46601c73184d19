"""A table of tried fixes of lost gold: a row for each setting, successful ones first."""

from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from core.funnel.trials import Trial

HEAD = "What was tried"
_HEADS = ("Setting", "Now", "Tried", "Result")


def show_trials(tried: Mapping[str, Sequence[Trial]], *, key: str, narrow: bool = False) -> None:
    """Show the trials of each lost gold, by its title; nothing if there were none.

    `narrow` puts the value that a setting has and those that were tried below its name.
    """
    if not tried:
        return
    with st.expander(HEAD, expanded=not narrow, key=key):
        for title, trials in tried.items():
            st.html(trials_table(title if len(tried) > 1 else "", trials, narrow=narrow))


def trials_table(title: str, trials: Sequence[Trial], *, narrow: bool = False) -> str:
    """Return one table of trials as HTML, with `title` above it."""
    caption = f"<caption dir='auto'>{escape(title)}</caption>" if title else ""
    heads = (_HEADS[0], _HEADS[-1]) if narrow else _HEADS
    head = "".join(f"<th scope='col'>{one}</th>" for one in heads)
    body = "".join(_row(one, narrow=narrow) for one in trials)
    return (
        f"<table class='hop-table hop-trials{' narrow' if narrow else ''}'>{caption}"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _row(one: Trial, *, narrow: bool) -> str:
    """Return a tried change as a table row; if `narrow`, its values are below its name."""
    what, now, values, told = map(escape, (one.what, one.now, one.values, one.told))
    if narrow:
        small = " · ".join(filter(None, (f"now {now}" if now else "", values)))
        cells = f"<th scope='row'>{what}<small>{small}</small></th>"
    else:
        cells = f"<th scope='row'>{what}</th><td>{now or '–'}</td><td>{values or '–'}</td>"
    return f"<tr class='{one.came}'>{cells}<td>{told}</td></tr>"
