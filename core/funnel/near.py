"""The nearest miss: how far what leads to gold stood behind what a search took."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from core.playback.wording import TITLE, begun, cropped
from core.retrievers.searched_lists import Searched
from core.text.display.plurals import ordinal
from core.text.display.scores import FEWEST, both

TOLD = 2
"""Lists of which the nearest miss is told in a phrase."""
LISTED = 12
"""Lists of which it is told where all of them are looked through, the nearest."""


@dataclass(frozen=True, slots=True)
class Near:
    """How near gold came in a list that was searched.

    Parameters
    ----------
    of, name : what leads to it, in the singular, and what that is called; no name if it is gold
        itself.
    rank, total : its rank there, from 1, of how many.
    score, last : its score, and that of the last of the `taken` ones; None if none was.
    where : the place of the list, behind a rank.
    least : what a score had to be above, where that ended the list.
    after : what became of it, where it was taken, or had the rank to be.
    word : what being taken is called.
    absent : said instead of all this, where the list has nothing that leads to gold.
    """

    of: str
    name: str = ""
    rank: int = 0
    total: int = 0
    score: float = 0.0
    last: float | None = None
    taken: int = 0
    where: str = ""
    least: float | None = None
    after: str = ""
    absent: str = ""
    word: str = "selected"

    def __str__(self) -> str:
        """Return a phrase for the screen.

        >>> print(Near("entity", "Ada", 8, 9, 0.41, 0.48, 5))
        its nearest entity, 'Ada', ranks 8th of 9 (score 0.410, lowest accepted 0.480 at rank 5)
        >>> print(Near("passage", "", 23, 203, 0.512, 0.544, 5, "in hop 2"))
        rank 23 of 203 in hop 2 (score 0.512, lowest accepted 0.544 at rank 5)
        """
        if self.absent:
            return self.absent
        return self._told(
            f"its nearest {self.of}, '{cropped(self.name, TITLE)}'," if self.name else ""
        )

    def _told(self, who: str) -> str:
        """Return the phrase with `who` as its subject, which may be empty."""
        there = f" {self.where}" if self.where else ""
        place = f"{who} ranks {ordinal(self.rank)}" if who else f"rank {self.rank:,}"
        rank = f"{place} of {self.total:,}{there}"
        if self.after or self.rank <= self.taken:
            return f"{rank}, {self.after or self.word}"
        if self.least is not None:
            return f"{rank} (score {self.score:.{FEWEST}f}, threshold {self.least:g})"
        if self.last is None:
            return f"{rank}; none was {self.word}"
        score, last = both(self.score, self.last)
        return f"{rank} (score {score}, lowest accepted {last} at rank {self.taken:,})"

    @property
    def whole(self) -> str:
        """The phrase with its subject, without a full stop.

        >>> Near("text", "", 48, 234, 0.241, 0.366, 20).whole
        'The passage itself ranks 48th of 234 (score 0.241, lowest accepted 0.366 at rank 20)'
        """
        alone = not self.name and not self.absent
        return begun(self._told("the passage itself") if alone else str(self))

    @property
    def brief(self) -> str:
        """A short phrase.

        >>> Near("relation", "Ada", 34, 310, 0.41, 0.48, 20).brief
        'its nearest relation ranks 34th, below the top 20'
        >>> Near("passage", "", 23, 203, 0.512, 0.544, 5, "in hop 2").brief
        'best rank 23, below the top 5'
        """
        if self.absent:
            return self.absent.partition(", ")[0]
        # with a place there are other lists, in which it stood no better
        rank = f"{'best ' if self.where else ''}rank {self.rank:,}"
        if self.name:
            rank = f"its nearest {self.of} ranks {ordinal(self.rank)}"
        if self.after or self.rank <= self.taken:
            return f"{rank}, {self.after or self.word}"
        return f"{rank}, below the top {self.taken:,}"

    @staticmethod
    def from_json(raw: Mapping[str, Any]) -> "Near":
        return Near(**raw)


def nearest(lists: Iterable[Searched], passage: int) -> tuple[Near, ...]:
    """Return the nearest miss of a passage in each kind of list, nearest first.

    A candidate that was taken is no miss if another one was missed.
    """
    lists = list(lists)
    first_by_list: dict[tuple[str, bool], Near] = {}
    for near in nearby(lists, passage):
        first_by_list.setdefault((near.of, bool(near.name)), near)
    met = {of for of, _ in first_by_list}
    absent = {one.of: one.absent for one in lists if one.absent and one.of not in met}
    nowhere = [Near(of, absent=said) for of, said in absent.items()]
    return tuple([*nowhere, *first_by_list.values()][:TOLD])


def nearby(lists: Iterable[Searched], passage: int) -> list[Near]:
    """Return the miss of `passage` in each list with a candidate that leads to it."""
    return sorted(filter(None, (_near(one, passage) for one in lists)), key=_order)


def _near(one: Searched, passage: int) -> Near | None:
    """Return the nearest candidate that leads to `passage`, or None if there is none."""
    leads = [number for number in one.leads(passage) if number in one.rank]
    if not leads:
        return None
    number = min(leads, key=one.rank.__getitem__)
    return Near(
        *(one.of, one.name(number), one.rank[number], len(one.order)),
        score=float(one.scores[number]),
        last=one.last,
        taken=one.taken,
        where=one.where,
        least=one.least,
        after=one.after.get(number, ""),
        word=one.word,
    )


def _order(near: Near) -> tuple[bool, float]:
    """Return the sort key: candidates not taken first, then by distance from the cut-off."""
    return near.rank <= near.taken and not near.after, near.rank / max(near.taken, 1)
