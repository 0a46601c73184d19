"""The part of a job that evaluates a run."""

from dataclasses import replace

from core.artefacts.opening import open_workbench
from core.jobs.job import Job
from core.jobs.journal import Journal
from core.jobs.maker import embedder_of, metered
from core.jobs.named_models import naming
from core.models.embedder import Embedder
from core.models.known_vectors import KnownVectors
from core.models.oracle import Oracle
from core.progress import Progress, Report
from core.retrievers import Spec
from core.runs.measuring import measure
from core.runs.question_vectors import read_vectors
from core.runs.run import Run
from core.runs.store import Runs
from core.settings import settings
from core.settings_search import search
from core.store.background_verification import verifying
from core.store.metadata import Meta
from core.store.tables import read_meta
from core.studies.measuring import models_of

STAGE = "ask"
"""What the asking is called; what has to be made before has stages of its own."""
WARM_UP = "warm-up"
"""What precedes the first question."""


def evaluate(job: Job, journal: Journal, report: Report) -> Meta:
    """Measure the rest of the run of `job`; return the metadata of its index.

    Raises
    ------
    InputError : there is no such run, or its index is not what it was.
    StoreError : a file of the index is damaged.
    """
    meta = read_meta(job.index)
    run = Runs(job.index).get(job.run)
    oracle, progress = _model(job, run, journal, report)
    with verifying(job.index, meta):
        embedder, progress = _embedder(job, run, meta, journal, progress)
        progress(Progress("open", 0, 1))
        bench = open_workbench(job.index, embedder, oracle, making=progress)
    progress(Progress("embed", 0, run.questions))

    def counted(done: int, total: int) -> None:
        progress(Progress(STAGE, done, total))

    if run.is_search:
        search(run, bench, counted)
    else:
        measure(run, bench, counted, warming=lambda: progress(Progress(WARM_UP, 0, 1)))
    return meta


def _embedder(
    job: Job, run: Run, meta: Meta, journal: Journal, report: Report
) -> tuple[Embedder, Report]:
    """Return the embedder, as `embedder_of`; it is loaded only if the run lacks a vector."""
    name = meta.embedder.name
    if vectors := read_vectors(job.place, run, meta.embedder):
        return KnownVectors(
            meta.embedder, vectors, lambda: embedder_of(job, name, journal, report)[0]
        ), report
    report(Progress("load", 0, 1))
    return embedder_of(job, name, journal, report)


def _model(job: Job, run: Run, journal: Journal, report: Report) -> tuple[Oracle | None, Report]:
    """Return the configured model if one is called, and a report that includes its cost."""
    endpoint = naming(settings().endpoint, models_of(run))
    specs = [Spec.parse(each.retriever) for each in run.columns if each.configuration]
    asks = run.settings.get("answers") or any(spec.asks_model for spec in specs)
    if endpoint is None or not asks:
        return None, report
    oracle, meter = metered(job.index, endpoint, job.leave, job.budget)
    journal.meter = meter
    return oracle, lambda progress: report(replace(progress, spending=meter.spending))
