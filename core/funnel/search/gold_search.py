"""Search for the changes that retrieve one lost gold passage, cheap replays first."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from core.artefacts.hop_graph import GRAPH
from core.artefacts.workbench import Workbench
from core.counterfactual import Seed
from core.funnel.brackets import Bracket
from core.funnel.changes import (
    KINDS,
    START,
    Change,
    Dial,
    Kind,
    at_value,
    dials,
    effective_value,
    followers,
    turns,
    variants,
)
from core.funnel.data import Fate
from core.funnel.placed_settings import differing_settings, settings_within, with_value
from core.funnel.rescue import TRIED, Rescue, cost
from core.funnel.search.chains import chain
from core.funnel.search.edges import Place, neighbours, places, untaken_edges_to
from core.funnel.search.outcomes import Outcomes
from core.funnel.search.pairs import EDGES, Kept, as_dial, pair
from core.funnel.search.smallest_value import SmallestValue
from core.retrievers import Spec

HALVES, MOST_HALVES = 2, 8
"""How often a change of a weight, and of a count, is halved to find a smaller one."""
OTHERS = 2
"""Changes of other kinds listed beside the cheapest one, and beside those of `LAST`."""
LAST: tuple[Kind, ...] = ("top_k", "start")
"""Kinds that say least about why gold was lost."""


@dataclass(frozen=True)
class GoldSearch:
    """The search for one gold passage.

    Parameters
    ----------
    whole : the retrieval without a change.
    fate : what became of the passage there.
    """

    outcomes: Outcomes
    whole: Bracket
    workbench: Workbench
    fate: Fate

    def best(self) -> Rescue | None:
        """Return the cheapest change, with the cheapest of some other kinds beside it."""
        if not self.outcomes.passages:
            return None
        kinds: dict[Kind, Rescue] = {}
        self._add(kinds, self._single_fixes())
        several = None if kinds else self._combined_fix()
        if several and not several.paired:
            self._add(kinds, [several])
        if not kinds:
            self._add(kinds, map(self._values.between, dials(self._spec)))
        stopped = self.outcomes.replays.stopped
        if not kinds:
            best = several or self.outcomes.nearest
            return best and replace(best, undecided=stopped)
        return replace(self._listed(kinds), stopped=stopped)

    def suggest(self) -> None:
        """Try the changes that the nearest misses suggest, before others, as the budget may end."""
        for dial in dials(self._spec):
            for one in variants(self._spec, dial):
                for value in self._values.suggested(one):
                    self.outcomes.kept(one.to(value))

    @property
    def _spec(self) -> Spec:
        return self.outcomes.spec

    @cached_property
    def _values(self) -> SmallestValue:
        return SmallestValue(self.outcomes, self.whole, self.fate)

    @staticmethod
    def _add(kinds: dict[Kind, Rescue], found: Iterable[Rescue | None]) -> None:
        """Keep the cheapest rescue of each kind."""
        for one in filter(None, found):
            if one.kind not in kinds or cost(one) < cost(kinds[one.kind]):
                kinds[one.kind] = one

    def _listed(self, kinds: dict[Kind, Rescue]) -> Rescue:
        """Return the cheapest of `kinds` with the others in their order."""
        last = [one for kind, one in kinds.items() if kind in LAST]
        early = sorted((o for kind, o in kinds.items() if kind not in LAST), key=cost)[: OTHERS + 1]
        first, *others = sorted([*early, *last], key=cost)
        reached = {"edge", "start"} & kinds.keys()
        near = None if reached else self._reaching_change()
        return replace(first, others=(*others, *([near] if near else [])))

    def _single_fixes(self) -> Iterator[Rescue | None]:
        """Yield the rescue of each setting, edge and start, what has few values first.

        Choices, edges, starts and hops come first, then weights and smaller counts, which have a
        handful of values each, then counts turned up, and top k with its long list of values last.
        """
        others = sorted(turns(self._spec), key=len)
        numbers = {kind: [one for one in dials(self._spec) if one.kind == kind] for kind in KINDS}
        yield from (self._first(some) for some in others if len(some) < 2)
        yield self._edge()
        yield self._cheapest(self._starts())
        yield from map(self._values.of, numbers["hop"])
        yield from (self._first(some) for some in others if len(some) > 1)
        yield from map(self._values.of, numbers["count"])
        yield from map(self._values.of, numbers["top_k"])

    def _first(self, changes: Sequence[Change]) -> Rescue | None:
        """Return the first of `changes` that retrieves the passage, or a smaller one."""
        for change in changes:
            if fix := self.outcomes.kept(change):
                return self._nearer(change) or fix
        return None

    def _nearer(self, change: Change) -> Rescue | None:
        """Return a change to a value closer to the present one that also works, or None.

        The distance is halved repeatedly, `HALVES` times for a setting that is not a count.
        """
        changed = differing_settings(self._spec, change.spec)
        place, value = changed[0]
        of, one = next((of, one) for at, of, one in settings_within(self._spec) if at == place)
        if len(changed) > 1 or one.kind not in (int, float) or isinstance(value, str | Spec):
            return None
        failed, best, fix = effective_value(of, one), float(value), None
        for _ in range(HALVES if one.kind is float else MOST_HALVES):
            middle = (failed + best) / 2
            typed = round(middle) if one.kind is int else round(middle, 2)
            if typed in (failed, best):
                break
            other = at_value(change, with_value(change.spec, place, typed), typed)
            if nearer := self.outcomes.kept(other):
                best, fix = typed, nearer
            else:
                failed = typed
        return fix

    def _combined_fix(self) -> Rescue | None:
        """Return several changes that retrieve it, or the one of them that is enough."""
        kept = self.outcomes.kept
        ways = [kept, self.outcomes.kept_holding] if followers(self._spec) else [kept]
        fixes = [one for one in map(self._together, ways) if one]
        return min(fixes, key=lambda one: (one.changes, cost(one)), default=None)

    def _together(self, kept: Kept) -> Rescue | None:
        firsts: list[Dial] = [*map(as_dial, (*self._direct[:EDGES], *self._starts()))]
        replays = self.outcomes.replays
        return chain(self._spec, replays, kept) or pair(self._spec, firsts, replays, kept)

    def _starts(self) -> list[Change]:
        """Return the changes that start the walk at the passage itself."""
        if not self._places:
            return []
        return [
            Change("start", START, self._spec, (Seed(name, added=True),))
            for name in sorted(self.outcomes.passages - _seeds(self.whole))
        ]

    def _reaching_change(self) -> Rescue | None:
        """Return an edge or a start that reaches the passage and does not retrieve it."""
        changes = (*self._direct[:TRIED], *self._starts())
        return next(filter(None, map(self.outcomes.reached, changes)), None)

    @cached_property
    def _places(self) -> dict[str, Place]:
        return places(self.whole)

    @cached_property
    def _direct(self) -> list[Change]:
        """Edges to the passage from nodes where the walk had a choice."""
        return self._edges_to(self.outcomes.passages)

    def _edges_to(self, targets: Collection[str]) -> list[Change]:
        if not self._can_follow:
            return []
        return untaken_edges_to(targets, self._spec, self._places, self.workbench)

    @property
    def _can_follow(self) -> bool:
        """Whether the walk had a choice and the passage is within reach."""
        return bool(self._places) and self.fate.stage != "far"

    def _edge(self) -> Rescue | None:
        """Return the cheapest edge to follow: to the passage, or else to one of its neighbours."""
        return self._cheapest(self._direct) or self._cheapest(
            self._edges_to(self._gold_neighbours())
        )

    def _gold_neighbours(self) -> list[str]:
        """Return the passages that have an edge to the gold and that the walk did not reach."""
        if not self._can_follow:
            return []
        index, graph = self.workbench.index, self.workbench.get(GRAPH)
        numbers = (index.number[name] for name in sorted(self.outcomes.passages))
        ends = {node for gold in numbers for _, node in neighbours(graph, gold)}
        beside = (index.ids[node] for node in sorted(ends))
        known = {*self._places, *self.outcomes.passages}
        return [name for name in beside if name not in known]

    def _cheapest(self, changes: Sequence[Change]) -> Rescue | None:
        """Try the first `TRIED` changes and return the cheapest that retrieves the gold, if any.

        Stop at a change without further judgements or lost gold: no other is cheaper.
        """
        cheapest: Rescue | None = None
        for change in changes[:TRIED]:
            rescue = self.outcomes.kept(change)
            if rescue and (cheapest is None or cost(rescue) < cost(cheapest)):
                cheapest = rescue
            if cheapest and not (cheapest.extra or cheapest.lost):
                break
        return cheapest


def _seeds(bracket: Bracket) -> frozenset[str]:
    """Return the seeds of a retrieval and of those inside of it."""
    return frozenset(bracket.seeds).union(*map(_seeds, bracket.inner))
