"""Communities of passages, divided further until none is too large.

Louvain's method as NetworkX has it finds them, among groups by Leiden's method where there are many
passages: in Python alone a large corpus takes minutes for each level.
"""

from collections.abc import Callable, Sequence

import numpy as np
from graspologic_native import leiden_csr
from scipy import sparse

from core.maps.joining import grouped, joined
from core.maps.regions import ROOT, Region, largest
from core.maps.ties import Ties, inside

SEED = 7
TOP, BELOW = 18, 24
"""Most children of the whole corpus, and of any other region."""
_UNDIVIDED = 12  # a corpus of so few passages is one region
_COARSE = 400  # nodes that NetworkX is given at once; more are joined into communities first
_RESOLUTIONS = (1.0, 1.6, 2.6)


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
    Communities by Blondel et al. 2008 (Louvain) as NetworkX has it, from a fixed seed.
    """
    passages = ties.shape[0]
    regions = [Region(ROOT, 0, range(passages), size=passages)]
    settled, number = 0, 0
    while number < len(regions):
        region = regions[number]
        parts = _subregions(ties, region, passages)
        if len(parts) < 2:
            settled += region.size
            report(settled, passages)
        for part in parts if len(parts) > 1 else ():
            region.children.append(len(regions))
            regions.append(Region(number, region.depth + 1, part, size=len(part)))
        number += 1
    return regions


def _subregions(ties: Ties, region: Region, passages: int) -> list[list[int]]:
    """Return the parts of a region; none if it is small enough."""
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
    tied = inside(ties, own)
    for resolution in _RESOLUTIONS:
        label, small = coarsened(tied, _COARSE, resolution)
        home = joined(_louvain(small, resolution), small, label, most)[label]
        if home.max():
            break
    else:
        if len(own) <= largest(ties.shape[0]):
            return [own.tolist()]
        return [part.tolist() for part in np.array_split(own, 2)]
    parts = [own[home == number].tolist() for number in range(home.max() + 1)]
    return sorted(parts, key=lambda part: (-len(part), part[0]))


def coarsened(ties: Ties, most: int, resolution: float = 1.0) -> tuple[np.ndarray, Ties]:
    """Join nodes into communities if there are more than `most` nodes.

    Returns
    -------
    label : (n,) the community of each node, or its own number.
    ties : between communities, and on the diagonal twice the ties within each.

    Notes
    -----
    Communities by Traag et al. 2019 (Leiden) as graspologic-native has it, from a fixed seed.
    """
    nodes = ties.shape[0]
    if nodes <= most or not ties.nnz:
        return np.arange(nodes), ties
    starts, ends = ties.indptr.astype(np.int64), ties.indices.astype(np.int32)
    weight = ties.data.astype(np.float64)
    _, communities = leiden_csr(starts, ends, weight, nodes, resolution=resolution, seed=SEED)
    label = np.fromiter((communities[node] for node in range(nodes)), np.int64, nodes)
    return label, grouped(ties, label)


def _louvain(ties: Ties, resolution: float) -> list[list[int]]:
    """Return the Louvain communities of a symmetric (n, n) matrix of weights, as sorted row
    numbers.

    A higher `resolution` gives smaller communities.
    """
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
    parts = nx.community.louvain_communities(
        graph, weight="weight", resolution=resolution, seed=SEED
    )
    return [sorted(part) for part in parts]
