"""Gold that no step named: its nearest passage, and the distance from the walk."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.ceiling.reach import Way
from core.funnel import reach
from core.lost_gold.gold_ranks import Marks, far
from core.lost_gold.shortest_paths import Graph, Path, Ways
from core.playback import Frame, Label
from core.steps import Step
from core.text.display.cropping import LABEL, cropped
from core.types import Edge, Passage, Query


class IndexView(reach.IndexView, Protocol):
    """The parts of an index that the distance of gold needs."""

    @property
    def ids(self) -> Sequence[str]: ...
    @property
    def graph(self) -> Graph: ...
    def shown(self, passage_ids: Iterable[str], /) -> Mapping[str, str]: ...
    def question(self, text: str, /) -> Query | None: ...


@dataclass(frozen=True, slots=True)
class Unseen:
    """Gold that no step named.

    `ids` are its passages, `passage` is the nearest of them, None if the index has none. `path`
    leads to it from a reached passage; `ways` is None if none was reached. `against` is the first
    edge that points the other way if the only path goes against the direction of edges.
    """

    ids: tuple[str, ...] = ()
    passage: Passage | None = None
    path: Path | None = None
    ways: Ways | None = None
    against: Edge | None = None


def ways_to(
    unseen: Sequence[str], marks: Marks, last: Frame, index: IndexView | None, way: Way | None
) -> dict[str, Unseen]:
    """Return each of `unseen` with its nearest passage; without a `way` there is no path to it."""
    if index is None or not unseen:
        return dict.fromkeys(unseen, Unseen())
    reached = _reached(last, index)
    ways = Ways(index.graph, reached, len(index.passages), way) if reached and way else None
    by_gold = {}
    for name in unseen:
        numbers = _numbers(name, marks, index)
        path = ways.to(numbers) if ways and numbers else None
        passage = index.passages[path.passages[-1] if path else numbers[0]] if numbers else None
        against = ways.against(numbers) if ways and numbers and path is None else None
        ids = tuple(index.ids[number] for number in numbers)
        by_gold[name] = Unseen(ids, passage, path, ways, against)
    return by_gold


def _numbers(name: str, marks: Marks, index: IndexView) -> list[int]:
    """Return the numbers of the passages of a gold passage or document."""
    if name in index.number:
        return [index.number[name]]
    ids = index.document_passages.get(name, ())
    return [index.number[id_] for id_ in ids if marks.get(id_, "given")]


def _reached(last: Frame, index: IndexView) -> list[int]:
    """Return the numbers of the passages that were reached."""
    names = (name for name, role in last.roles.items() if role != "offered")
    return [index.number[name] for name in names if name in index.number]


def how_far(
    one: Unseen, index: IndexView, last: Frame, names: Sequence[Label], steps: Sequence[Step]
) -> str:
    """Describe the distance of gold from the reached passages; empty if none was reached."""
    if one.ways is None:
        return ""
    path = one.path
    if path is None:
        nothing = f"no path from any {'seed' if last.entries else 'retrieved passage'}"
        return f"{nothing}: {_other_way(one, one.against, index)}" if one.against else nothing
    start = index.passages[path.passages[0]]
    ways = zip(path.passages, path.edges, strict=False)
    back = sum(index.ids[number] != edge.source for number, edge in ways)
    nothing = cropped(index.shown([start.id])[start.id], LABEL)
    return far(len(path.edges), nothing, _how_reached(start.id, last, names, steps), back)


def _other_way(one: Unseen, edge: Edge, index: IndexView) -> str:
    """Return which edge on the path cannot be followed."""
    shown = index.shown([edge.source, edge.target])
    source, target = (cropped(shown[end], LABEL) for end in (edge.source, edge.target))
    if one.passage and one.passage.id == edge.source:
        return f"its edge to '{target}' points away from it"
    return f"the edge from '{source}' to '{target}' points the other way"


def _how_reached(node: str, last: Frame, names: Sequence[Label], steps: Sequence[Step]) -> str:
    """Describe how `node` was first reached."""
    for step, label in zip(steps, names, strict=True):
        taken = [offer.target for offer in getattr(step, "offers", ()) if offer.taken]
        if node in taken:
            if getattr(step, "entry", False):
                return "a seed"
            return f"reached in {label.round.lower()}" if label.round else "selected"
    kept = {hit.passage_id for hit in last.hits}
    return "retrieved" if node in kept else "reached, not retrieved"


def title(passage: Passage) -> str:
    """Return the name of a passage in a walkthrough."""
    return cropped(passage.title or passage.id, LABEL)
