"""The wire format of rankings side by side: JSON values, from Python to the browser."""

from typing import Literal

from typing_extensions import TypedDict

from core.marks.gold_signs import Marked

Move = Literal["", "only", "new", "same", "up", "down"]
"""How a passage stands beside the ranking compared with: in no other ranking, not in that one, at
the same rank, higher, or lower. Empty if it is not compared."""


class RowData(TypedDict):
    """A passage of a ranking, or gold that the ranking lacks.

    `rank` is None if it is unknown. `sign` is the sign of its move, `move_told` the move in words.
    `loss` says how gold was lost, empty for a passage of the ranking.
    """

    rank: int | None
    title: str
    gold: Marked
    sign: str
    move: Move
    move_told: str
    loss: str


class ColumnData(TypedDict):
    """A retriever with its ranking and the gold that it lost.

    `badge` and `tint` are the letters and the colour of its sign. `note` stands beside its title:
    what replaced its language model. `found` counts the gold that it retrieves. `problem` says why
    there is no ranking.
    """

    badge: str
    tint: str
    title: str
    note: str
    found: str
    problem: str
    rows: list[RowData]
    lost: list[RowData]


class RankingsData(TypedDict):
    """What an audience sees of rankings side by side.

    `verdict` says which retriever did better, `reasons` why, most important first. `signs` explains
    the signs beside ranks.
    """

    query: str
    top_k: int
    verdict: str
    reasons: list[str]
    signs: str
    columns: list[ColumnData]
