"""The stored results of a study, on its own data or on the current index."""

from dataclasses import dataclass

from core.jobs.study import study_job, study_variants
from core.library.catalogue import Listed
from core.places import Place
from core.studies import Results, Study, Variant, results_of
from pages.components.shell import model_servers


@dataclass(frozen=True, slots=True)
class StudyResults:
    """The indexes of a study, each with its models, and its results so far."""

    variants: tuple[Variant, ...]
    results: Results


def has_own_data(study: Study) -> bool:
    """Return whether a study names its data, and does not run on the current index."""
    return bool(study.data.files or study.data.index)


def journal_of(study: Study, entry: Listed) -> Place:
    """Return the place of the job that runs a study."""
    return study_job(study.path, _source(study, entry)).index


def stored_results(study: Study, entry: Listed) -> StudyResults:
    """Return the stored results of a study.

    Raises
    ------
    InputError : a file that the study reads is gone.
    StoreError : its runs cannot be read.
    """
    variants = study_variants(study, _source(study, entry), model_servers.endpoint())
    return StudyResults(variants, results_of(study, variants))


def _source(study: Study, entry: Listed) -> str:
    return "" if has_own_data(study) else str(entry.path.absolute())
