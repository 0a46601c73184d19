"""The difference of two retrievals of one question, as the browser has it: JSON values.

The first retrieval is A, the second B. Nodes and lines are numbered as in a film's data.
"""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from core.film.arrival import ArrivalData
from core.film.data import EntryData, LineData, Marked, NodeData, View, ViewData

Whose = Literal["a", "b", "both"]
"""Who has something: kept a passage, followed a line."""
NodeWhose = Literal[Whose, "reached", "neither"]
"""Who kept a node, `reached` if one of them came there and none kept it; only passages are kept.
`neither` is gold that no one reached."""


GoldWhose = Literal[Whose, "missed", "neither"]
"""Who retrieves gold: `missed` was reached and lost by both, `neither` was reached by no one."""


LineWhose = Literal[Whose, "not_a", "not_b", "refused_a", "refused_b", "refused"]
"""Who followed a line; `not_a` was followed by B, and on offer in A, which did not take it and lost
the gold that it leads to. `refused_a` was on offer in A alone, `refused` in both, and nobody
followed it."""


class RankedData(NodeData):
    """A node. Of what only ranks `ranks` are told in front of its name; empty in a walk."""

    ranks: str


class BesideData(TypedDict):
    """A gold passage: where it ended in A and in B, in a few words, and whether it was lost there.

    `node` is None where nothing of it is drawn. `by` says who marked it by hand and when, where
    that is known.
    """

    node: int | None
    name: str
    marked: Marked
    by: str
    ends: tuple[str, str]
    lost: tuple[bool, bool]
    whose: GoldWhose


class DoneData(TypedDict):
    """What one of them did at a place: at step `t`, in words, and the nodes it took; `refused` is
    gold that was on offer and was not taken.
    """

    t: int
    text: str
    nodes: list[int]
    refused: list[int]


class PlaceData(TypedDict):
    """A place at which at least one of them did something; a side that was not there is missing.

    `node` is None where it is no node that is drawn. `same` says that both did the same.
    """

    name: str
    node: int | None
    same: bool
    a: NotRequired[DoneData]
    b: NotRequired[DoneData]


class RoundData(TypedDict):
    """A round of either, with its places in order."""

    label: str
    places: list[PlaceData]


class PartingData(TypedDict):
    """The first place at which they part, in a sentence and in a `short` one; `same` says that they
    never do, `alike` that both do something of one kind there, so that it tells why they part.
    """

    text: str
    short: str
    node: int | None
    same: bool
    alike: bool


class StopData(TypedDict):
    """A stop of an audience: what is told there, the nodes that are drawn by then, and those of
    them that it tells of, `lit`. At the last one, which has no `text`, all are drawn.
    """

    text: str
    nodes: list[int]
    lit: list[int]


class SideData(TypedDict):
    """One of the two: what it is called, its key with settings, and what it cost."""

    title: str
    retriever: str
    footer: str


class DifferenceData(TypedDict):
    """Two retrievals on one layout. `standings` say of each node where it ended in A and in B.

    `leading` are the lines by which one of them came first to what it retrieves, to gold, and to
    what it asks; an edge on which gold was refused is one, too.
    `answer` says what the answer is, and which of them has it; empty where that is not known.
    `walker` is the one whose steps are listed where the other one takes none, else empty; what that
    other one did is said in `beside`.
    """

    query: str
    index: str
    a: SideData
    b: SideData
    nodes: list[RankedData]
    lines: list[LineData]
    node_roles: dict[str, NodeWhose]
    line_roles: dict[str, LineWhose]
    leading: list[int]
    stops: list[StopData]
    views: dict[View, ViewData]
    legend: list[EntryData]
    parting: PartingData
    answer: str
    rounds: list[RoundData]
    walker: Literal["", "a", "b"]
    beside: str
    standings: dict[str, tuple[str, str]]
    gold: list[BesideData]
    arrival: ArrivalData
