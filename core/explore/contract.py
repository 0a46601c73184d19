"""The wire format of the neighbourhood of a passage: JSON values, from Python to the browser.

`core.explore.schema` writes these types as a JSON schema and as TypeScript declarations.
"""

from typing import Literal

from typing_extensions import TypedDict

from core.marks.gold_signs import Marked

PassageRole = Literal["centre", "held", "expanded", "collapsed", "neighbour"]
"""`held` is the passage that the next one selected is compared with."""
EdgeRole = Literal["between", "tree", "across"]
"""`between` joins the two passages that are compared, `tree` leads to a passage on its best path,
`across` is any other edge: it is drawn where one of its ends is selected."""
Side = Literal[-1, 0, 1]
"""-1 for passages that lead to the centre, 1 for those that it leads to, 0 for the centre."""


class PassageData(TypedDict):
    """A passage. `fade` is 0 for the strongest third, 1 and 2 for the weaker ones."""

    id: str
    title: str
    text: str
    gold: Marked
    role: PassageRole
    fade: int


class EdgeData(TypedDict):
    """An edge from passage `source`, which raises `raised`, to `target`, which answers `question`.

    `fade` is as of a passage.
    """

    id: str
    source: str
    target: str
    raised: str
    question: str
    jaccard: float
    cosine: float
    similarity: float
    role: EdgeRole
    fade: int


class CountData(TypedDict):
    """How many passages are not drawn behind a passage.

    `passage` is of the same column, or it is the centre. `told` says in words what is counted.
    """

    passage: str
    label: str
    told: str


class ColumnData(TypedDict):
    """The passages at one distance from the centre on one side of it.

    They are in the order of a depth-first walk of the best paths, so no two of these cross.
    """

    heading: str
    side: Side
    passages: list[PassageData]
    counts: list[CountData]


class NeighbourhoodData(TypedDict):
    """A drawn neighbourhood, its columns from left to right.

    `note` says how much of what there is the columns hold.
    """

    title: str
    note: str
    columns: list[ColumnData]
    edges: list[EdgeData]


class GraphData(TypedDict):
    """A whole graph; the page draws the neighbourhood of one passage at a time.

    `start` is the passage with most edges, empty if there is no passage.
    """

    title: str
    note: str
    start: str
    passages: list[PassageData]
    edges: list[EdgeData]
