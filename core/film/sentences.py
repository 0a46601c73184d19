"""What the sentence of a step says, and whom it names."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from core.film.looks import node_roles
from core.film.news import caption, news
from core.film.plot import Plot
from core.playback import Frame, told
from core.playback.layers import WORDS
from core.playback.wording import TITLE, cropped
from core.steps import ARROW, Offered


def sentence(plot: Plot, before: Frame, now: Frame) -> str:
    """What is said at `now`, and of gold what happened to it since `before`."""
    cast = plot.cast
    events = news(before, now, [*cast.gold], plot.places)
    about = next((event.node for event in events if event.kind == "reached"), "")

    def say(of_gold: str, room: int) -> str:
        return told(plot.steps, now, cast.title, of_gold, room, about, plot.places)

    return caption(say, events, now, cast.title, [*cast.gold])


def named(plot: Plot, frames: Sequence[Frame], ending: str) -> Mapping[int, Sequence[str]]:
    """By step the nodes that its sentence names and that are there, as it comes to them.

    `ending` is the last one, where something is gold.
    """
    found: dict[int, Sequence[str]] = {}
    for before, now in pairwise(frames):
        ends = ending if now.t == len(plot.steps) else ""
        found[now.t] = quoted(plot, now, ends or sentence(plot, before, now))
    return found


def quoted(plot: Plot, now: Frame, said: str) -> list[str]:
    """The nodes that `said` quotes and that are there at `now`, as it comes to them."""
    there = node_roles(now, plot.lost, None).keys() & plot.columns.of.keys()
    cast = plot.cast
    at = {
        n: _place(said, cast.title(n), f" ({WORDS.get(cast.kind(n), cast.kind(n))})")
        for n in sorted(there)
    }
    named = sorted((name for name in at if at[name] >= 0), key=at.__getitem__)
    return [*named, *(name for name in _along(plot, now) if name in there)]


def _along(plot: Plot, now: Frame) -> list[str]:
    """The nodes over which the best path leads, which is quoted as a whole, if paths are taken."""
    step = now.step
    if not isinstance(step, Offered) or not step.taken:
        return []
    told = {plot.cast.whole(thing.id): thing.id for thing in step.things}
    return [told[text] for text in step.taken[0].label.split(ARROW) if text in told]


def _place(said: str, title: str, kind: str) -> int:
    """Where a sentence quotes `title`, be it cut as titles are there, and without its `kind` or its
    full stop; -1 where it does not.
    """
    bare = title.removesuffix(kind)
    forms = (title, bare, bare.removesuffix("."), cropped(bare), cropped(bare, TITLE))
    return max(said.find(f"'{text}'") for text in forms)
