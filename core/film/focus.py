"""The focus of a film: the few nodes that it is about, and counts in the stead of the others."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from core.film.leading import leading
from core.film.plot import Plot
from core.steps import Offered, Spread

MOST = 25
"""Passages that are drawn one by one."""
ON_STAGE = 14
"""The same where letters are large."""
OTHERS = 20
"""Nodes of other kinds, such as entities; fewer where passages are."""
RIVALS = 2
"""Passages refused at one place, the best."""
TELLING = 2
"""Passages of each column that are drawn before a third one of another is."""
READ = 6
"""Nodes with which the list of what spreads begins: they are read, so they are drawn."""


def focused(plot: Plot, most: int = MOST, about: Sequence[str] = ()) -> tuple[str, ...]:
    """Gold and what was kept with the paths that led there, what a show is `about`, and what
    competed with them.

    What matters most comes first. All passages where they are few.
    """
    chosen: dict[str, None] = {}
    passages = [name for name in plot.columns.of if plot.cast.kind(name) == "passage"]
    if len(passages) <= most:
        return _once(passages, joined(plot, passages, most))
    gold = [name for name in plot.cast.gold if name in plot.columns.of]
    kept = [hit.passage_id for hit in plot.last.hits if hit.passage_id in plot.columns.of]
    for name in gold:
        _add(plot, chosen, [name], most)
    for name in gold:
        _add(plot, chosen, plot.path(name), most)
    for name in (*leading(plot), *_read(plot)):
        _add(plot, chosen, [name], most)
    for name in about:
        for path in (plot.path(name), [name]):
            _add(plot, chosen, path, most, most // 2 + 1)
    ranked = (row.hit.passage_id for row in plot.last.standings)
    ways = [[at for at in plot.path(name) if at in plot.columns.of] for name in ranked]
    for way in [way for way in ways if len(way) > 1][:TELLING]:
        _add(plot, chosen, way, most)
    for name in (*_stood_for(plot, kept), *_telling(plot, passages)):
        _add(plot, chosen, [name], most)
    rows = most // max(1, len(_columns(plot, chosen))) + 1
    for name in kept:
        _add(plot, chosen, plot.path(name), most, rows)
    columns = _columns(plot, chosen)
    for name in _rivals(plot, chosen):
        if plot.columns.of.get(name) in columns:
            _add(plot, chosen, [name], most, rows)
    return _once(chosen, joined(plot, chosen, most))


def _once(*names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain(*names)))


def spread(
    plot: Plot, rows: Mapping[int, int], led: Sequence[str] = (), about: Sequence[str] = ()
) -> tuple[str, ...]:
    """Of what spreads so many of each column as `rows` says: gold, questions, those that `led` to
    gold, what a show is `about`, what most lists begin with, what ranks best, and what is listed
    first.

    What matters most comes first.
    """
    of = plot.columns.of
    lists = (step.taken for step in plot.steps if isinstance(step, Offered))
    names = dict.fromkeys(
        (
            *plot.cast.gold,
            *plot.cast.questions,
            *led,
            *about,
            *_read(plot),
            *(row.hit.passage_id for row in plot.last.standings),
            *sorted(plot.last.mass, key=lambda name: -plot.last.mass[name].score),
            *(offer.target for offer in chain(*lists)),
        )
    )
    full: Counter[int] = Counter()
    chosen: list[str] = []
    for name in names:
        if name in of and full[of[name]] < rows[of[name]]:
            full[of[name]] += 1
            chosen.append(name)
    return tuple(chosen)


def _add(
    plot: Plot, chosen: dict[str, None], path: Iterable[str], most: int, rows: int = 0
) -> None:
    """A whole path or nothing of it; with `rows` no column has more of them."""
    new = [name for name in path if name in plot.columns.of and name not in chosen]
    passages = [n for n in (*chosen, *new) if plot.cast.kind(n) == "passage"]
    full = Counter(plot.columns.of[name] for name in passages)
    if len(passages) > most or (rows and any(full[plot.columns.of[n]] > rows for n in new)):
        return
    chosen.update(dict.fromkeys(new))


def _columns(plot: Plot, names: Iterable[str]) -> set[int]:
    return {plot.columns.of[name] for name in names}


def _telling(plot: Plot, passages: Sequence[str]) -> list[str]:
    """Of each column what was reached there and ranks best: none is a count alone."""
    ranks = {row.hit.passage_id: row.rank for row in plot.last.standings}
    reached = [name for name in passages if plot.last.roles.get(name, "offered") != "offered"]
    found: dict[int, list[str]] = {}
    for name in sorted(reached, key=lambda name: ranks.get(name, len(ranks) + 1)):
        found.setdefault(plot.columns.of[name], []).append(name)
    return [name for names in found.values() for name in names[:TELLING]]


def _stood_for(plot: Plot, kept: Sequence[str]) -> list[str]:
    """Of each of the first things that were taken, such as summaries, the best passage `kept` that
    it is joined to.
    """
    taken = (one.target for step in plot.steps if isinstance(step, Offered) for one in step.taken)
    things = [name for name in dict.fromkeys(taken) if plot.cast.kind(name) != "passage"]
    found = list[str]()
    for thing in things[:TELLING]:
        lines = (line for line in plot.cast.lines if thing in (line.source, line.target))
        ends = {end for line in lines for end in (line.source, line.target)}
        found += [name for name in kept if name in ends][:1]
    return found


def _read(plot: Plot) -> list[str]:
    """The nodes with which most lists of what spreads begin, as many as one of them begins with."""
    spreads = (step.hits[:READ] for step in plot.steps if isinstance(step, Spread))
    return [name for name, _ in Counter(h.passage_id for h in chain(*spreads)).most_common(READ)]


def _rivals(plot: Plot, chosen: dict[str, None]) -> list[str]:
    """The best passages that were refused where something that is drawn was taken."""
    found: dict[str, int] = {}
    for step in plot.steps:
        if not isinstance(step, Offered) or step.entry:
            continue
        if any(offer.target in chosen for offer in step.taken):
            others = [offer.target for offer in step.offers if not offer.taken]
            for place, name in enumerate(others[:RIVALS]):
                found[name] = min(place, found.get(name, place))
    refused = [name for name in found if plot.cast.kind(name) == "passage"]
    return sorted(refused, key=lambda name: found[name])


def joined(plot: Plot, chosen: Collection[str], most: int) -> list[str]:
    """What led to gold, questions, things with which lists begin, and those that are joined to most
    of what is drawn. No column of things is a count alone, however many questions there are.

    Of a column that is half full of questions only those that led to what is drawn.
    """
    names = [name for name in plot.columns.of if plot.cast.kind(name) != "passage"]
    asked = [name for name in names if plot.cast.kind(name) == "query"]
    full = Counter(plot.columns.of[name] for name in asked)
    led = {end for name in chosen for end in plot.path(name)}
    questions = [n for n in asked if n in led or full[plot.columns.of[n]] <= most // 2]
    ties = dict.fromkeys(names, 0)
    for line in plot.cast.lines:
        for one, other in ((line.source, line.target), (line.target, line.source)):
            if one in ties and other in chosen:
                ties[one] += 1
    mass = plot.last.mass
    told = list(dict.fromkeys(n for n in (*chosen, *_read(plot)) if n in ties))
    things = [n for n in names if ties[n] and n not in {*asked, *told}]
    things.sort(key=lambda name: (ties[name] < 2, -(mass[name].score if name in mass else 0.0)))
    leads = [name for name in leading(plot) if name in ties]
    found = list(dict.fromkeys([*leads, *questions, *told, *things]))[: OTHERS * most // MOST]
    empty = _columns(plot, names) - _columns(plot, (*chosen, *found))
    return [*found, *_first_taken(plot, empty)]


def _first_taken(plot: Plot, columns: Collection[int]) -> list[str]:
    """Of each of these `columns` what was taken first."""
    taken = (one.target for step in plot.steps if isinstance(step, Offered) for one in step.taken)
    found: dict[int, str] = {}
    for name in taken:
        if plot.columns.of.get(name) in columns:
            found.setdefault(plot.columns.of[name], name)
    return list(found.values())


def groups(
    plot: Plot, shown: frozenset[str], placed: Iterable[str]
) -> Iterator[tuple[int, str, list[str]]]:
    """(column, what they are, the nodes) of what is not drawn one by one.

    What has a column in which nothing is `placed` counts at the one left of it.
    """
    drawn = {plot.columns.of[name] for name in placed} or {0}
    found: dict[int, list[str]] = {}
    for name, column in plot.columns.of.items():
        if name not in shown:
            near = max((one for one in drawn if one <= column), default=min(drawn))
            found.setdefault(near, []).append(name)
    for column, names in sorted(found.items()):
        yield column, _called(plot, names), names


def _called(plot: Plot, names: list[str]) -> str:
    kept = {hit.passage_id for hit in plot.last.hits}
    led_nowhere = set(names) <= set(plot.last.entries) - kept
    return "other seeds that led nowhere" if led_nowhere else "more"
