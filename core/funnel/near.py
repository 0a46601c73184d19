"""The nearest miss: how far a candidate that leads to gold ranked below a search's cut-off."""

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
    """The best-ranked candidate that leads to gold in a searched list.

    Parameters
    ----------
    of, name : kind of the candidate, in the singular, and its name; no name if the candidate is the
        gold passage itself.
    rank, total : rank of the candidate, from 1, and length of the list.
    score, last : score of the candidate, and of the last selected one; None if none was selected.
    taken : number of selected candidates.
    where : phrase that says which list it is, such as 'in hop 2'.
    least : threshold that scores had to exceed, if a threshold ended the list.
    after : what happened to a candidate that was selected or ranked above the cut-off.
    word : participle for a selected candidate.
    absent : phrase shown if the list has no candidate that leads to gold.
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
        return self._phrase(
            f"its nearest {self.of}, '{cropped(self.name, TITLE)}'," if self.name else ""
        )

    def _phrase(self, who: str) -> str:
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
        return begun(self._phrase("the passage itself") if alone else str(self))

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
        # `where` implies other lists, in which the candidate ranked no better
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
    """Return the nearest miss of a passage in each kind of list.

    Kinds of lists without a candidate that leads to the passage come first, then misses, nearest
    to the cut-off first, then selected candidates. At most `TOLD` are returned.
    """
    lists = list(lists)
    nearest_by_kind: dict[tuple[str, bool], Near] = {}
    for near in nearby(lists, passage):
        nearest_by_kind.setdefault((near.of, bool(near.name)), near)
    present = {of for of, _ in nearest_by_kind}
    reasons = {
        searched.of: searched.absent
        for searched in lists
        if searched.absent and searched.of not in present
    }
    absent = [Near(of, absent=reason) for of, reason in reasons.items()]
    return tuple([*absent, *nearest_by_kind.values()][:TOLD])


def nearby(lists: Iterable[Searched], passage: int) -> list[Near]:
    """Return the best candidate for `passage` of each list that has one, misses first."""
    return sorted(filter(None, (_near(searched, passage) for searched in lists)), key=_order)


def _near(searched: Searched, passage: int) -> Near | None:
    """Return the best-ranked candidate that leads to `passage`, or None if there is none."""
    leads = [number for number in searched.leads(passage) if number in searched.rank]
    if not leads:
        return None
    number = min(leads, key=searched.rank.__getitem__)
    return Near(
        *(searched.of, searched.name(number), searched.rank[number], len(searched.order)),
        score=float(searched.scores[number]),
        last=searched.last,
        taken=searched.taken,
        where=searched.where,
        least=searched.least,
        after=searched.after.get(number, ""),
        word=searched.word,
    )


def _order(near: Near) -> tuple[bool, float]:
    """Return the sort key: candidates not taken first, then by distance from the cut-off."""
    return near.rank <= near.taken and not near.after, near.rank / max(near.taken, 1)
