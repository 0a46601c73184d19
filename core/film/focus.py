"""The focus of a film: the few nodes that it is about, and counts in the stead of the others."""

from collections.abc import Iterable, Iterator

from core.film.plot import Plot
from core.steps import Offered

MOST = 25
"""Passages that are drawn one by one."""
ON_STAGE = 14
"""The same where letters are large."""
OTHERS = 20
"""Nodes of other kinds, such as entities; fewer where passages are."""
RIVALS = 2
"""Passages refused at one place, the best."""


def focused(plot: Plot, most: int = MOST) -> tuple[str, ...]:
    """Gold and what was kept with the paths that led there, and what competed with them.

    What matters most comes first. All passages where they are few.
    """
    chosen: dict[str, None] = {}
    passages = [name for name in plot.columns.of if plot.cast.kind(name) == "passage"]
    if len(passages) <= most:
        return (*passages, *_others(plot, dict.fromkeys(passages), most))
    gold = [name for name in plot.cast.gold if name in plot.columns.of]
    kept = [hit.passage_id for hit in plot.last.hits if hit.passage_id in plot.columns.of]
    for name in gold:
        _add(plot, chosen, [name], most)
    for name in (*gold, *kept):
        _add(plot, chosen, plot.path(name), most)
    for name in _rivals(plot, chosen):
        _add(plot, chosen, [name], most)
    return (*chosen, *_others(plot, chosen, most))


def _add(plot: Plot, chosen: dict[str, None], path: Iterable[str], most: int) -> None:
    """A whole path or nothing of it."""
    new = [name for name in path if name in plot.columns.of and name not in chosen]
    passages = [n for n in (*chosen, *new) if plot.cast.kind(n) == "passage"]
    if len(passages) <= most:
        chosen.update(dict.fromkeys(new))


def _rivals(plot: Plot, chosen: dict[str, None]) -> list[str]:
    """The best that were refused where something that is drawn was taken."""
    found: dict[str, int] = {}
    for step in plot.steps:
        if not isinstance(step, Offered) or step.entry:
            continue
        if any(offer.target in chosen for offer in step.taken):
            refused = [offer.target for offer in step.offers if not offer.taken]
            for place, name in enumerate(refused[:RIVALS]):
                found[name] = min(place, found.get(name, place))
    return sorted(found, key=lambda name: found[name])


def _others(plot: Plot, chosen: dict[str, None], most: int) -> list[str]:
    """Questions, and things that are joined to what is drawn; those joined to most of it."""
    names = [name for name in plot.columns.of if plot.cast.kind(name) != "passage"]
    questions = [name for name in names if plot.cast.kind(name) == "query"]
    joined = dict.fromkeys(names, 0)
    for line in plot.cast.lines:
        for one, other in ((line.source, line.target), (line.target, line.source)):
            if one in joined and other in chosen:
                joined[one] += 1
    mass = plot.last.mass
    things = [name for name in names if joined[name] and name not in questions]
    things.sort(key=lambda name: (joined[name] < 2, -(mass[name].score if name in mass else 0.0)))
    return (questions + things)[: OTHERS * most // MOST]


def groups(
    plot: Plot, shown: frozenset[str], placed: Iterable[str]
) -> Iterator[tuple[int, str, list[str]]]:
    """(column, what they are, the nodes) of what is not drawn one by one.

    What has a column in which nothing is `placed` counts at the one left of it; what spreads has
    none.
    """
    drawn = {plot.columns.of[name] for name in placed} or {0}
    found: dict[int, list[str]] = {}
    for name, column in plot.columns.of.items():
        if name not in shown:
            near = max((one for one in drawn if one <= column), default=min(drawn))
            near = 0 if plot.field else near
            found.setdefault(near, []).append(name)
    for column, names in sorted(found.items()):
        yield column, _called(plot, names), names


def _called(plot: Plot, names: list[str]) -> str:
    kept = {hit.passage_id for hit in plot.last.hits}
    led_nowhere = set(names) <= set(plot.last.entries) - kept
    return "other seeds that led nowhere" if led_nowhere else "more"
