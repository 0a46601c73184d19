"""Extend a map to a changed corpus: passages that were on it keep their places.

Passages that are new join the region they are tied to and take a free place in it; those that have
gone leave a gap. When more than a third came later than the map, it is better made anew.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.maps.communities import BELOW, divide
from core.maps.positions import TURN, dot_radius, place_within
from core.maps.regions import MOST_PASSAGES, CorpusMap, Region, largest
from core.maps.ties import Ties

MOST_LATE = 1 / 3
"""Share of passages that are not in the places a whole layout gave them, or have gone since."""
_ROUNDS = 6  # in which new passages join regions, each by those that joined before
_STRIDE, _MOST_SPOTS = 5.0, 20_000  # of the spiral of places that are tried


def can_follow(ids: Sequence[str], old_ids: Sequence[str], old: CorpusMap) -> bool:
    """Return whether a map of `ids` is made from the `old` one of `old_ids`."""
    kept = set(ids) & set(old_ids)
    settled = sum(name in kept for name, late in zip(old_ids, old.late, strict=True) if not late)
    return settled >= (1 - MOST_LATE) * max(len(ids), len(old_ids))


def followed(ids: Sequence[str], ties: Ties, old_ids: Sequence[str], old: CorpusMap) -> CorpusMap:
    """Return the map of `ids` with every passage of `old_ids` where it was.

    Regions keep their names; those that lost all passages have gone. One that grew beyond twice the
    size of the largest region is divided, and only its own passages move.
    """
    was = {name: number for number, name in enumerate(old_ids)}
    rows = np.array([was.get(name, -1) for name in ids])
    known = rows >= 0
    leaf = np.where(known, old.leaf[rows], -1).astype(np.int32)
    x = np.where(known, old.x[rows], 0).astype(float)
    y = np.where(known, old.y[rows], 0).astype(float)
    late = np.where(known, old.late[rows], True)
    _join(leaf, ties)
    regions, number = _surviving(old.regions, leaf)
    leaf = number[leaf]
    made = CorpusMap(regions, x.astype(np.float32), y.astype(np.float32), leaf, late)
    _settle(made, ties, known)
    _divide_grown(made, ties)
    return made


def _join(leaf: np.ndarray, ties: Ties) -> None:
    """Put each new passage into the region that it is tied to most strongly, in place."""
    for _ in range(_ROUNDS):
        new = np.flatnonzero(leaf < 0)
        if not len(new):
            return
        joined = {}
        for passage in new.tolist():
            row = slice(ties.indptr[passage], ties.indptr[passage + 1])
            pull: Counter[int] = Counter()
            for other, tied in zip(ties.indices[row], ties.data[row], strict=True):
                if leaf[other] >= 0:
                    pull[int(leaf[other])] += tied
            if pull:
                joined[passage] = min(pull, key=lambda one: (-pull[one], one))
        for passage, region in joined.items():
            leaf[passage] = region
    if (leaf < 0).any():
        leaf[leaf < 0] = np.bincount(leaf[leaf >= 0]).argmax()


def _surviving(old: Sequence[Region], leaf: np.ndarray) -> tuple[list[Region], np.ndarray]:
    """Return the regions that have passages, and the new number of each old one."""
    sizes = np.bincount(leaf, minlength=len(old))
    for number in reversed(range(1, len(old))):
        sizes[old[number].parent] += sizes[number]
    renumbered = np.full(len(old), -1, np.int32)
    regions: list[Region] = []
    for place, region in enumerate(old):
        if not sizes[place] and place:
            continue
        renumbered[place] = len(regions)
        parent = int(renumbered[region.parent]) if region.parent >= 0 else region.parent
        if parent >= 0:
            regions[parent].children.append(len(regions))
        kept = replace(region, parent=parent, members=(), children=[], size=int(sizes[place]))
        regions.append(kept)
    return regions, renumbered


def _settle(made: CorpusMap, ties: Ties, known: np.ndarray) -> None:
    """Move each new passage to the free spot of its region nearest to similar passages."""
    if len(made) > MOST_PASSAGES:
        _scatter(made, np.flatnonzero(~known))
        return
    radius = dot_radius(np.diff(ties.indptr))
    placed = known.copy()
    for passage in np.flatnonzero(~known).tolist():
        region = made.regions[made.leaf[passage]]
        beside = np.flatnonzero((made.leaf == made.leaf[passage]) & placed)
        row = slice(ties.indptr[passage], ties.indptr[passage + 1])
        tied = np.intersect1d(ties.indices[row], beside)
        wish = (
            np.array([made.x[tied].mean(), made.y[tied].mean()])
            if len(tied)
            else np.array([region.x, region.y])
        )
        step = np.arange(min(int((2 * region.radius / _STRIDE) ** 2) + 400, _MOST_SPOTS))
        far, turn = _STRIDE * np.sqrt(step), step * TURN
        spots = wish + np.stack((far * np.cos(turn), far * np.sin(turn)), 1)
        others = np.stack((made.x[beside], made.y[beside]), 1)
        gap = np.hypot(*np.moveaxis(spots[:, None] - others[None], 2, 0))
        need = radius[beside] + radius[passage] + 3
        free = (gap >= need).all(1)
        inside = np.hypot(*(spots - [region.x, region.y]).T) <= region.radius
        best = np.flatnonzero(free & inside)
        best = best if len(best) else np.flatnonzero(free)
        made.x[passage], made.y[passage] = spots[best[0]] if len(best) else spots[-1]
        placed[passage] = True


def _scatter(made: CorpusMap, new: np.ndarray) -> None:
    """Spread new passages over the discs of their regions: a map of so many draws none of them."""
    new = new[np.argsort(made.leaf[new], kind="stable")]
    _, first, count = np.unique(made.leaf[new], return_index=True, return_counts=True)
    place, among = np.arange(len(new)) - np.repeat(first, count), np.repeat(count, count)
    disc = np.array([(one.x, one.y, one.radius) for one in made.regions])[made.leaf[new]]
    far = disc[:, 2] * np.sqrt((place + 0.5) / among)
    made.x[new] = disc[:, 0] + far * np.cos(place * TURN)
    made.y[new] = disc[:, 1] + far * np.sin(place * TURN)


def _divide_grown(made: CorpusMap, ties: Ties) -> None:
    """Divide each region that has too many passages now, inside its own disc."""
    for number in [n for n, one in enumerate(made.regions) if not one.children]:
        region = made.regions[number]
        if region.size <= 2 * largest(len(made)):
            continue
        own = np.flatnonzero(made.leaf == number)
        parts = divide(ties, own.tolist(), BELOW)
        if len(parts) < 2 or not isinstance(made.regions, list):
            continue
        first = len(made.regions)
        for part in parts:
            region.children.append(len(made.regions))
            made.leaf[part] = len(made.regions)
            made.regions.append(Region(number, region.depth + 1, part, size=len(part)))
        x, y = place_within(made.regions, number, ties)
        made.x[own], made.y[own] = x[own], y[own]
        made.late[own] = True
        for child in made.regions[first:]:
            child.members = ()
