"""The ceiling as rows of a table and in plain words, the same for the terminal and the screen."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.ceiling.measures import CeilingReport, Loss
from core.ceiling.reach import BARRIERS, HOPS, Way
from core.playback.wording import called

WAYS: dict[Way, str] = {"both": "in both directions", "out": "from source to target"}

LOSSES: dict[Loss, str] = {
    "index": BARRIERS["unknown"],
    "graph": f"the graph: not within {HOPS} hops",
    "unfollowed": "the walk: within reach, not followed",
    "outranked": "the walk: visited, below the top k",
}


@dataclass(frozen=True, slots=True)
class ReachRow:
    """Percent within 0 to `HOPS` hops: `of` what, for the questions of `dataset`."""

    edges: str
    dataset: str
    of: str
    percent: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class LostRow:
    """Gold counted in each of `groups`; a `part` is of the row above it."""

    name: str
    counts: tuple[int, ...]
    part: bool = True


def groups(report: CeilingReport) -> dict[str | None, str]:
    """Return all questions, and the data sets if there are several, each with its name."""
    names = {row.question.dataset for row in report.rows}
    return {None: "all", **({name: name for name in report.datasets} if len(names) > 1 else {})}


def reach_rows(report: CeilingReport) -> Iterator[ReachRow]:
    """Yield three rows for each group and way: gold, questions with all their gold, passages."""
    for dataset, name in groups(report).items():
        for way, edges in WAYS.items():
            shares = report.shares(way, dataset)
            yield ReachRow(edges, name, f"of {shares.golds:,} gold", shares.gold)
            questions = f"of {shares.questions:,} questions, with all their gold"
            yield ReachRow(edges, name, questions, shares.complete)
            yield ReachRow(edges, name, "of all passages, on average", shares.passages)


def lost_rows(report: CeilingReport) -> Iterator[LostRow]:
    """Yield all gold, what lies out of reach either way and why, and what lost the missed gold.

    A reason that bars no gold has no row.
    """
    missed = [report.missed(dataset) for dataset in groups(report)]
    yield LostRow("gold", tuple(each.golds for each in missed), part=False)
    for way, edges in WAYS.items():
        barriers = [report.shares(way, dataset).barriers for dataset in groups(report)]
        total = tuple(sum(each.values()) for each in barriers)
        yield LostRow(f"not within {HOPS} hops, {edges}", total, part=False)
        for why, said in BARRIERS.items():
            counts = tuple(each.get(why, 0) for each in barriers)
            if any(counts):
                yield LostRow(said, counts)
    total = tuple(each.total for each in missed)
    yield LostRow(f"lost by {report.retriever} at {report.top_k}", total, part=False)
    for loss, said in LOSSES.items():
        yield LostRow(said, tuple(each.losses.get(loss, 0) for each in missed))
    yield LostRow("lost by the walk", tuple(each.walk for each in missed), part=False)
    for hops in missed[0].hops:
        yield LostRow(_distance(hops), tuple(each.hops.get(hops, 0) for each in missed))


def reading(report: CeilingReport) -> str:
    """Return the report in plain words, as one paragraph."""
    missed, shares = report.missed(), report.shares(report.way)
    kept = missed.golds - missed.total
    name, first = called(report.retriever), min(report.top_k, report.passages)
    sentence = f"{name} retrieves {kept:,} of {missed.golds:,} gold passages in its top {first}"
    near, far = (
        f"{shares.gold[h]:.1f}% of the gold and {shares.passages[h]:.1f}% of all passages lie "
        f"within {_hops(h)} of the seeds"
        for h in (1, HOPS)
    )
    reached = f"This retriever follows edges {WAYS[report.way]}: {near}; {far}."
    if not missed.total:
        return f"{sentence}. {reached}"
    barred, absent = missed.losses.get("graph", 0), missed.losses.get("index", 0)
    lost = (
        f"{_number(barred)} out of reach in the graph (more than {HOPS} hops from any seed), "
        f"{_number(missed.walk)} lost by the walk (within reach, but cut off or never followed)"
    )
    if absent:
        lost += f", {absent:,} not in the index"
    return f"{sentence} and loses {missed.total:,}: {lost}. {reached}"


def _distance(hops: int) -> str:
    return f"{_hops(hops)} from the seeds" if hops else "a seed"


def _hops(hops: int) -> str:
    return "1 hop" if hops == 1 else f"{hops} hops"


def _number(count: int) -> str:
    return f"{count:,}" if count else "none"
