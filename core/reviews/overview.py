"""What a report says of the run that was reviewed: what its retrievers found, how much gold was
left at each gate, and the groups of questions that lost it, each with what would keep it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from core.artefacts.workbench import Workbench
from core.funnel.flow import Rung, ladder
from core.reviews.clusters import LOST, Cluster, clusters_of
from core.reviews.mend import summed
from core.runs import Run, Runs
from core.runs.board import Standing, standings
from core.runs.rescuing import all_known


@dataclass(frozen=True, slots=True)
class Group:
    """Questions that are alike and lost gold at the same stage; `kept` are sentences on what would
    keep it, as far as that was looked for."""

    alike: Cluster
    kept: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Overview:
    """A run as a whole, whatever of it was reviewed.

    `ladders` have the retrievers of which it is known where they lost gold, `groups` those that
    were reviewed.
    """

    run: Run
    standings: tuple[Standing, ...]
    ladders: Mapping[str, tuple[Rung, ...]]
    groups: Mapping[str, tuple[Group, ...]]


def overview(run: Run, workbench: Workbench, reviewed: Collection[str]) -> Overview:
    """Of `run`, of whose retrievers `reviewed` were; no question is asked again.

    Raises
    ------
    StoreError : the runs, or what was looked for, cannot be read.
    """
    runs = Runs(workbench.index.path)
    staged = {one: runs.stages(run.id, one) for one in run.retrievers}
    return Overview(
        run=run,
        standings=tuple(standings(runs, run)),
        ladders={one: ladder(stages) for one, stages in staged.items() if stages},
        groups={
            one: _groups(runs, run, workbench, one) for one in run.retrievers if one in reviewed
        },
    )


def _groups(runs: Runs, run: Run, workbench: Workbench, retriever: str) -> tuple[Group, ...]:
    rows = list(runs.every(run.id, retriever, LOST))
    known = all_known(run, rows, workbench)
    by_id = {row.question.id: (row, found) for row, found in zip(rows, known, strict=True)}
    told = []
    for alike in clusters_of(runs, run.id, retriever):
        inside, found = zip(*(by_id[one] for one in alike.questions), strict=True)
        # Of a ranking that was made elsewhere no change can be tried.
        kept = summed(inside, found) if run.configuration(retriever) else []
        told.append(Group(alike, tuple(kept)))
    return tuple(told)
