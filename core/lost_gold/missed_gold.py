"""The fate of each gold passage, whether or not a step named it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from core.ceiling.reach import Way
from core.funnel.data import Fate, sentences
from core.funnel.ends import NO_EDGE
from core.funnel.fates import fates
from core.funnel.lists import Lists
from core.funnel.stages import STAGES
from core.lost_gold.gold_distance import IndexView, how_far, title, ways_to
from core.lost_gold.gold_ranks import Marks, gold_author
from core.lost_gold.trace_index import Unopened
from core.marks.gold_signs import Marked
from core.playback import Frame, Label
from core.steps import Step
from core.text.display.cropping import LABEL
from core.text.display.passage_labels import shortened
from core.types import Edge, Passage


@dataclass(frozen=True, slots=True)
class Gold:
    """A gold passage, or the name of one that is not at hand, and how far it was missed.

    `fate` is what became of it, None if it was kept or that is not known. `missing` says it in a
    phrase, empty if it was kept. `way` are passages from one that was reached to it, if no step
    named it and there is a way. `id` is its gold id, where no passage is at hand.
    """

    name: str
    marked: Marked
    passage: Passage | None
    missing: str
    fate: Fate | None = None
    way: tuple[str, ...] = ()
    id: str = ""


CLOSED = "not found (open the index for details)"
"""Of gold that no step named, where nothing more can be said."""


@dataclass(slots=True)
class Misses:
    """All gold of a retrieval; `passages` and `edges` are those on paths that no step named."""

    gold: list[Gold] = field(default_factory=list)
    passages: dict[str, Passage] = field(default_factory=dict)
    edges: dict[str, Edge] = field(default_factory=dict)

    @property
    def fates(self) -> dict[str, Fate]:
        """The fates of the lost gold, by passage."""
        return {one.passage.id: one.fate for one in self.gold if one.passage and one.fate}


def misses(
    steps: Sequence[Step],
    names: Sequence[Label],
    last: Frame,
    named: Mapping[str, Passage],
    marks: Marks,
    index: IndexView | None,
    way: Way | None,
    lists: Lists | None = None,
    titles: Mapping[str, str] = MappingProxyType({}),
) -> Misses:
    """Return the fate of each gold passage of `marks`, first those that `steps` name.

    A document is gold as a whole: if one of its passages is kept, the others are not missed. If no
    step names one, the nearest passage represents it.

    Parameters
    ----------
    lists : knows the ranks of passages that `steps` do not name.
    titles : names of gold that no passage holds.
    """
    missed = Misses()
    gold = {name: who for name, each in named.items() if (who := gold_author(marks, each))}
    known = {id_ for name in gold for id_ in (name, named[name].document_id)}
    unseen = [name for name, who in marks.items() if who and name not in known]
    ways = ways_to(unseen, marks, last, index, way)
    kept = {hit.passage_id for hit in last.hits}
    enough = {named[name].document_id for name in gold.keys() & kept if name not in marks}
    lost = [
        name
        for name in gold
        if name not in kept and (name in marks or named[name].document_id not in enough)
    ]
    passages_by_gold = {
        **{name: (name,) for name in lost},
        **{name: one.ids for name, one in ways.items()},
    }
    ends = _ends(steps, passages_by_gold, index, named, lists)
    for name, who in gold.items():
        end = ends.get(name)
        missing = "" if name not in passages_by_gold else str(end) if end else CLOSED
        missed.gold.append(Gold(title(named[name]), who, named[name], missing, end))
    for name, one in ways.items():
        if index is None or one.passage is None:
            said = CLOSED if index is None else STAGES["absent"]
            called = shortened(titles.get(name, name), LABEL)
            missed.gold.append(Gold(called, marks[name], None, said, id=name))
            continue
        end, distance = ends[name], how_far(one, index, last, names, steps)
        ranked = end.stage == "cut" and bool(end.rank)
        whole = ranked or (not distance and (end.near != () or end.stage == "below"))
        if NO_EDGE in end.near:
            distance = "all its edges point away from it" if one.against else ""
        missing = str(end) if whole else _missed(end, distance)
        met = [index.passages[n] for n in one.path.passages] if one.path else [one.passage]
        missed.gold.append(
            Gold(
                *(title(one.passage), marks[name], one.passage, missing, end),
                way=tuple(p.id for p in met),
            )
        )
        missed.passages |= {p.id: p for p in met}
        missed.edges |= {edge.id: edge for edge in one.path.edges} if one.path else {}
    return missed


def _missed(end: Fate, far: str) -> str:
    """Describe how nearly gold became a candidate, and how `far` it is."""
    near = str(end.near[0]) if end.near else end.figure
    said = sentences((near, far))
    return f"{end.words}: {said}" if said else end.words


def _ends(
    steps: Sequence[Step],
    passages_by_gold: Mapping[str, Sequence[str]],
    index: IndexView | None,
    named: Mapping[str, Passage],
    lists: Lists | None,
) -> dict[str, Fate]:
    """Return the fate of each gold id; `passages_by_gold` has the passages of each.

    The graph is searched once for all of it. Without the index, gold that the steps do not name has
    no entry, because its edges are unknown.
    """
    if not passages_by_gold:
        return {}
    lost = fates(
        steps,
        list(passages_by_gold),
        index or Unopened(named),
        passages_by_gold=passages_by_gold,
        lists=lists,
    )
    closed = ("far", "unoffered") if index is None else ()
    return {fate.gold: fate for fate in lost if fate.stage not in closed}
