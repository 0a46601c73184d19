"""Undone acts, kept until their reviewer makes another change: they can be redone.

It is what was said of results. What was done to labels is not kept: labels are of all reviewers,
who may have changed them since.
"""

import json
from collections.abc import Callable, Collection
from sqlite3 import Connection
from typing import Any

from core.reviews.review import Act, Key, Review
from core.reviews.store.rows import review_of, row_of

TABLE = (
    "CREATE TABLE IF NOT EXISTS undone (number INTEGER PRIMARY KEY, reviewer TEXT NOT NULL,"
    " said TEXT NOT NULL)"
)
_LAST = "SELECT number, said FROM undone WHERE reviewer = ? ORDER BY number DESC LIMIT 1"

Select = Callable[..., list[tuple[Any, ...]]]
"""The rows that a statement selects, given its values."""


def select_in(written: Connection) -> Select:
    """Return a function that runs a SELECT in a transaction."""
    return lambda statement, *values: written.execute(statement, values).fetchall()


def keep(written: Connection, reviewer: str, act: Act) -> None:
    """Keep an act that was undone; behind one that cannot be done again none can."""
    said = [one.gone for one in act.said]
    if act.labels or any(one.reviewer != reviewer for one in said):
        clear(written, reviewer)
    elif said:
        reviews_json = json.dumps([list(row_of(one)) for one in said])
        written.execute(
            "INSERT INTO undone (reviewer, said) VALUES (?, ?)", (reviewer, reviews_json)
        )


def clear(written: Connection, reviewer: str) -> None:
    """Delete what `reviewer` could redo, since they did something else."""
    written.execute("DELETE FROM undone WHERE reviewer = ?", (reviewer,))


def last_undone(select: Select, reviewer: str, of: Collection[Key] | None = None) -> list[Review]:
    """Return the reviews changed by the act that was undone last; empty if none is in `of`."""
    reviews = [review_of(row) for _, said in select(_LAST, reviewer) for row in json.loads(said)]
    return reviews if of is None or {one.key for one in reviews} & {*of} else []


def pop_last(written: Connection, reviewer: str, of: Collection[Key] | None = None) -> list[Review]:
    """Remove the act that was undone last, and return its reviews, as `last_undone` does."""
    undone = last_undone(select_in(written), reviewer, of)
    if undone:
        last = (
            "DELETE FROM undone WHERE number = (SELECT max(number) FROM undone WHERE reviewer = ?)"
        )
        written.execute(last, (reviewer,))
    return undone
