"""The step at which gold that was cut off at the end dropped below the cut-off."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.playback import Frame


@dataclass(frozen=True, slots=True)
class Fall:
    """A drop below the cut-off for good.

    At step `t` the passage has `rank`, below the `k` that are kept. Before that its rank was
    `above`, None if it had none.
    """

    t: int
    rank: int
    k: int
    above: int | None

    def at(self, where: str) -> str:
        """Describe the change of rank at the step `where`.

        >>> Fall(9, 36, 20, None).at("Hop 3")
        'First reached in hop 3, at rank 36'
        >>> Fall(9, 23, 20, 18).at("Hop 3")
        'In hop 3 it drops from rank 18 to 23, out of the top 20'
        """
        inside = f"{where[:1].lower()}{where[1:]}"
        if self.above is None:
            return f"First reached in {inside}, at rank {self.rank:,}"
        return f"In {inside} {self.of('it')}"

    def of(self, name: str) -> str:
        """Return the number of ranks by which the passage called `name` dropped.

        >>> Fall(9, 23, 20, 18).of("it")
        'it drops from rank 18 to 23, out of the top 20'
        """
        return f"{name} drops from rank {self.above:,} to {self.rank:,}, out of the top {self.k:,}"


def fall(frames: Sequence[Frame], node: str) -> Fall | None:
    """Return when a passage dropped below the cut-off of the outermost ranking.

    None if it is not below it at the end, or has no rank before the result.

    Parameters
    ----------
    frames : of every step.
    """
    latest: Fall | None = None
    above: int | None = None
    for now in frames:
        if now.depth != 1 or not now.ranking_rows:
            continue
        row = next((row for row in now.ranking_rows if row.hit.passage_id == node), None)
        if row is None or row.kept:
            latest, above = None, row.rank if row else None
        elif latest is None and (above or not now.ended):
            latest = Fall(now.t, row.rank, sum(one.kept for one in now.ranking_rows), above)
    return latest


class Falls(dict[str, Fall | None]):
    """The drop of each passage (`fall`), computed when it is first read.

    Parameters
    ----------
    frames : of every step.
    """

    def __init__(self, frames: Sequence[Frame]) -> None:
        super().__init__()
        self._frames = frames

    def __missing__(self, node: str) -> Fall | None:
        self[node] = fall(self._frames, node)
        return self[node]
