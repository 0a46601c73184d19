"""The wire format of the difference of two retrievals of one query, A and B: JSON values.

Nodes and edges are stored once, in lists, and referred to by number.

`core.difference.schema` writes these types as a JSON schema and as TypeScript declarations.
"""

from typing import Literal

from typing_extensions import TypedDict

from core.marks.gold_signs import Marked
from core.steps import Kind

Whose = Literal["a", "b", "both"]
"""Who retrieves a passage or follows an edge."""
NodeWhose = Literal["a", "b", "both", "reached", "neither"]
"""Who retrieves a node; `reached` was reached by one of them and retrieved by none, `neither` is
gold that none reached."""
GoldWhose = Literal["a", "b", "both", "missed", "neither"]
"""Who retrieves gold; `missed` was reached and lost by both, `neither` was reached by none."""
EdgeWhose = Literal["a", "b", "both", "not_a", "not_b", "refused_a", "refused_b", "refused"]
"""Who follows an edge. `not_a` is followed by B and was a candidate in A, which did not follow it
and lost the gold that it leads to. `refused_a` was a candidate in A alone, `refused` in both, and
none followed it."""
ViewName = Literal["focus", "everything"]
Side = Literal["a", "b"]


class NodeData(TypedDict):
    """A node of the drawing.

    `label` is its whole title, `name` what stands beside its sign: without the kind, which the
    column says. `ranks` are told before the name in a column that ranks. `standings` say where it
    ended in A and in B. `lost` is true for gold that both lost.
    """

    id: str
    kind: Kind
    label: str
    name: str
    text: str
    gold: Marked
    ranks: str
    whose: NodeWhose
    lost: bool
    standings: tuple[str, str]


class EdgeData(TypedDict):
    """An edge between two nodes.

    `question` is its pseudo-query, or the label of another line. `scores` are empty for a line that
    is no edge of the hop graph. `leads` is true if a view of the focus shows it: it leads to a
    retrieved passage, to gold or to a sub-question, or gold was refused on it.
    """

    id: str
    source: int
    target: int
    question: str
    scores: str
    directed: bool
    whose: EdgeWhose
    leads: bool


class CountData(TypedDict):
    """Nodes of a column that are counted and not drawn."""

    label: str
    nodes: list[int]


class ColumnData(TypedDict):
    """A column of a view with its nodes from top to bottom."""

    heading: str
    nodes: list[int]
    left_out: list[CountData]


class LegendData(TypedDict):
    """A term of the legend. `name` is the `whose` of a node, of gold or of an edge; `hand` and
    `gold` mark gold."""

    of: Literal["node", "gold", "edge"]
    name: str
    label: str


class GoldData(TypedDict):
    """A gold passage, and where it ended in A and in B; `lost` says in which of them it was lost.

    `node` is None if nothing of it is drawn. `by` says who marked it by hand and when, if known.
    """

    node: int | None
    name: str
    marked: Marked
    by: str
    ends: tuple[str, str]
    lost: tuple[bool, bool]
    whose: GoldWhose


class DoneData(TypedDict):
    """What one of them did at a place: at step `t`, in words, and the nodes it took. `refused` is
    gold that was a candidate and was not taken.
    """

    t: int
    text: str
    nodes: list[int]
    refused: list[int]


class PlaceData(TypedDict):
    """A place at which one of them or both did something.

    `node` is None if it is not drawn, a side that was not there is None. `same` is true if both did
    the same.
    """

    name: str
    node: int | None
    same: bool
    a: DoneData | None
    b: DoneData | None


class RoundData(TypedDict):
    """A round of either retrieval, with its nodes in order."""

    label: str
    places: list[PlaceData]


class PartingData(TypedDict):
    """The first place at which they part, in a sentence and in a `short` one.

    `same` is true if they never part, `alike` if both do something of one kind there, so that it
    explains why they part.
    """

    text: str
    short: str
    node: int | None
    same: bool
    alike: bool


class StopData(TypedDict):
    """A stop for an audience: what is told there, the nodes shown by then, and those it tells of.

    The last stop has no `text` and shows all nodes.
    """

    text: str
    nodes: list[int]
    lit: list[int]


class SideData(TypedDict):
    """One of the two retrievals: its title, its key with settings, and its cost.

    `name` is what sentences call it, `sign` what the drawing and the tables call it.
    """

    title: str
    name: str
    sign: str
    retriever: str
    footer: str


class DifferenceData(TypedDict):
    """Two retrievals in one layout.

    `answer` says what the answer is and which of them has it, empty if unknown. `walker` is the one
    whose steps are listed if the other takes none; `beside` says what that other one did.
    """

    query: str
    a: SideData
    b: SideData
    nodes: list[NodeData]
    edges: list[EdgeData]
    views: dict[ViewName, list[ColumnData]]
    stops: list[StopData]
    legend: list[LegendData]
    parting: PartingData
    answer: str
    rounds: list[RoundData]
    walker: Literal["", "a", "b"]
    beside: str
    gold: list[GoldData]
