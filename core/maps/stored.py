"""The map of an index: made once for each version of its graph, and kept on the shelf."""

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa

from core.artefacts.base import Artefact, Bench, Tables
from core.artefacts.making import make_artefacts
from core.artefacts.stored_artefacts import missing, opened
from core.errors import IndexLocked, StoreError
from core.maps.anchoring import can_follow, followed
from core.maps.communities import SEED, region_tree
from core.maps.positions import place
from core.maps.region_names import name_regions
from core.maps.regions import LARGEST, CorpusMap, Region
from core.maps.terms import terms_of
from core.maps.ties import Ties, ties, with_weak_ties
from core.progress import Progress, Report
from core.store.artefact_tables import read_tables, shelved
from core.store.index import Index

NAME = "corpus-map"
_READ = 50_000
"""Passages whose texts are read to name regions: of more, an even part of each region."""
_PARTS = (60, 30, 10)  # how long communities, places and names take, of 100


def make_map(index: Index, report: Report) -> CorpusMap:
    """Compute the map of an index; passages of its earlier map keep their places.

    Parameters
    ----------
    report : is told how far it is, in hundredths.
    """
    strong = ties(index.graph.adjacency, similarities(index), len(index.ids))
    tied = with_weak_ties(strong, index.vectors)
    earlier = _earlier(index)
    if earlier and can_follow(index.ids, *earlier):
        made = followed(index.ids, tied, *earlier)
    else:
        made = _new_map(tied, report)
    _name(index, made)
    report(Progress(NAME, 100, 100))
    return made


def _new_map(tied: Ties, report: Report) -> CorpusMap:
    """Compute regions and places without an earlier map to follow; passages are not named yet."""
    regions = region_tree(tied, _share_reporter(report, 0))
    x, y = place(regions, tied, _share_reporter(report, 1))
    leaf = np.zeros(tied.shape[0], np.int32)
    for number, region in enumerate(regions):
        if not region.children:
            leaf[region.members] = number
    late = np.zeros(len(leaf), bool)
    return CorpusMap(regions, x.astype(np.float32), y.astype(np.float32), leaf, late)


def _name(index: Index, made: CorpusMap) -> None:
    """Name the regions that have no name, from the texts of at most about `_READ` passages."""
    if all(region.terms for region in made.regions[1:]):
        return
    step = -(-len(made) // _READ)
    leaves = (n for n, region in enumerate(made.regions) if not region.children)
    read = np.sort(np.concatenate([made.inside(leaf)[::step] for leaf in leaves]))
    place = np.full(len(made), -1)
    place[read] = np.arange(len(read))
    for number, region in enumerate(made.regions):
        numbers = place[made.inside(number)]
        region.members = numbers[numbers >= 0].tolist()
    passages = index.passages.take(read.tolist())
    texts = [(passage.title, passage.text) for passage in passages]
    name_regions(made.regions, terms_of(texts), [title for title, _ in texts])
    for region in made.regions:
        region.members = ()


def _share_reporter(report: Report, part: int) -> Callable[[int, int], None]:
    """Return a report of one part of the work, as hundredths of all of it."""
    first = sum(_PARTS[:part])

    def report_share(done: int, total: int) -> None:
        """Report a part's progress as a percentage of all, and only when it grows."""
        now = first + _PARTS[part] * done // max(total, 1)
        if now > report_share.last:  # type: ignore[attr-defined]
            report_share.last = now  # type: ignore[attr-defined]
            report(Progress(NAME, now, 100))

    report_share.last = -1  # type: ignore[attr-defined]
    return report_share


def similarities(index: Index) -> np.ndarray:
    """(m,) of the edges, in order of their numbers."""
    with index.tables.reading():
        values: np.ndarray = index.tables.select("edges", ["similarity"])["similarity"].to_numpy()
        return values


def _earlier(index: Index) -> tuple[Sequence[str], CorpusMap] | None:
    """Return the map that lies on the shelf, of whatever version of the graph.

    None if none can be read: nothing depends on it but where things lie.
    """
    row = shelved(index.path).get(NAME)
    if row is None:
        return None
    try:
        tables = read_tables(index.path, row)
    except StoreError:
        return None
    return tables["passages"]["id"].to_pylist(), from_tables(tables)


def to_tables(ids: Sequence[str], made: CorpusMap) -> Tables:
    """Return a map as tables to store: its regions, and its passages in order of vertex numbers."""
    regions = made.regions
    return {
        "regions": pa.table(
            {
                "parent": pa.array([one.parent for one in regions], pa.int32()),
                "terms": pa.array([list(one.terms) for one in regions], pa.list_(pa.string())),
                "x": pa.array([one.x for one in regions], pa.float32()),
                "y": pa.array([one.y for one in regions], pa.float32()),
                "radius": pa.array([one.radius for one in regions], pa.float32()),
                "size": pa.array([one.size for one in regions], pa.int32()),
            }
        ),
        "passages": pa.table(
            {
                "id": pa.array(ids, pa.string()),
                "x": pa.array(made.x, pa.float32()),
                "y": pa.array(made.y, pa.float32()),
                "region": pa.array(made.leaf, pa.int32()),
                "late": pa.array(made.late, pa.bool_()),
            }
        ),
    }


def from_tables(tables: Tables) -> CorpusMap:
    """Restore a map from the output of `to_tables`."""
    regions: list[Region] = []
    for number, row in enumerate(tables["regions"].to_pylist()):
        parent, terms = row.pop("parent"), tuple(row.pop("terms"))
        depth = regions[parent].depth + 1 if parent >= 0 else 0
        regions.append(Region(parent, depth, terms=terms, **row))
        if parent >= 0:
            regions[parent].children.append(number)
    columns = tables["passages"]
    x, y, leaf, late = (columns[name].to_numpy().copy() for name in ("x", "y", "region", "late"))
    return CorpusMap(regions, x, y, leaf, late)


CORPUS_MAP = Artefact(
    NAME,
    "Communities of passages as named regions, and each passage's position on the map.",
    lambda _, tables: from_tables(tables),
    lambda bench, report: to_tables(bench.index.ids, make_map(bench.index, report)),
    params={"seed": SEED, "largest": LARGEST},
)


def map_of(bench: Bench, report: Report, *, keep: bool) -> CorpusMap:
    """Return the map of an open index, from the shelf or else computed.

    Parameters
    ----------
    keep : whether one that is computed is put on the shelf. Where that cannot be, because another
        process writes the index or its folder is read-only, the map is in memory only.
    """
    if missing([CORPUS_MAP], bench):
        if not keep:
            return make_map(bench.index, report)
        try:
            make_artefacts(bench, [CORPUS_MAP], report)
        except (IndexLocked, StoreError, OSError):
            return make_map(bench.index, report)
    return opened(CORPUS_MAP, bench)[1]
