"""A film as a browser unpacks it."""

import re
from itertools import accumulate

from core.film.news import caption, news
from core.film.patch import merged
from core.film.scores import places_of
from core.playback import frame, told

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


def said_at(steps, before, t, title, gold):
    """What a film says at stop `t`, behind the stop `before`, with what happens to `gold`."""
    now = frame(steps, t)
    places = places_of(steps)
    events = news(frame(steps, before), now, gold, places)
    about = next((event.node for event in events if event.kind == "reached"), "")

    def say(of_gold, room):
        return told(steps, now, title, of_gold, room, about, places)

    return caption(say, events, now, title, gold)
