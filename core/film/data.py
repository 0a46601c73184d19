"""What a drawing of nodes and lines in columns is made of: JSON values for the browser."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from core.steps import Kind

NodeRole = Literal[
    "seed", "queued", "visited", "current", "retrieved", "pruned", "lost", "refused", "plain",
    "ghost",
]  # fmt: skip
"""`lost` is gold that the result does not have; `ghost` is drawn though no step names it."""
LineRole = Literal[
    "offered", "chosen", "refused", "missed", "walked", "again", "unoffered", "plain", "ghost"
]
"""`walked` led to something new, `again` to what had been visited before."""
Marked = Literal["", "given", "rules", "hand"]
"""Whether a node is gold, and who said so: the question set, rules, or a person on the screen."""


class NodeData(TypedDict):
    """A node. `label` is the whole title, `text` what can be read of it.

    `short` is for where the label has no room, `bare` the label without its kind, for where that is
    seen. `planned` is the label of a question until it is
    asked, if that is another one.
    `noun` is what people call a question that is asked, a thought, or keywords.
    `facts` are the parts of `text` that are evidence, in order.
    `unjudged` is where a model would be asked and nobody has asked it.
    """

    id: str
    kind: Kind
    label: str
    text: str
    gold: Marked
    short: NotRequired[str]
    bare: NotRequired[str]
    planned: NotRequired[str]
    noun: NotRequired[str]
    facts: NotRequired[list[str]]
    unjudged: NotRequired[bool]


class LineData(TypedDict):
    """A line from node `source` to node `target`; `detail` is of its similarity.

    It was followed `back`, from its target to its source, or would have been.
    """

    id: str
    source: int
    target: int
    label: str
    detail: str
    directed: bool
    back: NotRequired[bool]


class BandData(TypedDict):
    """A column of the drawing with its heading, in the drawing's pixels; one in which nothing will
    stand says so. The heading is told from step `since` on, from the first one if that is left out.
    """

    label: str
    left: float
    right: float
    since: NotRequired[int]
    empty: NotRequired["EmptyData"]


class EmptyData(TypedDict):
    """What stands in a column of nothing from step `since` on, and where its nodes would be."""

    told: str
    x: float
    since: int


class GroupData(TypedDict):
    """Nodes that a view does not always draw: a count in their stead, at the foot below `x`.

    `label` is what is counted; the number is of those that are there by now.
    """

    label: str
    x: float
    nodes: list[int]


class CutData(TypedDict):
    """A line in a column at the end of a film: above it is what was kept, below it are `nodes`."""

    label: str
    nodes: list[int]


class ViewData(TypedDict):
    """What is drawn and where, for the whole film. `places` are x and y by node.

    `guests` are the places of nodes that are drawn only where a frame names them as guests.
    """

    places: dict[str, tuple[float, float]]
    guests: dict[str, tuple[float, float]]
    bands: list[BandData]
    cuts: list[CutData]
    groups: list[GroupData]
    left_out: int


class EntryData(TypedDict):
    """An entry of the legend: of a node's role, the look of gold, a line's role, a kind's shape, a
    mark on any node.

    `shape` is the kind as which one of another name is drawn, `brief` what is said where there is
    little room, `headed` that a heading of a column names that kind, too.
    """

    of: Literal["node", "gold", "line", "mark", "kind"]
    name: str
    label: str
    brief: NotRequired[str]
    shape: NotRequired[Kind]
    headed: NotRequired[bool]
