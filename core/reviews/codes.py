"""The labels of the reviews of an index: open codes, and the axial codes that group them.

Open coding names what is seen, as it is seen; axial coding puts what belongs together under one
name (Strauss and Corbin, 1990). A review keeps the open code, so that whatever is merged can be
split again, and every review follows at once.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from sqlite3 import Connection

from core.errors import InputError
from core.reviews.review import LONGEST_NAME, Review
from core.reviews.store import history
from core.reviews.store.reviews import Reviews, reviewer_name
from core.text.clean import one_line

FEWEST, MOST = 5, 7
"""Axial codes that people can keep in mind while they judge."""


@dataclass(frozen=True, slots=True)
class Code:
    """An open code. `axial` is the name of the one that it was merged into, empty for none."""

    id: int
    name: str
    axial: str = ""

    @property
    def shown(self) -> str:
        """The name of the label in tables."""
        return self.axial or self.name


class Codes:
    """The codes kept with `reviews`. Safe to share as those are.

    What a reviewer does to codes that are there is an act of theirs: `Reviews.undo` takes it back.

    Raises
    ------
    StoreError : by every method, where the file cannot be read or written.
    """

    def __init__(self, reviews: Reviews) -> None:
        self._reviews = reviews

    def all(self) -> list[Code]:
        """Return all of them, the oldest first: the place of one never changes."""
        rows = self._reviews.file.read("SELECT id, name, axial FROM codes ORDER BY id")
        return [Code(*row) for row in rows]

    def add(self, name: str) -> Code:
        """Return the open code of that name, ignoring case; create it if there is none.

        Raises
        ------
        InputError : there is no name, or it is too long.
        """
        wanted = _valid_name(name)
        with self._reviews.transaction() as written:
            written.execute("INSERT OR IGNORE INTO codes (name, axial) VALUES (?, '')", (wanted,))
            query = "SELECT id, name, axial FROM codes WHERE name = ?"
            return Code(*written.execute(query, (wanted,)).fetchone())

    def rename(self, reviewer: str, code: int, name: str) -> None:
        """Call an open code otherwise, in all reviews.

        Raises
        ------
        InputError : another one is called so; the two can be merged.
        """
        wanted = _valid_name(name)
        with self._recorded_change(reviewer, f"rename to '{wanted}'") as written:
            same = "SELECT count(*) FROM codes WHERE name = ? AND id != ?"
            if written.execute(same, (wanted, code)).fetchone()[0]:
                raise InputError(f"A label named {wanted!r} already exists. Merge the two instead.")
            written.execute("UPDATE codes SET name = ? WHERE id = ?", (wanted, code))

    def merge(self, reviewer: str, codes: Collection[int], name: str) -> None:
        """Put open codes under the axial code `name`, in all reviews; those under it stay there."""
        wanted = _valid_name(name)
        with self._recorded_change(reviewer, f"merge into '{wanted}'") as written:
            same = "SELECT axial FROM codes WHERE axial = ? LIMIT 1"
            known = written.execute(same, (wanted,)).fetchone()
            put = known[0] if known else wanted
            written.executemany(
                "UPDATE codes SET axial = ? WHERE id = ?", [(put, code) for code in codes]
            )

    def rename_axial(self, reviewer: str, before: str, name: str) -> None:
        """Call an axial code otherwise; it becomes one with that which is called so."""
        wanted = _valid_name(name)
        with self._recorded_change(reviewer, f"rename of '{before}' to '{wanted}'") as written:
            written.execute("UPDATE codes SET axial = ? WHERE axial = ?", (wanted, before))

    def split(self, reviewer: str, codes: Collection[int]) -> None:
        """Remove open codes from their axial code, so that each is a label by itself again."""
        with self._recorded_change(reviewer, "split of merged labels") as written:
            written.executemany("UPDATE codes SET axial = '' WHERE id = ?", [(c,) for c in codes])

    def divide(self, reviewer: str, code: int, name: str, reviews: Collection[Review]) -> Code:
        """Make two open codes of one: `reviews` have a new one called `name` in its place.

        It is an act of `reviewer`: `Reviews.undo` gives them the old one again.

        Raises
        ------
        InputError : there is no review, no name, or another code is called so.
        """
        wanted = _valid_name(name)
        if not reviews:
            raise InputError("Choose the notes for the new label.")
        if any(one.name.casefold() == wanted.casefold() for one in self.all()):
            raise InputError(f"A label named {wanted!r} already exists. Choose another name.")
        made = self.add(wanted)
        self._reviews.relabel(reviewer, reviews, code, made.id)
        return made

    def drop_unused(self, reviewer: str) -> list[Code]:
        """Forget the codes that no review has; which those were."""
        used = {label for review in self._reviews.all() for label in review.labels}
        gone = [code for code in self.all() if code.id not in used]
        with self._recorded_change(reviewer, "removal of unused labels") as written:
            written.executemany("DELETE FROM codes WHERE id = ?", [(code.id,) for code in gone])
        return gone

    @contextmanager
    def _recorded_change(self, reviewer: str, description: str) -> Iterator[Connection]:
        """Open the file, and record the changes of labels made inside as an act of `reviewer`."""
        name = reviewer_name(reviewer)
        with self._reviews.transaction() as written:
            before = history.named(written)
            yield written
            history.record_label_changes(written, name, description, before)


def names(labels: Iterable[int], codes: Mapping[int, Code], *, axial: bool) -> list[str]:
    """Return the names of labels, each once; deleted codes are left out."""
    known = (codes[label] for label in labels if label in codes)
    return list(dict.fromkeys(code.shown if axial else code.name for code in known))


def selectable_codes(codes: Iterable[Code], given: Collection[int]) -> list[Code]:
    """Return the labels that a reviewer can choose from: one for each group of merged labels.

    It is the one that the review already has (`given` are its ids), else the one whose own name is
    shown, else the oldest.
    """
    groups: dict[str, list[Code]] = {}
    for code in codes:
        groups.setdefault(code.shown.casefold(), []).append(code)

    def rank(code: Code) -> tuple[bool, bool, int]:
        return code.id not in given, code.name.casefold() != code.shown.casefold(), code.id

    return [min(held, key=rank) for held in groups.values()]


def of_same_label(code: int, codes: Mapping[int, Code]) -> tuple[int, ...]:
    """Return the ids of all codes that are merged into one with `code`, itself included."""
    shown = codes[code].shown.casefold()
    return tuple(one.id for one in codes.values() if one.shown.casefold() == shown)


def by_id(codes: Iterable[Code]) -> dict[int, Code]:
    return {code.id: code for code in codes}


def axial_codes(codes: Iterable[Code]) -> dict[str, Sequence[Code]]:
    """Return the axial codes by name, each with its open ones."""
    by_axial: dict[str, list[Code]] = {}
    for code in codes:
        if code.axial:
            by_axial.setdefault(code.axial, []).append(code)
    return {name: tuple(held) for name, held in by_axial.items()}


def _valid_name(text: str) -> str:
    """Return a cleaned label name; raise InputError if it is empty or too long."""
    name = one_line(text)
    if not name or len(name) > LONGEST_NAME:
        raise InputError(
            f"A label name must have 1 to {LONGEST_NAME} characters. Type a shorter one."
        )
    return name
