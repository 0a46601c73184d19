"""A study as a job: build its indexes, then evaluate on each, each as a job within this one."""

from collections.abc import Callable
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import TypeAlias

from core.artefacts.opening import open_workbench, oracle_of
from core.artefacts.workbench import Workbench
from core.hop_graph.pseudo_queries import RULES
from core.jobs.job import Job
from core.jobs.named_models import naming
from core.jobs.state import state
from core.models.money.budget import NO_BUDGET, Budget
from core.places import place_of
from core.progress import Progress, Report
from core.settings import Endpoint, settings
from core.store.graph_limits import HIGHEST, GraphLimits
from core.store.metadata import Meta
from core.store.tables import last_meta, read_meta
from core.studies.definition import Study
from core.studies.measuring import study_run
from core.studies.reading import read_study
from core.studies.variants import Variant, variants_of
from core.text.import_sources import is_made_elsewhere

Do: TypeAlias = Callable[[Job, Report], Meta]
_LEAST_MONEY = 1e-9  # dollars


def study_job(path: Path, source: str = "", budget: Budget = NO_BUDGET) -> Job:
    """Return the job that runs the study of a file.

    Parameters
    ----------
    source : the index to run on, for a study that names no data of its own.

    Raises
    ------
    InputError : the file holds no study.
    """
    file = read_study(path.resolve()).path
    made = blake2b(f"{file}\n{source}".encode(), digest_size=4).hexdigest()
    place = studies_folder() / f"{file.stem}-{made}"
    return Job("study", place, files=(file,), source=source, budget=budget)


def studies_folder() -> Path:
    """Return the folder of studies that were added, and of the journals of all."""
    return settings().home / "studies"


def asks_model(study: Study) -> bool:
    """Return whether a study calls a language model where one is configured."""
    makers = (
        value for name, values in study.build if name in ("maker", "extraction") for value in values
    )
    by_model = any(
        not (str(one).startswith(RULES.name) or is_made_elsewhere(str(one))) for one in makers
    )
    return study.answers or by_model or any(spec.asks_model for spec in study.retrievers)


def run_study(job: Job, report: Report, do: Do) -> Meta:
    """Run the rest of the study of `job`; return the metadata of its last index.

    Parameters
    ----------
    do : does a job within this one.

    Raises
    ------
    InputError : the study or its data cannot be used.
    BudgetReached : its budget is used up; what was measured is kept.
    """
    study = read_study(job.files[0])
    variants = study_variants(study, job.source)
    left = job.budget
    for variant in variants:
        if study.data.files and last_meta(variant.place) is None:
            left = _done(build_job(study, variant), job, left, report, do)
        report(Progress("load", 0, 1))
        run = study_run(study, study_workbench(variant), job.by, variant.models)
        if run.state != "finished":
            work = Job("evaluate", variant.place, run=run.id)
            left = _done(work, job, left, report, do)
    return read_meta(variants[-1].place)


def study_variants(
    study: Study, source: str = "", endpoint: Endpoint | None = None
) -> tuple[Variant, ...]:
    """Return the indexes of a study with its models (`variants_of`).

    Parameters
    ----------
    source : the index that it is run on, for a study that names no data of its own.
    endpoint : the language model, if it is not that of the settings.
    """
    asked = endpoint or settings().endpoint
    given = place_of(source) if source else None
    return variants_of(study, settings().indexes, given, with_model=asked is not None)


def study_workbench(variant: Variant, endpoint: Endpoint | None = None) -> Workbench:
    """Return the index of a variant with its embedder and its models.

    Parameters
    ----------
    endpoint : as for `study_variants`.
    """
    from core.models.embedder import load_embedder  # takes seconds to import

    place = variant.place
    embedder = load_embedder(read_meta(place).embedder.name)
    asked = naming(endpoint or settings().endpoint, variant.models)
    return open_workbench(place, embedder, oracle_of(place, asked))


def build_job(study: Study, variant: Variant) -> Job:
    """Return the job that builds the index of a variant."""
    build = variant.build
    maker, extractor = (str(build.get(name, RULES.name)) for name in ("maker", "extraction"))
    if is_made_elsewhere(maker):
        kind, _, file = maker.partition(":")
        maker = f"{kind}:{(study.path.parent / file).resolve()}"
    return Job(
        "build",
        variant.place,
        files=study.data.files,
        chunking=str(build.get("chunking", "fit")),
        embedder=str(build.get("embedder", "")),
        maker=maker,
        hub_limit=int(build.get("hub_limit", 0)),
        limits=GraphLimits(**{name: int(build.get(name, 0)) for name in HIGHEST}),
        extraction=study.data.openie,
        extractor="" if extractor == RULES.name else extractor,
    )


def _done(work: Job, study: Job, left: Budget, report: Report, do: Do) -> Budget:
    """Run `work` for the job `study` and return the remaining budget."""
    do(replace(work, budget=left, by=study.by, again=study.again), report)
    now = state(work.place)
    paid = now.spending if now else None
    if paid is None:
        return left
    # A budget is never zero: with so little left, the next job ends before its first call.
    money = None if left.money is None else max(left.money - (paid.price or 0.0), _LEAST_MONEY)
    tokens = None if left.tokens is None else max(left.tokens - paid.tokens, 1)
    return Budget(money, tokens)
