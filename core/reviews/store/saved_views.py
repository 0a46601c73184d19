"""Saved views of the reviews: filters and order under a name, shared by all reviewers."""

import json
from collections.abc import Mapping

from core.errors import InputError
from core.reviews.review import LONGEST_NAME
from core.reviews.store.reviews import Reviews
from core.text.clean import one_line

View = Mapping[str, str]
"""What the address of the page says of it."""


class Views:
    """The views kept with `reviews`. Safe to share as those are.

    Raises
    ------
    StoreError : by every method, where the file cannot be read or written.
    """

    def __init__(self, reviews: Reviews) -> None:
        self._reviews = reviews

    def all(self) -> dict[str, View]:
        """The saved views by name."""
        rows = self._reviews.file.read("SELECT name, told FROM views ORDER BY name")
        return {name: json.loads(view) for name, view in rows}

    def save(self, name: str, view: View) -> None:
        """Keep `view` under `name`, in the place of one that is called so.

        Raises
        ------
        InputError : there is no name, or it is too long.
        """
        wanted = one_line(name)
        if not wanted or len(wanted) > LONGEST_NAME:
            raise InputError(
                f"A view name must be 1 to {LONGEST_NAME} characters long. Enter another name."
            )
        with self._reviews.transaction() as written:
            written.execute(
                "INSERT OR REPLACE INTO views VALUES (?, ?)", (wanted, json.dumps(dict(view)))
            )

    def drop(self, name: str) -> None:
        with self._reviews.transaction() as written:
            written.execute("DELETE FROM views WHERE name = ?", (name,))
