"""When gold that was ranked too low in the end came to stand below the line."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.playback import Frame


@dataclass(frozen=True, slots=True)
class Fall:
    """At step `t` it stood at `rank`, below the `k` that are kept, and rose no more; before that
    it stood `above` the line, at a rank from 1, or at none.
    """

    t: int
    rank: int
    k: int
    above: int | None

    def at(self, where: str) -> str:
        """Return what happened to its rank at the step `where`.

        >>> Fall(9, 36, 20, None).at("Hop 3")
        'First reached in hop 3, at rank 36'
        >>> Fall(9, 23, 20, 18).at("Hop 3")
        'Hop 3: it drops from rank 18 to 23, below the top 20'
        """
        if self.above is None:
            return f"First reached in {where[:1].lower()}{where[1:]}, at rank {self.rank:,}"
        drop = f"it drops from rank {self.above:,} to {self.rank:,}"
        return f"{where}: {drop}, below the top {self.k:,}"


def fall(frames: Sequence[Frame], node: str) -> Fall | None:
    """Of the ranking of the whole retrieval; None for what is not below its line in the end, or is
    first ranked in the result, which says that itself.

    Parameters
    ----------
    frames : of every step.
    """
    found: Fall | None = None
    above: int | None = None
    for now in frames:
        if now.depth != 1 or not now.standings:
            continue
        row = next((row for row in now.standings if row.hit.passage_id == node), None)
        if row is None or row.kept:
            found, above = None, row.rank if row else None
        elif found is None and (above or not now.ended):
            found = Fall(now.t, row.rank, sum(one.kept for one in now.standings), above)
    return found
