"""The single changes that would have retrieved gold that was lost, the cheapest first.

Cheapest is what loses no other gold, and of that what asks for the fewest choices more than before;
where two ask for as many, further hops come before an edge taken, and that before other settings.
A higher top_k comes behind those, whatever it asks for: it retrieves any passage at last, and tells
least of why one was lost. A start at the passage itself comes last: it presumes what is looked for.
Every rescue is one that was run.

What the nearest misses suggest is tried first, of all gold: as much room as the rank that it has
where it was missed. Rounds are tried one after another. Any other setting is turned up by doubling
steps and then by bisection, so it is the smallest value as long as what is kept at one value is
kept at a higher one. Of what says how much is looked at the highest value is tried before that, and
the steps below it later where that does not keep it: more of it may push a passage out again.
Settings that stand for as many as the top k, such as seeds, rise with it. So a larger top k is
tried both ways: with them, and with them at their present values; the cheaper one is told.
Where no single change keeps it, several settings are turned at once (`core.funnel.chains`), and
then an edge or a start with one of them (`core.funnel.pairs`). Where the budget is used up before
all single changes were tried, what was found of several is `undecided`.
Of edges those are tried that lead to the gold from where the walk had a choice, and then those that
lead beside it, at most `TRIED` of each.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain as chained

from core.artefacts.hop_graph import GRAPH
from core.artefacts.workbench import Workbench
from core.counterfactual import Seed, written
from core.funnel.brackets import Bracket, outermost
from core.funnel.chains import chain
from core.funnel.changes import (
    KINDS,
    START,
    TOP_K,
    Change,
    Dial,
    Kind,
    dials,
    edges_to,
    followers,
    holding,
    neighbours,
    places,
    turns,
    variants,
)
from core.funnel.data import Fate
from core.funnel.pairs import EDGES, Kept, as_dial, least, pair
from core.funnel.reach import standing_for
from core.funnel.replay import Asked, ReplayBudget, Replayed, Replays
from core.funnel.rescue import TRIED, Rescue, cost
from core.funnel.steadiness import steadiness
from core.funnel.trials import Trial, Trials
from core.retrievers import Spec
from core.steps import Step
from core.text.display.plurals import number

OTHERS = 2
"""Changes of other kinds that are told beside the cheapest one, and beside those of `LAST`."""
LAST: tuple[Kind, ...] = ("top_k", "start")
"""What tells least of why gold was lost."""


def rescues(
    query: str,
    retriever: Spec | str,
    workbench: Workbench,
    steps: Sequence[Step],
    found: Iterable[Fate],
    stands: Mapping[str, Collection[str]] | None = None,
) -> dict[str, Rescue | None]:
    """The rescue of each lost gold of `found`; None where no change that was tried keeps it.

    Parameters
    ----------
    steps : of `query` by `retriever`, of which `found` are fates.
    stands : the passages that an id stands for, as `fates` was told.
    """
    best = attempts(query, retriever, workbench, steps, found, stands)
    return {name: one if one and one.keeps else None for name, one in best.items()}


def attempts(
    query: str,
    retriever: Spec | str,
    workbench: Workbench,
    steps: Sequence[Step],
    found: Iterable[Fate],
    stands: Mapping[str, Collection[str]] | None = None,
    gold: Collection[str] = (),
    budget: ReplayBudget | None = None,
) -> dict[str, Rescue | None]:
    """What was found of each lost gold of `found` (`looks`); gold of which nothing was found
    within the budget is left out.
    """
    told = looks(query, retriever, workbench, steps, found, stands, gold, budget)
    return {name: look.rescue for name, look in told.items() if not look.open}


@dataclass(frozen=True, slots=True)
class Look:
    """What was found of a lost gold: the `rescue`, and what came of each that was tried.

    Where no change that was tried keeps it, the rescue is the one that came nearest, None if none
    reached it. It is `open` if the `budget` was used up before anything was found, and `late` if
    the time limit of the budget was reached before its number of replays.
    """

    rescue: Rescue | None
    trials: tuple[Trial, ...] = ()
    open: bool = False
    budget: ReplayBudget | None = None
    late: bool = False


def looks(
    query: str,
    retriever: Spec | str,
    workbench: Workbench,
    steps: Sequence[Step],
    found: Iterable[Fate],
    stands: Mapping[str, Collection[str]] | None = None,
    gold: Collection[str] = (),
    budget: ReplayBudget | None = None,
) -> dict[str, Look]:
    """What is found of each lost gold of `found`.

    When the `budget` is used up, of which each gold has its share, what was found is told: what is
    no single change that keeps it is `undecided`, and a look of which nothing came is `open`. The
    result is the same on every machine, unless the time limit of the budget is reached.

    Parameters
    ----------
    steps : of `query` by `retriever`, of which `found` are fates.
    stands : the passages that an id stands for, as `fates` was told.
    gold : ids of all gold of the question; those of `found`, if there are no others.
    """
    spec, whole, ends = Spec.of(retriever), outermost(steps), list(found)
    replays = Replays(workbench, query, budget)
    replays.run(spec)
    lost = {fate.gold: fate for fate in ends if fate.lost}
    all_ = dict.fromkeys([*gold, *(fate.gold for fate in ends)])
    passages = {name: frozenset(standing_for(name, workbench.index, stands or {})) for name in all_}
    searches = [_Search(spec, whole, workbench, replays, fate, passages) for fate in lost.values()]
    for one in searches:
        one.suggest()
    best: list[tuple[Rescue | None, bool]] = []
    for done, one in enumerate(searches):
        with replays.within(replays.left // (len(searches) - done)):
            best.append((one.best(), replays.stopped))
    asked = dict(replays.known)  # what is asked to tell of it is no trial
    return {
        name: Look(
            rescue and _steadied(spec, rescue, passages[name], replays),
            one.trials(asked, stopped=stopped),
            stopped and rescue is None,
            budget,
            replays.late,
        )
        for name, one, (rescue, stopped) in zip(lost, searches, best, strict=True)
    }


def _steadied(spec: Spec, rescue: Rescue, passages: Collection[str], replays: Replays) -> Rescue:
    """The same with the values around it at which it retrieves the gold; so its others."""
    others = tuple(_steadied(spec, one, passages, replays) for one in rescue.others)
    told = steadiness(spec, rescue, passages, replays) if rescue.keeps else ""
    return replace(rescue, steady=told, others=others)


@dataclass(slots=True)
class _Search:
    """For one gold, all changes that may keep it; `nearest` is the best of those that reach it and
    do not.
    """

    spec: Spec
    whole: Bracket
    workbench: Workbench
    replays: Replays
    fate: Fate
    gold: Mapping[str, frozenset[str]]
    nearest: Rescue | None = field(default=None, init=False)

    @property
    def passages(self) -> frozenset[str]:
        return self.gold[self.fate.gold]

    def best(self) -> Rescue | None:
        """The cheapest of all, with the cheapest of some other kinds beside it."""
        if not self.passages:
            return None
        kinds: dict[Kind, Rescue] = {}
        for one in filter(None, self._tried()):
            if one.kind not in kinds or cost(one) < cost(kinds[one.kind]):
                kinds[one.kind] = one
        several = None if kinds else self._several()
        if several and not several.paired:
            kinds[several.kind] = several
        # what takes a replay for each of many values
        between = () if kinds else map(self._between, dials(self.spec))
        others = (next(filter(None, map(self._kept, each)), None) for each in turns(self.spec))
        for turned in filter(None, chained(between, others)):
            if turned.kind not in kinds or cost(turned) < cost(kinds[turned.kind]):
                kinds[turned.kind] = turned
        if not kinds:
            best = several or self.nearest
            return best and replace(best, undecided=self.replays.stopped)
        last = [kinds.pop(kind) for kind in LAST if kind in kinds]
        reached = {"edge", "start"} & {*kinds, *(one.kind for one in last)}
        near = [] if reached else [one for one in [self._near()] if one]
        told = sorted(kinds.values(), key=cost)[: OTHERS + 1]
        first = min([*told, *last], key=cost)
        first = replace(first, stopped=self.replays.stopped)
        return replace(
            first, others=tuple(o for o in (*told, *near, *last) if o.change != first.change)
        )

    def trials(self, asked: Asked, *, stopped: bool) -> tuple[Trial, ...]:
        """What came of each of those `asked`; nothing is of what the index does not hold."""
        if not self.passages:
            return ()
        walks = bool(places(self.whole))
        ask = self.replays.run if self.whole.ranks_everything and not walks else None
        return Trials(self.spec, asked, self.passages, walks, ask, stopped).told()

    def _tried(self) -> Iterator[Rescue | None]:
        """What is known soonest first: the budget may not last for the rest."""
        yield self._edge()
        yield self._cheapest(self._starts())
        turned = list(dials(self.spec))
        for dial in sorted(turned, key=lambda dial: (dial.kind == "count", KINDS.index(dial.kind))):
            yield self._turned(dial)

    def suggest(self) -> None:
        """Try what its nearest misses suggest, so that it is known when the search stops."""
        for turned in dials(self.spec):
            for dial in variants(self.spec, turned):
                for value in self._suggested(dial):
                    self._kept(dial.to(value))

    def _suggested(self, dial: Dial) -> list[int]:
        """As much of a setting as the ranks of its nearest misses, where it is the setting that
        ended the list."""
        fate, now = self.fate, dial.low - 1
        ends = [(fate.k, fate.rank), *((one.taken, one.rank) for one in fate.near)]
        ranks = (rank for taken, rank in ends if taken == now and rank)
        return [rank for rank in dict.fromkeys(ranks) if dial.low <= rank <= dial.high]

    def _several(self) -> Rescue | None:
        """Several changes with which it is kept, or the one of them that is enough."""
        ways = [self._kept, self._kept_holding] if followers(self.spec) else [self._kept]
        found = [one for one in map(self._together, ways) if one]
        return min(found, key=lambda one: (one.changes, cost(one)), default=None)

    def _together(self, kept: Kept) -> Rescue | None:
        firsts = map(as_dial, (*self._direct()[:EDGES], *self._starts()))
        return chain(self.spec, self.replays, kept) or pair(
            self.spec, [*firsts], self.replays, kept
        )

    def _starts(self) -> list[Change]:
        """The walk starts at the passage itself."""
        if not places(self.whole):
            return []
        return [
            Change("start", START, self.spec, (Seed(name, added=True),))
            for name in sorted(self.passages - _seeds(self.whole))
        ]

    def _near(self) -> Rescue | None:
        """A change that reaches it, and does not keep it: it is not for want of a way."""
        for change in (*self._direct()[:TRIED], *self._starts()):
            if near := self._reached(change):
                return near
        return None

    def _reached(self, change: Change) -> Rescue | None:
        ran = self._run(change)
        ranks = [ran.below[name] for name in self.passages if name in ran.below] if ran else []
        if ran is None or not ranks:
            return None
        return replace(self._of(change, min(ranks), 0), short=len(ran.ranks))

    def _direct(self) -> list[Change]:
        looked = places(self.whole)
        if not looked or self.fate.stage == "far":
            return []
        return edges_to(self.passages, self.spec, looked, self.workbench)

    def _edge(self) -> Rescue | None:
        """The cheapest of the edges that lead to it; or else of those that lead beside it."""
        looked = places(self.whole)
        if not looked or self.fate.stage == "far":
            return None
        return self._cheapest(self._direct()) or self._cheapest(
            edges_to(self._beside(looked), self.spec, looked, self.workbench)
        )

    def _beside(self, looked: Collection[str]) -> list[str]:
        """Passages with an edge to it where the walk has not been."""
        index, graph = self.workbench.index, self.workbench.get(GRAPH)
        numbers = (index.number[name] for name in sorted(self.passages))
        ends = {node for gold in numbers for _, node in neighbours(graph, gold)}
        beside = (index.ids[node] for node in sorted(ends))
        return [name for name in beside if name not in looked and name not in self.passages]

    def _cheapest(self, changes: Sequence[Change]) -> Rescue | None:
        found: Rescue | None = None
        for change in changes[:TRIED]:
            tried = self._kept(change)
            if tried and (found is None or cost(tried) < cost(found)):
                found = tried
            if found and not (found.extra or found.lost):
                break
        return found

    def _turned(self, dial: Dial) -> Rescue | None:
        """The smallest value of a setting that keeps it; of its variants the cheaper one."""
        found = [one for one in map(self._least_of, variants(self.spec, dial)) if one]
        return min(found, key=cost, default=None)

    def _least_of(self, dial: Dial) -> Rescue | None:
        if dial.low > dial.high:
            return None
        known = next((one for one in self._suggested(dial) if self._kept(dial.to(one))), None)
        if known:
            return self._kept(dial.to(least(dial.low, known, lambda n: self._kept(dial.to(n)))))
        if self._only_grows(dial) and not self._kept(dial.to(dial.high)):
            return None
        return self._stepped(dial)

    def _between(self, dial: Dial) -> Rescue | None:
        """The same where the highest value does not keep it, and a smaller one may."""
        return self._stepped(dial) if dial.kind == "count" and dial.low <= dial.high else None

    def _stepped(self, dial: Dial) -> Rescue | None:
        """By doubling steps, and then by bisection."""
        low = self._least(dial)
        if low is None or low > dial.high:
            return None
        failed, value, step = low - 1, low, 1
        while not self._kept(dial.to(value)):
            more = self._more(dial.to(value))
            if value == dial.high or more is None:
                return None
            failed, value = value, min(value + step, dial.high)
            step = step if dial.kind == "hop" else 2 * step
        value = least(failed + 1, value, lambda n: self._kept(dial.to(n)))
        return self._kept(dial.to(value))

    def _only_grows(self, dial: Dial) -> bool:
        """Whether more of it only adds to what is ranked; more seeds may push a passage out."""
        if dial.kind == TOP_K:
            return dial.held or not places(self.whole)
        return dial.kind == "count"

    def _least(self, dial: Dial) -> int | None:
        """The first value that is worth a try; None if none is."""
        if dial.kind == "hop":
            return self._least_hops(dial)
        if dial.kind == "top_k" and self.whole.ranks_everything:
            rank = self._rank(self._run(dial.to(dial.high)))
            return None if rank is None else max(dial.low, rank)
        if dial.kind == "top_k" and not self.whole.inner and self.fate.stage == "cut":
            return max(dial.low, self.fate.rank or 0)
        return dial.low

    def _least_hops(self, dial: Dial) -> int | None:
        """What is too far is reached after as many rounds as there are edges to it."""
        if self.fate.stage != "far":
            return dial.low
        return None if self.fate.hop is None else max(dial.low, self.fate.hop)

    def _run(self, change: Change) -> Replayed | None:
        """Return the replay of a change; None if it cannot be applied or changes nothing."""
        ran = self.replays.run(change.spec, change.amendments)
        return ran if ran and ran.applied else None

    def _rank(self, ran: Replayed | None, gold: str = "") -> int | None:
        ranks, those = (ran.ranks if ran else {}), self.gold[gold or self.fate.gold]
        return min((ranks[name] for name in those if name in ranks), default=None)

    def _more(self, change: Change) -> int | None:
        """Choices more than before."""
        ran, before = self._run(change), self.replays.run(self.spec)
        return max(0, ran.judgements - before.judgements) if ran and before else None

    def _more_seeds(self, change: Change) -> int:
        ran, before = self._run(change), self.replays.run(self.spec)
        return max(0, ran.seeds - before.seeds) if ran and before else 0

    def _kept_holding(self, change: Change) -> Rescue | None:
        """The same with what follows the top k at its present value."""
        return self._kept(holding(self.spec, change))

    def _kept(self, change: Change) -> Rescue | None:
        rank, extra = self._rank(self._run(change)), self._more(change)
        if rank is None and change.paired:
            return None
        if rank is None:
            near, best = self._reached(change), self.nearest
            if near and (best is None or near.rank - near.short < best.rank - best.short):
                self.nearest = near
            return None
        return None if extra is None else self._of(change, rank, extra)

    def _of(self, change: Change, rank: int, extra: int) -> Rescue:
        before, ran = self.replays.run(self.spec), self._run(change)
        was = {name for name in self.gold if self._rank(before, name)}
        now = {name for name in self.gold if self._rank(ran, name)}
        return Rescue(
            gold=self.fate.gold,
            kind=change.kind,
            change=change.text,
            retriever=str(change.spec),
            amendments=written(change.amendments),
            extra=extra,
            rank=rank,
            seeds=self._more_seeds(change),
            kept=len(now),
            of=len(self.gold),
            lost=len(was - now),
            ranked=_ranked(ran) - _ranked(before),
            fewer=_fewer(before, ran),
        )


def _ranked(ran: Replayed | None) -> int:
    return len(ran.ranks) + len(ran.below) if ran else 0


def _fewer(before: Replayed | None, ran: Replayed | None) -> str:
    """That it goes less far than before, if it does: more at once may be the end of it."""
    if before is None or ran is None or ran.round != before.round or ran.rounds >= before.rounds:
        return ""
    return f"{number(ran.rounds, ran.round)} instead of {before.rounds:,}"


def _seeds(bracket: Bracket) -> frozenset[str]:
    """What a retrieval starts at already, with those inside of it."""
    return frozenset(bracket.seeds).union(*map(_seeds, bracket.inner))
