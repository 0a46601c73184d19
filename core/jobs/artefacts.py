"""The part of a job that builds artefacts."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from core.artefacts.base import Artefact, in_order
from core.artefacts.making import Paid, make_artefacts
from core.artefacts.opening import open_workbench
from core.jobs.job import Job
from core.jobs.journal import Journal
from core.jobs.maker import embedder_of, metered
from core.models.oracle import Oracle
from core.progress import Progress, Report, Spending
from core.retrievers.registry import artefacts_of
from core.settings import settings
from core.store.artefact_tables import Shelved
from core.store.metadata import Meta
from core.store.tables import read_meta


def make(job: Job, journal: Journal, report: Report) -> Meta:
    """Make the artefacts of `job` and what they need; returns what is known of their index.

    Raises
    ------
    InputError : there is no artefact of a name, or one asks a model and there is none.
    """
    wanted = artefacts_of(job.artefacts)
    meta = read_meta(job.index)
    oracle = _model(job, wanted, journal)
    embedder, report = embedder_of(job, meta.embedder.name, journal, report)
    meter = journal.meter

    def paid() -> Spending:
        return meter.spending if meter else Spending()

    if meter:
        report = _with_spending(report, paid)
    bench = open_workbench(job.index, embedder, oracle)

    def published(row: Shelved) -> None:
        if row.authorship:
            journal.made[row.name] = row.authorship

    make_artefacts(bench, wanted, report, paid, published)
    return meta


def _model(job: Job, wanted: Iterable[Artefact[Any]], journal: Journal) -> Oracle | None:
    """Return the configured model if an artefact calls one; the cost is logged to `journal`."""
    endpoint = settings().endpoint
    if endpoint is None or not any(each.asks_model for each in in_order(wanted)):
        return None
    oracle, journal.meter = metered(job.index, endpoint, job.leave, job.budget)
    return oracle


def _with_spending(report: Report, paid: Paid) -> Report:
    """Return a function that adds the spending so far to each report of progress."""

    def told(progress: Progress) -> None:
        report(replace(progress, spending=paid()))

    return told
