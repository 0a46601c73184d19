"""What stands beside every step: the queue, the visit counter, gold, and the step's sentence."""

from collections.abc import Sequence
from html import escape

from core.playback import Frame
from core.playback.rounds import Round
from pages.components.trace.rows import Names, chip, gold_chip, head, panel, pick_row, share

LONG = 220
"""Characters of a sentence from which on it is written smaller, in the same room."""


def queue(now: Frame, whole: Round | None, names: Names) -> str:
    """Who waits, who joined (+) and who left (−) in this step, or in its round as a `whole`."""
    joined, left = (whole.new, whole.looked_at) if whole else (now.joined, now.left)
    gone = [chip(names, vertex, "−") for vertex in left]
    here = [chip(names, vertex, "+" if vertex in joined else "") for vertex in now.queue]
    change = f" · {len(joined)} joined, {len(left)} left" if joined or left else ""
    header = head("Queue", f"{len(now.queue)} waiting{change}")
    rows = here + gone if whole else gone + here
    return panel("queue", header, rows, "The queue is empty.")


def visits(now: Frame, names: Names) -> str:
    """The visit counter as bars, most visited first, with the share of all visits (IMP)."""
    top = max(now.counter.values(), default=1)
    arrived = {visit.id for visit in now.arrivals}
    rows = []
    for vertex, count in sorted(now.counter.items(), key=lambda item: -item[1]):
        fresh = " tr-fresh" if vertex in arrived else ""
        width = f"width:{share(count, top):.1f}%"
        inner = (
            f"<span class='tr-rank'>{'+1' if fresh else ''}</span>{names.html(vertex)}"
            f"<span class='tr-bar'><i class='tr-tone-a' style='{width}'></i></span>"
            f"<span class='tr-times'>×{count}</span>"
            f"<span class='tr-num'>{now.importance[vertex]:.3f}</span>"
        )
        name = f"tr-standing tr-visit{fresh}"
        rows.append(pick_row("node", vertex, inner, name=name, hint=names.title(vertex)))
    note = f"{now.visits} visits to {len(now.counter)} passages, and each one's importance"
    header = head("Visit counter", note if rows else "")
    return panel("visits", header, rows, "Nothing has been visited yet.")


def gold_line(rows: Sequence[tuple[str, str, str]]) -> str:
    """(passage id, title, where it stands now) of each gold passage, in one line."""
    none = "<span class='tr-none'>No gold passage is known; any passage can be marked.</span>"
    return f"<div class='tr-golds'>{''.join(gold_chip(*row) for row in rows) or none}</div>"


def story(text: str, t: int, last: int) -> str:
    """The sentence of the step, with its number."""
    size = " class='tr-long'" if len(text) > LONG else ""
    return (
        f"<div class='tr-story' aria-live='polite'><span class='tr-step'>{t} / {last}</span>"
        f"<p dir='auto'{size} title='{escape(text)}'>{escape(text)}</p></div>"
    )
