"""Overview of the reviewed run for a report: measures, gates, groups of losses, fixes and their
effects.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from core.artefacts.workbench import Workbench
from core.funnel.flow import Rung, ladder
from core.reviews.losses.change_effect import Effect, effect_of, run_with_retriever
from core.reviews.losses.clusters import LOST, Cluster, clusters_of
from core.reviews.losses.common_fix import fix_summary
from core.reviews.losses.group_values import Mend, mend
from core.runs import Run, Runs
from core.runs.analysis.leaderboard import LeaderboardRow, leaderboard_rows
from core.runs.fixes import Found, all_known


@dataclass(frozen=True, slots=True)
class Group:
    """Questions that lost gold for one cause; `kept` are sentences on what would keep it, as far as
    that was looked for."""

    alike: Cluster
    kept: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tried:
    """A change that was run on all questions, and its effect; `inside` are those that lost gold
    before.
    """

    mend: Mend
    effect: Effect


@dataclass(frozen=True, slots=True)
class Overview:
    """A run as a whole, whatever of it was reviewed.

    `ladders` have the retrievers of which it is known where they lost gold, `groups` and `tried`
    those that were reviewed.
    """

    run: Run
    leaderboard: tuple[LeaderboardRow, ...]
    ladders: Mapping[str, tuple[Rung, ...]]
    groups: Mapping[str, tuple[Group, ...]]
    tried: Mapping[str, tuple[Tried, ...]]


def overview(run: Run, workbench: Workbench, reviewed: Collection[str]) -> Overview:
    """Summarise `run` and the losses of its `reviewed` retrievers, from stored results.

    Raises
    ------
    StoreError : the runs, or the stored fixes, cannot be read.
    """
    runs = Runs(workbench.index.path)
    staged = {one: runs.stages(run.id, one) for one in run.retrievers}
    by_retriever = {
        one: _groups_and_fixes(runs, run, workbench, one)
        for one in run.retrievers
        if one in reviewed
    }
    return Overview(
        run=run,
        leaderboard=tuple(leaderboard_rows(runs, run)),
        ladders={one: ladder(stages, one) for one, stages in staged.items() if stages},
        groups={one: groups for one, (groups, _) in by_retriever.items()},
        tried={one: tried for one, (_, tried) in by_retriever.items()},
    )


def _groups_and_fixes(
    runs: Runs, run: Run, workbench: Workbench, retriever: str
) -> tuple[tuple[Group, ...], tuple[Tried, ...]]:
    """Return the groups of lost questions of a retriever, and the changes that were evaluated."""
    rows = list(runs.every(run.id, retriever, LOST))
    known = all_known(run, rows, workbench)
    by_id = {row.question.id: (row, fixes) for row, fixes in zip(rows, known, strict=True)}
    groups, mends = [], [_mend(known)]
    for alike in clusters_of(runs, run.id, retriever, workbench.index):
        inside, fixes = zip(*(by_id[one] for one in alike.questions), strict=True)
        # Of a ranking that was made elsewhere no change can be tried.
        kept = fix_summary(inside, fixes) if run.configuration(retriever) else []
        groups.append(Group(alike, tuple(kept)))
        mends.append(_mend(fixes))
    wanted = {one.retriever: one for one in mends if one}
    tried = (
        Tried(one, effect_of(runs, (run, retriever), (again, one.retriever)))
        for one in wanted.values()
        if (again := run_with_retriever(runs, run, one.retriever))
    )
    return tuple(groups), tuple(tried)


def _mend(known: Iterable[Found]) -> Mend | None:
    return mend(one for fixes in known for one in fixes.values())
