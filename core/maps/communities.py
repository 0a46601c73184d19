"""Communities of passages: Louvain's method, divided further until none is too large."""

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from scipy import sparse

from core.maps.regions import ROOT, Region, largest
from core.maps.ties import Ties, inside

SEED = 7
TOP, BELOW = 18, 24
"""Most children of the whole corpus, and of any other region."""
_UNDIVIDED = 12  # a corpus of so few passages is one region
_COARSE = 4_000  # nodes that Louvain's method is given at once, beyond which pairs are joined first
_RESOLUTIONS = (1.0, 1.6, 2.6)
_SHRINKS = 0.95  # a round of pairing that leaves more than this share is the last


def region_tree(ties: Ties, report: Callable[[int, int], None]) -> list[Region]:
    """Divide all passages into regions within regions.

    Parameters
    ----------
    ties : (n, n), see `core.maps.ties`.
    report : is told how many passages are in a region that is not divided further, of how many.

    Returns
    -------
    Parents before children; the first one holds every passage. Only their members are known.

    Notes
    -----
    Communities by Blondel et al. 2008 as NetworkX has it, from a fixed seed.
    """
    passages = ties.shape[0]
    regions = [Region(ROOT, 0, range(passages), size=passages)]
    settled, number = 0, 0
    while number < len(regions):
        region = regions[number]
        parts = _divided(ties, region, passages)
        if len(parts) < 2:
            settled += region.size
            report(settled, passages)
        for part in parts if len(parts) > 1 else ():
            region.children.append(len(regions))
            regions.append(Region(number, region.depth + 1, part, size=len(part)))
        number += 1
    return regions


def _divided(ties: Ties, region: Region, passages: int) -> list[list[int]]:
    if region.depth == 0 and passages <= _UNDIVIDED:
        return []
    if region.depth and region.size <= largest(passages):
        return []
    return divide(ties, region.members, BELOW if region.depth else TOP)


def divide(ties: Ties, members: Sequence[int], most: int) -> list[list[int]]:
    """Divide `members` into at most `most` communities, the largest first.

    Those that no community is found among are cut into halves, in order of their numbers, if they
    are too many for one region.
    """
    own = np.asarray(members, np.int64)
    label, small = coarsened(inside(ties, own), _COARSE)
    for resolution in _RESOLUTIONS:
        parts = _joined_small(_louvain(small, resolution), small, label, most)
        if len(parts) > 1:
            break
    else:
        if len(own) <= largest(ties.shape[0]):
            return [own.tolist()]
        return [part.tolist() for part in np.array_split(own, 2)]
    home = np.empty(small.shape[0], np.int64)
    for number, part in enumerate(parts):
        home[part] = number
    found = [own[home[label] == number].tolist() for number in range(len(parts))]
    return sorted(found, key=lambda part: (-len(part), part[0]))


def coarsened(ties: Ties, most: int) -> tuple[np.ndarray, Ties]:
    """Join pairs of nodes that are tied most strongly to each other until at most `most` are left.

    Returns
    -------
    label : (n,) the group of each node.
    ties : between groups, and on the diagonal twice the ties within each.

    Notes
    -----
    Heavy-edge matching (Karypis and Kumar 1998). A tie counts by the sizes of what it joins, so
    that no group grows much faster than others. It stops early where few pairs are left.
    """
    label, now = np.arange(ties.shape[0]), ties
    size = np.ones(ties.shape[0])
    while now.shape[0] > most:
        other = now.copy()
        other.setdiag(0)
        other.eliminate_zeros()
        scale = sparse.diags(1 / np.sqrt(size))
        best = np.asarray((scale @ other @ scale).tocsr().argmax(axis=1)).ravel()
        best[np.diff(other.indptr) == 0] = -1
        nodes = np.arange(now.shape[0])
        mutual = (best >= 0) & (best[best] == nodes)
        head = np.where(mutual, np.minimum(nodes, best), nodes)
        _, group = np.unique(head, return_inverse=True)
        groups = int(group.max()) + 1
        if groups > _SHRINKS * len(nodes):
            break
        into = sparse.csr_matrix((np.ones(len(nodes)), (nodes, group)), (len(nodes), groups))
        now, label = (into.T @ now @ into).tocsr(), group[label]
        size = np.bincount(group, size, groups)
    return label, now


def _louvain(ties: Ties, resolution: float) -> list[list[int]]:
    import networkx as nx  # only here, as it takes long to import

    upper = sparse.triu(ties).tocoo()
    # Between groups a tie is listed twice in the matrix; within one it counts half.
    weight = np.where(upper.row == upper.col, upper.data / 2, upper.data)
    graph = nx.Graph()
    graph.add_nodes_from(range(ties.shape[0]))
    ends = zip(upper.row.tolist(), upper.col.tolist(), weight.tolist(), strict=True)
    graph.add_weighted_edges_from(ends)
    if not graph.number_of_edges():
        return [[node] for node in graph]
    found = nx.community.louvain_communities(
        graph, weight="weight", resolution=resolution, seed=SEED
    )
    return [sorted(part) for part in found]


def _joined_small(
    parts: list[list[int]], ties: Ties, label: np.ndarray, most: int
) -> list[list[int]]:
    """Join what is tiny, or one too many, to the community that it is tied to most strongly."""
    weight = np.bincount(label, minlength=ties.shape[0])
    least = max(3, len(label) // 60)

    def order(part: list[int]) -> tuple[int, int]:
        return -int(weight[part].sum()), part[0]

    parts = sorted(parts, key=order)
    while len(parts) > 1 and (weight[parts[-1]].sum() < least or len(parts) > most):
        small = parts.pop()
        home = {node: number for number, part in enumerate(parts) for node in part}
        pull: Counter[int] = Counter()
        for node in small:
            row = slice(ties.indptr[node], ties.indptr[node + 1])
            for other, tied in zip(ties.indices[row], ties.data[row], strict=True):
                if int(other) in home:
                    pull[home[int(other)]] += tied
        best = min(pull, key=lambda one: (-pull[one], one)) if pull else len(parts) - 1
        parts[best] = sorted([*parts[best], *small])
        parts.sort(key=order)
    return parts
