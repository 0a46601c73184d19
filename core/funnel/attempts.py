"""The changes that would have retrieved gold that was lost, the smallest first.

Every change is one that was replayed. The smallest loses no other gold, and of those it examines
the fewest additional lists; ties go to the better rank (`core.funnel.rescue.cost`). A larger top k
comes behind other changes: it retrieves any passage at last, and says least about why one was lost.
Making the passage itself a seed comes last, as it presumes what is looked for.

What the nearest misses suggest is tried first, of all gold; then settings with few values, edges
and seeds; then settings with many values, and top k last (`core.funnel.search.gold_search`). Edges
are those that lead to the gold from where the walk had a choice, and then those to its neighbours.
If no single change retrieves it, several settings are turned at once (`core.funnel.search.chains`),
and then an edge or a seed with one of them (`core.funnel.search.pairs`). If the budget is used up
before all single changes were tried, several at once are `undecided`.

Settings that stand for as many as the top k, such as seeds, rise with it, so a larger top k is also
tried with those at their present values; the smaller change is listed.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

from core.artefacts.workbench import Workbench
from core.funnel.brackets import outermost
from core.funnel.data import Fate
from core.funnel.reach import passages_of_gold_id
from core.funnel.replay import Record, ReplayBudget, Replays
from core.funnel.rescue import Rescue
from core.funnel.search.edges import places
from core.funnel.search.gold_search import GoldSearch
from core.funnel.search.outcomes import Outcomes
from core.funnel.search.probes import MOST, probe
from core.funnel.trials import Trial, Trials
from core.retrievers import Spec
from core.steps import Step

PROBES = MOST
"""Replays that are left for values beyond the fix of each gold passage."""


def rescues(
    query: str,
    retriever: Spec | str,
    workbench: Workbench,
    steps: Sequence[Step],
    found: Iterable[Fate],
    passages_by_gold: Mapping[str, Collection[str]] | None = None,
) -> dict[str, Rescue | None]:
    """Return the fix of each lost gold id in `found`, or None if no change retrieves it.

    Parameters
    ----------
    steps : of `query` by `retriever`, of which `found` are fates.
    passages_by_gold : the passages of each gold id, as given to `fates`.
    """
    best = attempts(query, retriever, workbench, steps, found, passages_by_gold)
    return {name: one if one and one.keeps else None for name, one in best.items()}


def attempts(
    query: str,
    retriever: Spec | str,
    workbench: Workbench,
    steps: Sequence[Step],
    found: Iterable[Fate],
    passages_by_gold: Mapping[str, Collection[str]] | None = None,
    gold: Collection[str] = (),
    budget: ReplayBudget | None = None,
) -> dict[str, Rescue | None]:
    """Return the best change found for each lost gold id (`search_fixes`).

    Gold for which nothing was found within the budget is left out.
    """
    by_gold = search_fixes(
        query, retriever, workbench, steps, found, passages_by_gold, gold, budget
    )
    return {name: look.rescue for name, look in by_gold.items() if not look.open}


@dataclass(frozen=True, slots=True)
class Look:
    """The result of the search for a fix of a lost gold id.

    `rescue` is the fix; if no change retrieves the gold, the change that came nearest, or None.
    `trials` are all changes with their outcomes. `open` says that the `budget` was used up before
    anything was found, `late` that its time limit came before its number of replays.
    """

    rescue: Rescue | None
    trials: tuple[Trial, ...] = ()
    open: bool = False
    budget: ReplayBudget | None = None
    late: bool = False


def search_fixes(
    query: str,
    retriever: Spec | str,
    workbench: Workbench,
    steps: Sequence[Step],
    found: Iterable[Fate],
    passages_by_gold: Mapping[str, Collection[str]] | None = None,
    gold: Collection[str] = (),
    budget: ReplayBudget | None = None,
) -> dict[str, Look]:
    """Search for a fix of each lost gold id in `found`.

    Every gold id has its share of `budget`. When it is used up, what was found is returned:
    anything but a single change that retrieves the gold is `undecided`, and a search without a
    result is `open`. The result is the same on every machine unless the time limit is reached.

    Parameters
    ----------
    steps : the trace of `query` by `retriever`.
    found : the fates of the gold in `steps`.
    passages_by_gold : the passages of each gold id, as given to `fates`.
    gold : ids of all gold of the question; those of `found` by default.
    """
    spec, whole, ends = Spec.of(retriever), outermost(steps), list(found)
    replays = Replays(workbench, query, budget)
    replays.run(spec)
    lost = {fate.gold: fate for fate in ends if fate.lost}
    all_ = dict.fromkeys([*gold, *(fate.gold for fate in ends)])
    passages = {
        name: frozenset(passages_of_gold_id(name, workbench.index, passages_by_gold or {}))
        for name in all_
    }
    searches = [
        GoldSearch(Outcomes(spec, replays, name, passages), whole, workbench, fate)
        for name, fate in lost.items()
    ]
    records: dict[str, Record] = {name: {} for name in lost}
    for one in searches:
        with replays.recording(records[one.fate.gold]):
            one.suggest()
    best: dict[str, tuple[Rescue | None, bool]] = {}
    for done, one in enumerate(searches):
        share = _share(replays, len(searches) - done)
        with replays.within(share), replays.recording(records[one.fate.gold]):
            best[one.fate.gold] = one.best(), replays.stopped
    for name, (rescue, _) in best.items():
        with replays.recording(records[name]):
            for each in (rescue, *rescue.others) if rescue and rescue.keeps else ():
                probe(spec, each, passages[name], replays)
    walks = bool(places(whole))
    ask = replays.run if whole.ranks_everything and not walks else None

    def tried(name: str, stopped: bool) -> Trials:
        return Trials(spec, records[name], passages[name], walks, ask, stopped)

    return {
        name: replace(_look(tried(name, stopped), rescue), budget=budget, late=replays.late)
        for name, (rescue, stopped) in best.items()
    }


def _share(replays: Replays, searches: int) -> float:
    """Return the replays for the next of `searches`, with some left to probe what it finds."""
    left = replays.left - PROBES * searches
    return left if left == inf else max(0, left) // searches


def _look(trials: Trials, rescue: Rescue | None) -> Look:
    """Return the fix, if any, with the values of each change that retrieve the gold, and the
    attempts.
    """
    attempted = trials.told() if trials.passages else ()  # nothing is told of what the index lacks
    fix = rescue and _with_values(rescue, trials)
    return Look(fix, attempted, trials.stopped and rescue is None)


def _with_values(rescue: Rescue, trials: Trials) -> Rescue:
    others = tuple(_with_values(one, trials) for one in rescue.others)
    return replace(rescue, steady=trials.working_values(rescue), others=others)
