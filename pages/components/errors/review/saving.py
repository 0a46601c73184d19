"""Saving a change of a review, with the stage of loss that was found."""

from hashlib import blake2b
from typing import Any

from core.reviews import Review, first_loss
from core.runs import Row
from pages.components.errors import review_actions
from pages.components.errors.review_context import Bench
from pages.components.shell import layout


def key_of(name: str, row: Row, reviewer: str = "") -> str:
    """Return a widget key for one result and reviewer, so that text being typed is never saved for
    another.
    """
    about = f"{row.retriever}\n{row.question.text}\n{reviewer}".encode("utf-8", "replace")
    return f"{name}_{blake2b(about, digest_size=6).hexdigest()}"


def say(bench: Bench, row: Row, **said: Any) -> None:
    """Save a change of the review."""
    with layout.mendable():
        change = bench.change(row, found=_found(row), **said)
        review_actions.say(bench.workbench.index, bench.reviewer, [change])


def write_note(bench: Bench, row: Row, text: str, before: str) -> Review | None:
    """Save a note edited from `before`; return the new review, None if it was not saved."""
    with layout.mendable():
        change = bench.change(row, found=_found(row), note=text)
        return review_actions.write_note(bench.workbench.index, bench.reviewer, change, before)
    return None


def _found(row: Row) -> str:
    loss = first_loss(row.fates)
    return loss.stage if loss else ""
