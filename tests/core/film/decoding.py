"""A film as a browser unpacks it."""

from itertools import accumulate

from core.film.patch import merged


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
