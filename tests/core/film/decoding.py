"""A film as a browser unpacks it."""

import re
from itertools import accumulate

from core.film.patch import merged

ENDING = re.compile(
    r".+ (retrieved|lost): .+\. The result (is empty|has [\d,]+( of [\d,]+ ranked)? passages?)\."
    r"( The search stopped: .+\.)?"
)
"""What a film says at its end of the gold and of the result."""


def unpacked(film, grain):
    """The frames of `grain`, of the JSON that `film` is."""
    packed = film["frames"][grain]
    return list(accumulate(packed["patches"], merged, initial=packed["first"]))


def by_id(film, roles, of="nodes"):
    """Values by id instead of by number."""
    return {film[of][int(number)]["id"]: value for number, value in roles.items()}


def rows(film, board):
    """The ids of the nodes of a board's rows."""
    return [film["nodes"][row["node"]]["id"] for row in board["rows"] if "node" in row]
