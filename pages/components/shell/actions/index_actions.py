"""Build, extend, rename and delete indexes, as an editor."""

from dataclasses import replace

from core import jobs
from core.artefacts import stored_artefacts
from core.errors import InputError
from core.library import catalogue
from core.models.embedder import fetch_embedder
from core.models.money.budget import Budget
from core.places import Place
from core.settings import BUNDLED_EMBEDDER, settings
from core.shipping import sample
from core.types import EmbedderInfo
from pages.components.shell import index_listing, model_servers
from pages.components.shell.actions.permissions import need_editor
from pages.components.shell.visitors import access


def start(job: jobs.Job) -> None:
    """Start a job. The embedder of a new index must be one that this server allows."""
    by = need_editor(job.kind, job.index.name)
    if job.kind == "build":
        fetch(job.embedder)
    with index_listing.changing():
        jobs.start(replace(job, by=by), model_servers.environ_of_jobs())


def resume(index: Place, budget: Budget | None = None) -> None:
    """Resume a job that stopped early."""
    by = need_editor("resume", index.name)
    with index_listing.changing():
        jobs.resume(index, budget, by, model_servers.environ_of_jobs())


def build_anew(index: Place) -> None:
    """Build an index again from its stored documents."""
    by = need_editor("build anew", index.name)
    with index_listing.changing():
        jobs.build_anew(index, by, model_servers.environ_of_jobs())


def cancel(index: Place) -> None:
    """Cancel the job of an index."""
    need_editor("cancel", index.name)
    with index_listing.changing():
        jobs.cancel(index)


def rename(name: str, wish: str) -> Place:
    """Rename an index and return its new place."""
    need_editor("rename", name)
    with index_listing.changing():
        return catalogue.rename(settings().indexes, name, wish)


def delete(name: str) -> None:
    """Delete an index."""
    need_editor("delete", name)
    with index_listing.changing():
        catalogue.delete(settings().indexes, name)


def install_sample(indexes: Place, embedder: str) -> bool:
    """Unpack the ready-made sample; return False if it has to be built instead."""
    need_editor("make an index", sample.NAME)
    return sample.install(indexes, embedder)


def drop(index: str, artefact: str, embedder: EmbedderInfo) -> None:
    """Delete a structure that was built for an index."""
    need_editor(f"drop {artefact}", index)
    stored_artefacts.drop(catalogue.folder(settings().indexes, index), artefact, embedder)


def fetch(embedder: str) -> None:
    """Make an embedder available on this machine.

    Raises
    ------
    ModelError : it cannot be loaded or reached.
    """
    need_editor()
    need_embedder(embedder)
    fetch_embedder(embedder, model_servers.embedder_server(embedder))


def embedders() -> tuple[str, ...]:
    """Return the embedders that a new index may use on a server that others can reach."""
    now = model_servers.session_settings()
    return tuple(dict.fromkeys((now.embedder, BUNDLED_EMBEDDER, *now.visitors.embedders)))


def need_embedder(name: str) -> None:
    """Raise InputError unless the embedder `name` may be used on this server."""
    served = model_servers.embedder_server(name) is not None
    if access.is_reachable() and not served and name not in ("", *embedders()):
        raise InputError(
            f"This server does not allow the embedder {name!r}. Choose another one, or ask the "
            "administrator to add it to HOPRAG_EMBEDDERS."
        )
