"""The cheapest single change that would have retrieved gold that was lost.

Cheapest is what asks for the fewest choices more than before; where two ask for as many, a
higher top_k comes before further hops, those before an edge taken, that before what a retriever
made of others takes of them. Every rescue is one that was run.

Rounds are tried one after another. Any other setting is turned up by doubling steps and then by
bisection, so it is the smallest value as long as what is kept at one value is kept at a higher one.
Of edges those are tried that lead to the gold from where the walk had a choice, and then those that
lead beside it, at most `TRIED` of each.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from core.artefacts.hop_graph import GRAPH
from core.artefacts.workbench import Workbench
from core.counterfactual import written
from core.funnel.brackets import Bracket, outermost
from core.funnel.changes import (
    KINDS,
    Change,
    Dial,
    Kind,
    dials,
    edges_to,
    in_words,
    neighbours,
    places,
)
from core.funnel.data import Fate
from core.funnel.reach import standing_for
from core.funnel.replay import Replayed, Replays
from core.playback.wording import number
from core.retrievers import Spec
from core.steps import Step

TRIED = 24
"""Edges that are tried for one gold passage, of those that lead to it, and beside it."""


@dataclass(frozen=True, slots=True)
class Rescue:
    """A single change with which `gold` is kept, at `rank`.

    Parameters
    ----------
    change : what it is, as 'top_k 20 to 23'; `told` says it in words.
    retriever, amendments : what to ask (`Spec`, `core.counterfactual.parse`).
    extra : lists to take from more than before, at least 0.
    seeds : how many more a walk starts with: from one of them it may reach what it did not before.
    """

    gold: str
    kind: Kind
    change: str
    retriever: str
    amendments: str
    extra: int
    rank: int
    seeds: int = 0

    def __str__(self) -> str:
        """A phrase for people.

        >>> print(Rescue("a", "top_k", "top_k 20 to 23", "bm25(top_k=23)", "", 0, 22))
        top k 23 instead of 20, which puts it at rank 22 and looks at no more lists
        """
        more = more_looked_at(self.extra, self.retriever)
        starts = f", with {number(self.seeds, 'more seed')}" if self.seeds else ""
        return f"{self.told}, which puts it at rank {self.rank} and {more}{starts}"

    @property
    def told(self) -> str:
        """The change in words."""
        return in_words(self.change, Spec.parse(self.retriever))

    def to_json(self) -> dict[str, Any]:
        """All fields, as `from_json` reads them."""
        return asdict(self)

    @staticmethod
    def from_json(raw: Mapping[str, Any]) -> "Rescue":
        """The rescue that `to_json` wrote."""
        return Rescue(**raw)


def looked_at(retriever: Spec | str) -> str:
    """What a retriever takes something from, in the singular; of a passage, from its edges."""
    return "passage" if Spec.of(retriever).card.direction else "list"


def more_looked_at(extra: float, retriever: Spec | str) -> str:
    """What `extra` is, in words.

    >>> more_looked_at(1, "hoprag-coverage"), more_looked_at(2.5, "raptor")
    ('looks at 1 more passage', 'looks at 2.5 more lists')
    """
    if not extra:
        return f"looks at no more {looked_at(retriever)}s"
    what = f"more {looked_at(retriever)}"
    if extra == int(extra):
        return f"looks at {number(int(extra), what)}"
    return f"looks at {extra:.1f} {what}s"


def tried(retriever: Spec | str) -> str:
    """What is tried before it is said that nothing keeps a gold passage, one change at a time.

    >>> tried("bm25(top_k=20)")
    'top k up to 100 instead of 20'
    >>> tried("hoprag-similarity(n_hop=7)").partition(", take ")[0]
    'top k up to 100 instead of 20, up to 8 hops instead of 7'
    """
    spec = Spec.of(retriever)
    most = [dial.to(dial.high).text for dial in dials(spec) if dial.low <= dial.high]
    turned = [in_words(text.replace(" to ", " to up to ", 1), spec) for text in most]
    walks = any(one.card.direction for one in spec.all_of_it())
    edges = [f"take one edge to it or beside it ({TRIED} of each at most)"] if walks else []
    return ", ".join([*turned, *edges])


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
    spec, whole = Spec.of(retriever), outermost(steps)
    replays = Replays(workbench, query)
    lost = {fate.gold: fate for fate in found if fate.lost}
    passages = {gold: standing_for(gold, workbench.index, stands or {}) for gold in lost}
    return {
        gold: _Search(spec, whole, workbench, replays, fate, frozenset(passages[gold])).best()
        for gold, fate in lost.items()
    }


@dataclass(slots=True)
class _Search:
    """For one gold, all changes that may keep it."""

    spec: Spec
    whole: Bracket
    workbench: Workbench
    replays: Replays
    fate: Fate
    passages: frozenset[str]

    def best(self) -> Rescue | None:
        if not self.passages:
            return None
        found = self._edge()
        for dial in sorted(dials(self.spec), key=lambda dial: KINDS.index(dial.kind)):
            tried = self._turned(dial, found.extra if found else None)
            if tried and (found is None or _cost(tried) < _cost(found)):
                found = tried
        return found

    def _edge(self) -> Rescue | None:
        """The cheapest of the edges that lead to it; or else of those that lead beside it."""
        looked = places(self.whole)
        if not looked or self.fate.stage == "far":
            return None
        direct = edges_to(self.passages, self.spec, looked, self.workbench)
        return self._cheapest(direct) or self._cheapest(
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
            if tried and (found is None or tried.extra < found.extra):
                found = tried
            if found and not found.extra:
                break
        return found

    def _turned(self, dial: Dial, bound: int | None) -> Rescue | None:
        """The smallest value of a setting that keeps it with at most `bound` choices more."""
        low = self._least(dial)
        if low is None or low > dial.high:
            return None
        failed, value, step = low - 1, low, 1
        while not self._kept(dial.to(value)):
            more = self._more(dial.to(value))
            if value == dial.high or more is None or (bound is not None and more > bound):
                return None
            failed, value = value, min(value + step, dial.high)
            step = step if dial.kind == "hop" else 2 * step
        while value - failed > 1:
            middle = (failed + value) // 2
            if self._kept(dial.to(middle)):
                value = middle
            else:
                failed = middle
        return self._kept(dial.to(value))

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
        return self.replays.run(change.spec, change.amendments)

    def _rank(self, ran: Replayed | None) -> int | None:
        ranks = ran.ranks if ran else {}
        return min((ranks[name] for name in self.passages if name in ranks), default=None)

    def _more(self, change: Change) -> int | None:
        """Choices more than before."""
        ran, before = self._run(change), self.replays.run(self.spec)
        return max(0, ran.judgements - before.judgements) if ran and before else None

    def _more_seeds(self, change: Change) -> int:
        ran, before = self._run(change), self.replays.run(self.spec)
        return max(0, ran.seeds - before.seeds) if ran and before else 0

    def _kept(self, change: Change) -> Rescue | None:
        rank, extra = self._rank(self._run(change)), self._more(change)
        if rank is None or extra is None:
            return None
        return Rescue(
            gold=self.fate.gold,
            kind=change.kind,
            change=change.text,
            retriever=str(change.spec),
            amendments=written(change.amendments),
            extra=extra,
            rank=rank,
            seeds=self._more_seeds(change),
        )


def _cost(rescue: Rescue) -> tuple[int, int]:
    return rescue.extra, KINDS.index(rescue.kind)
