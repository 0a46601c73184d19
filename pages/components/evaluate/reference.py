"""What a run is set against where nobody says otherwise."""

from collections.abc import Sequence

from core.retrievers import Spec
from core.runs import Other, Run, Runs
from pages.components.evaluate.reading import standings_of


def reference(run: Run, found: Sequence[Run], runs: Runs, measure: str) -> Other:
    """Of a trial what it is a trial of; else the baseline that was named, or else the best one."""
    if parents := of_trial(run, found):
        return Other(parents[0][0].id, parents[0][1])
    named = str(run.settings.get("baseline", ""))
    if named in run.retrievers[1:]:
        return Other(run.id, named)  # the first one stands there where none was named
    means = {one.retriever: one.measures[measure].mean for one in standings_of(runs, run)}
    return Other(run.id, max(run.retrievers, key=lambda one: means.get(one) or 0.0))


def of_trial(run: Run, found: Sequence[Run]) -> list[tuple[Run, str]]:
    """The retrievers of the run that `run` is a trial of, which it asked with a change."""
    parent = next((one for one in found if one.id == run.settings.get("trial_of")), None)
    if parent is None:
        return []
    keys = {spec.card.key for name in run.retrievers if (spec := Spec.known(name))}
    return [
        (parent, name)
        for name in parent.retrievers
        if (spec := Spec.known(name)) and spec.card.key in keys
    ]
