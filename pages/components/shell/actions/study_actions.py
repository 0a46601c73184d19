"""Run, add and delete studies, as an editor."""

from dataclasses import replace
from pathlib import Path

from core import jobs
from core.jobs.study import studies_folder, study_job
from core.models.money.budget import Budget
from core.places import Place
from core.settings import settings
from core.studies import read_study
from core.studies.shelf import add_own_study, delete_own_study, embedders_of
from pages.components.shell import model_servers
from pages.components.shell.actions.index_actions import fetch
from pages.components.shell.actions.permissions import need_editor
from pages.components.shell.visitors import access


def start_study(path: Path, source: Place | None, budget: Budget) -> None:
    """Run a study in a separate process, from where it stopped if it has run before.

    Parameters
    ----------
    source : the index to run on, if the study names no data.
    """
    job = study_job(path, str(source.absolute()) if source else "", budget)
    by = need_editor("run a study", path.stem)
    for embedder in embedders_of(read_study(path)):
        fetch(embedder)
    jobs.start(replace(job, by=by), model_servers.environ_of_jobs())


def add_study(text: str, name: str) -> Path:
    """Store a study written by a visitor and return its path.

    Raises
    ------
    InputError : it is no study, or names a file that this server does not let visitors read.
    """
    need_editor("add a study", name)
    roots = () if access.is_reachable() else settings().roots
    return add_own_study(text, name, studies_folder(), roots)


def delete_study(path: Path) -> None:
    """Delete the file of a visitor's study. Its runs stay with their indexes."""
    need_editor("delete a study", path.stem)
    delete_own_study(path, studies_folder())
