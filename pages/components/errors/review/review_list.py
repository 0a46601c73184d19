"""The list of results: the loss and the review of each."""

from collections.abc import Sequence

import streamlit as st

from core.evaluation.outcomes import OutcomeName, outcome_label
from core.funnel.stages import explained, stage_words
from core.reviews import Review, Verdict, lost_at, names
from core.runs import MEASURES, Row, Where
from core.runs.gold_changes import remarked_each
from core.text.display.shares import percent
from pages.components.ask.questions.question_list import SIGNS
from pages.components.errors.component import component
from pages.components.errors.review.note import in_conflict
from pages.components.errors.review_context import Bench
from pages.components.runs.result_list import change
from pages.components.shell.client_input.component_events import expect
from pages.components.shell.formatting import cropped

SHOWN = 9
"""Results on the screen at a time."""
MARKS: dict[Verdict, str] = {"": "", "pass": "✓ pass", "fail": "✗ fail", "defer": "… defer"}
CHANGED = "gold changed after this run"
_OUTCOMES: tuple[OutcomeName, ...] = ("found", "partly", "missed")
_KEY = "errors_cases"
_CONFLICT = "note in conflict: another window saved a different note"
_CROP = 80  # characters of a note


def listing(bench: Bench) -> None:
    """Draw the page of the list with the current result, as one element.

    Separate elements would each take the browser as long as the whole list.
    """
    first = (bench.wish.at - 1) // SHOWN * SHOWN
    found = bench.rows(first, SHOWN)
    changed = remarked_each(bench.run, [row.question for row in found], bench.workbench.index)
    shares = _shares(bench, found)
    rows = [
        _row(bench, row, at, share, CHANGED if each else "")
        for at, (row, share, each) in enumerate(
            zip(found, shares, changed, strict=True), start=first + 1
        )
    ]
    last = min(first + SHOWN, bench.total)
    turns = (
        ("‹", "Previous", first + 1 - SHOWN if first else 0),
        ("›", "Next", last + 1 if last < bench.total else 0),
    )
    data = {
        "rows": rows,
        "now": bench.wish.at,
        "turns": [{"sign": sign, "hint": f"{which} page", "at": to} for sign, which, to in turns],
        "total": bench.total,
        "says": _legend(bench),
    }
    expect(_KEY, at=int)
    component("list", "result_list", "<div class='hop-cases'></div>")(
        key=_KEY, data=data, on_at_change=_go_to_row, height="content"
    )


def _measure(bench: Bench) -> str:
    """Return the chosen measure; R@5 if it is not one of `MEASURES`."""
    return bench.wish.measure if bench.wish.measure in MEASURES else "R@5"


def _by_recall(bench: Bench) -> bool:
    """Return whether the worst are first by the gold that they keep,
    and of as much by its ranks.
    """
    return bench.order == "worst" and bench.wish.measure not in MEASURES


def _legend(bench: Bench) -> str:
    """Explain the signs and numbers of the rows; a sign may use another cut-off than the measure.

    If gold was lost at several stages, the first stage counts.
    """
    kept, name = bench.top_k, _measure(bench)
    if _by_recall(bench):
        return f"Worst first: lowest recall in the top {kept:,}, then lowest average precision (AP)"
    least = name.removeprefix("R@")
    share = f"{name}: share of the gold in the top {least}" if least != name else f"{name} in %"
    signs = ", ".join(f"{SIGNS[one]} {outcome_label(one)}" for one in _OUTCOMES)
    first = "stage of loss" if bench.is_traced else "outcome"
    where = f"then the {first} of the first gold passage"
    return f"{signs} in the top {kept}, {where} · {share}"


def _go_to_row() -> None:
    change(at=int(st.session_state[_KEY]["at"]))


def _shares(bench: Bench, rows: Sequence[Row]) -> list[str]:
    """Return the measure shown for each row, as `R@5 50%` or `50% · AP 0.12`."""
    name = "AP" if _by_recall(bench) else _measure(bench)
    where = Where(questions=tuple(row.question.id for row in rows))
    found = bench.runs.measures(bench.run.id, bench.retriever, where) if rows else {}
    values = [found[row.question.id][MEASURES.index(name)] for row in rows]
    if _by_recall(bench):
        return [
            _recall_in_words(row.recall, value) for row, value in zip(rows, values, strict=True)
        ]
    return ["" if value is None else f"{name} {percent(value)}" for value in values]


def _recall_in_words(recall: float | None, precision: float | None) -> str:
    if recall is None or precision is None:
        return ""
    return f"{percent(recall)} · AP {precision:.2f}"


def _row(bench: Bench, row: Row, at: int, share: str, changed: str) -> dict[str, str | int]:
    """Return a result as JSON data for the list in the browser."""
    review = bench.review(row)
    lost = stage_words(review.stage or lost_at(row), bench.top_k)
    return {
        "at": at,
        "said": f"{at:,} {SIGNS[row.outcome]} {lost or outcome_label(row.outcome)}",
        "share": share,
        "mark": MARKS[review.verdict],
        "note": cropped(review.note, _CROP),
        "conflict": _CONFLICT if in_conflict(bench, row, review) else "",
        "noted": " · ".join(filter(None, (changed, bench.judged_on(review, row)))),
        "text": row.question.text,
        "hint": _hint(row, review, bench),
    }


def _hint(row: Row, review: Review, bench: Bench) -> str:
    """Return the tooltip of a result: question, meaning of its loss, labels, conflict, note."""
    labels = ", ".join(names(review.labels, bench.codes, axial=True))
    means = explained(review.stage or lost_at(row))
    conflict = _CONFLICT if in_conflict(bench, row, review) else ""
    return " · ".join(filter(None, (row.question.text, means, labels, conflict, review.note)))
