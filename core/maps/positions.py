"""Places on a map: each region is a disc, its children or passages lie within it, none overlap."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.maps.communities import SEED
from core.maps.regions import MOST_PASSAGES, Region
from core.maps.ties import Ties, inside

Points = NDArray[np.float64]

STRETCH = 1.6
"""How much wider than high the whole map is, about: as screens are."""
_SMALL = 400  # passages up to which a map has room for names between them
_ROUNDS, _FEWER_ROUNDS = 250, 80
TURN = 2.399963
"""Radians, the golden angle: by it points on a spiral lie evenly."""
_APART = 1.5  # least distance of two points of `spiral`, of its step


def dot_radius(degree: NDArray[np.int64]) -> Points:
    """Radius of a passage by the number of its neighbours."""
    return 5 + 2.2 * np.sqrt(np.minimum(degree, 400))


def place(
    regions: Sequence[Region], ties: Ties, report: Callable[[int, int], None]
) -> tuple[Points, Points]:
    """Give each region a disc, in place, and return x and y of the passages, both (n,).

    Parameters
    ----------
    regions : as `region_tree` returns them.
    report : is told how many regions are laid out, of how many.
    """
    passages = ties.shape[0]
    radius = dot_radius(np.diff(ties.indptr))
    local = _within(regions, ties, radius, report)
    return _on_the_map(regions, ties, local, passages)


def place_within(regions: Sequence[Region], number: int, ties: Ties) -> tuple[Points, Points]:
    """Place the children of one region, and their passages, inside the disc that it has.

    Returns
    -------
    x and y, (n,), of which those of its passages are meant.
    """
    region = regions[number]
    radius, centre = region.radius, np.array([region.x, region.y])
    inner = [Region(-1, 0, (), size=region.size)]
    for child in region.children:
        inner[0].children.append(len(inner))
        inner.append(Region(0, 1, regions[child].members, size=regions[child].size))
    x, y = place(inner, ties, lambda *_: None)
    scale = radius / inner[0].radius
    for child, made in zip(region.children, inner[1:], strict=True):
        at = regions[child]
        at.x, at.y = (float(v) for v in centre + scale * np.array([made.x, made.y]))
        at.radius = made.radius * scale
    return centre[0] + scale * x, centre[1] + scale * y


def _within(
    regions: Sequence[Region], ties: Ties, radius: Points, report: Callable[[int, int], None]
) -> list[Points]:
    """Lay out what is directly in each region about its middle; children before parents."""
    small, drawn = ties.shape[0] <= _SMALL, ties.shape[0] <= MOST_PASSAGES
    local: list[Points] = [np.zeros((0, 2))] * len(regions)
    for done, number in enumerate(reversed(range(len(regions))), start=1):
        region = regions[number]
        if region.children:
            groups = [regions[child].members for child in region.children]
            sizes = np.array([len(group) for group in groups], float)
            wide = np.array([regions[child].radius for child in region.children])
            gap = (26.0 if small else 60.0) if region.depth == 0 else 8.0
            need = wide * 1.04 + gap
            pull = between(ties, groups) / np.sqrt(np.outer(sizes, sizes))
            at = discs(need, pull, SEED + number, STRETCH if region.depth == 0 else 1.0)
            region.radius = float((np.hypot(*at.T) + wide).max())
        else:
            own = np.asarray(region.members, np.int64)
            need = radius[own] + (15.0 if small else 9.0)
            rounds = _ROUNDS if small else _FEWER_ROUNDS
            # Where no passage is drawn, any place within the region will do.
            at = (
                discs(need, inside(ties, own).toarray(), SEED + number, rounds=rounds)
                if drawn
                else spiral(need)
            )
            region.radius = float((np.hypot(*at.T) + need).max())
        local[number] = at
        report(done, len(regions))
    return local


def _on_the_map(
    regions: Sequence[Region], ties: Ties, local: list[Points], passages: int
) -> tuple[Points, Points]:
    """Move what lies in each region to its place, turned so that ties to its siblings are short."""
    at = np.zeros((passages, 2))
    for number, region in enumerate(regions):
        points, centre = local[number], np.array([region.x, region.y])
        if region.parent >= 0:
            points = _rotated_to_neighbours(regions, ties, number, points)
        if region.children:
            for child, point in zip(region.children, points, strict=True):
                regions[child].x, regions[child].y = map(float, centre + point)
        else:
            at[np.asarray(region.members, np.int64)] = centre + points
    return at[:, 0], at[:, 1]


def _rotated_to_neighbours(
    regions: Sequence[Region], ties: Ties, number: int, points: Points
) -> Points:
    """Rotate the children of a region so that they face the siblings they have edges to."""
    region = regions[number]
    siblings = [one for one in regions[region.parent].children if one != number]
    if not siblings:
        return points
    parts = [regions[child].members for child in region.children] or [
        [member] for member in region.members
    ]
    pull = between(ties, parts, [regions[one].members for one in siblings])
    away = np.array([[regions[one].x - region.x, regions[one].y - region.y] for one in siblings])
    away /= np.hypot(*away.T)[:, None] + 1e-9
    towards = pull @ away
    along = float((points * towards).sum())
    across = float((points[:, 0] * towards[:, 1] - points[:, 1] * towards[:, 0]).sum())
    if abs(along) + abs(across) < 1e-9:
        return points
    angle = np.arctan2(across, along)
    cos, sin = np.cos(angle), np.sin(angle)
    turned: Points = points @ np.array([[cos, sin], [-sin, cos]])
    return turned


def between(
    ties: Ties, groups: Sequence[Sequence[int]], others: Sequence[Sequence[int]] | None = None
) -> NDArray[np.float64]:
    """Return the sums of ties between groups of passages, or from `groups` to `others`."""
    member, group = _grouped(groups)
    other, other_group = (member, group) if others is None else _grouped(others)
    order = np.argsort(other)
    rows = ties[member]
    place = np.minimum(np.searchsorted(other[order], rows.indices), len(other) - 1)
    kept = other[order][place] == rows.indices
    one = np.repeat(group, np.diff(rows.indptr))[kept]
    count = len(groups if others is None else others)
    pair = one * count + other_group[order][place[kept]]
    sums = np.bincount(pair, rows.data[kept], len(groups) * count)
    similarities = np.asarray(sums, float).reshape(len(groups), count)
    if others is None:
        np.fill_diagonal(similarities, 0)
    return similarities


def _grouped(groups: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the passages of all groups, and the number of the group of each."""
    members = np.concatenate([np.asarray(group, np.int64) for group in groups])
    return members, np.repeat(np.arange(len(groups)), [len(group) for group in groups])


def discs(
    need: Points, pull: NDArray[np.float64], seed: int, stretch: float = 1.0, rounds: int = _ROUNDS
) -> Points:
    """Place discs near what they are tied to, and none on another.

    Parameters
    ----------
    need : (k,) the radius of each, with the gap round it.
    pull : (k, k) symmetric, how strongly two are tied.
    stretch : how much wider than high they may lie.

    Returns
    -------
    (k, 2), about the middle of all discs.

    Notes
    -----
    NetworkX's spring layout gives the places to start from; discs are then pushed apart.
    """
    import networkx as nx  # only here, as it takes long to import

    count = len(need)
    if count == 1:
        return np.zeros((1, 2))
    graph = nx.Graph()
    graph.add_nodes_from(range(count))
    one, other = np.nonzero(np.triu(pull, 1))
    ends = zip(one.tolist(), other.tolist(), pull[one, other].tolist(), strict=True)
    graph.add_weighted_edges_from(ends)
    start = nx.spring_layout(graph, seed=seed, iterations=50, k=1.6 / np.sqrt(count))
    at = np.array([start[node] for node in range(count)])
    at += np.random.default_rng(seed).normal(0, 1e-3, at.shape)
    at *= np.sqrt((need**2).sum()) * 1.5 / (np.abs(at).max() + 1e-9)
    at = pushed_apart(at, need, pull, stretch, rounds)
    weight = (need**2)[:, None]
    middle: Points = (at * weight).sum(0) / weight.sum()
    return at - middle


def pushed_apart(
    at: Points, need: Points, pull: NDArray[np.float64], stretch: float, rounds: int
) -> Points:
    """Return the places `at` after discs were pulled together by ties and pushed off each other."""
    share = pull / (pull.sum(1, keepdims=True) + 1e-9)
    tied = share.sum(1, keepdims=True)
    room = need[:, None] + need[None]
    squeeze = np.array([1 / stretch, stretch])
    at = at.copy()
    for done in range(rounds):
        cool = 1 - done / rounds
        at += cool * 0.06 * (share @ at - at * tied) - cool * 0.05 * at * squeeze
        apart = at[:, None] - at[None]
        distance = np.sqrt((apart**2).sum(-1)) + 1e-9
        over = np.clip(room - distance, 0, None)
        np.fill_diagonal(over, 0)
        at += (apart * (over / distance)[..., None]).sum(1) * 0.35
    return at


def spiral(need: Points) -> Points:
    """Place discs on a spiral from the middle outwards, none on another.

    Parameters
    ----------
    need : (k,) the radius of each.
    """
    step = np.arange(len(need))
    far = np.sqrt(step + 0.5) * 2 * need.max() / _APART
    return np.stack((far * np.cos(step * TURN), far * np.sin(step * TURN)), 1)
