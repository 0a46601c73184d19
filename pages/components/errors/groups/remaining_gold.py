"""The gold that remains after each stage, for the reviewed column and its baseline."""

from html import escape

import streamlit as st

from core.funnel.flow import Rung, ladder
from core.runs import Other, Run, Runs
from pages.components.errors.result_filters import named
from pages.components.errors.review_context import Bench
from pages.components.evaluate.baseline import default_baseline
from pages.components.shell.glossary import term


def show_ladder(bench: Bench, runs: list[Run]) -> None:
    """Draw the gold that remains after each stage: a row per retriever, a column per stage."""
    own = Other(bench.run.id, bench.retriever)
    wish = Other(bench.wish.other_run, bench.wish.other)
    beside = wish if wish.retriever else default_baseline(bench.run, runs, bench.runs)
    rows = [
        (_column_name(one, runs), _rungs(one, bench.runs)) for one in dict.fromkeys((own, beside))
    ]
    rows = [(name, rungs) for name, rungs in rows if rungs[0].left]
    gates = dict.fromkeys(
        (rung.name, rung.said) for rung in max((rungs for _, rungs in rows), key=len, default=())
    )
    if not rows:
        return
    heads = "".join(f"<th scope='col'>{escape(said)}</th>" for _, said in gates)
    body = "".join(_row(name, rungs, [gate for gate, _ in gates]) for name, rungs in rows)
    st.html(
        "<table class='hop-table hop-ladder'><caption>"
        f"{term('gold', 'Gold passages')} remaining after each {term('stage', 'stage')}</caption>"
        f"<thead><tr><th></th>{heads}</tr></thead><tbody>{body}</tbody></table>"
    )


def _rungs(one: Other, runs: Runs) -> tuple[Rung, ...]:
    return ladder(runs.stages(one.run, one.retriever), one.retriever)


def _column_name(one: Other, runs: list[Run]) -> str:
    name = next((run.name for run in runs if run.id == one.run), "")
    return f"{named(one.retriever)} · {name}" if name else named(one.retriever)


def _row(name: str, rungs: tuple[Rung, ...], gates: list[str]) -> str:
    known = {rung.name: rung for rung in rungs}
    cells = "".join(_cell(known.get(gate), rungs[0].left) for gate in gates)
    return f"<tr><th scope='row' dir='auto'>{escape(name)}</th>{cells}</tr>"


def _cell(rung: Rung | None, of: int) -> str:
    """Return a table cell: the gold left of `of` after a stage, and how much the stage lost."""
    if rung is None:
        return "<td class='hop-quiet' title='This retriever does not walk'>\N{EN DASH}</td>"
    lost = f" <span class='hop-ladder-lost'>\N{MINUS SIGN}{rung.lost:,}</span>" if rung.lost else ""
    share = f"<i style='width:{100 * rung.left / of:.1f}%'></i>"
    return f"<td><b>{rung.left:,}</b>{lost}<span class='hop-ladder-bar'>{share}</span></td>"
