"""Whatever changes an index, spends money or takes files, held to who may do it.

No page does any of it but through here (a test looks), so that a button that is hidden is not
all that keeps a reader from it.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from core import OpenIndex, import_results, jobs, library, marks, sample
from core.artefacts import shelf
from core.artefacts.workbench import Workbench
from core.errors import HopRagError, InputError
from core.evaluation import standings
from core.evaluation.kept import KeptRankings, kept_passages
from core.jobs.study import studies_folder, study_job
from core.ledger import Act, Ledger
from core.marks import Mark
from core.models.embedder import fetch_embedder
from core.models.leave import Leave
from core.models.money.budget import NO_BUDGET, Budget
from core.pipelines import ImportedResults
from core.places import Place
from core.retrievers import Spec
from core.runs import Row, Run, Runs, measuring, rescuing
from core.servers import EMBEDDER, fixed, names, read_saved, save, server_url, without
from core.settings import BUNDLED_EMBEDDER, SERVER_EMBEDDER, Endpoint, settings
from core.settings_search import begin_search
from core.steps import Step
from core.store.index import Index
from core.studies import read_study
from core.studies.shelf import add_own_study, delete_own_study, embedders_of
from core.types import EmbedderInfo, Query
from pages.components.shell import access, listing, model_servers
from pages.components.shell.signature import signature
from pages.components.shell.visitor import visitor

_LONGEST_MODEL = 200  # characters


def need_editor(what: str = "", about: str = "") -> str:
    """The name of the visitor, who does `what` to the index `about`; it is written down.

    Raises
    ------
    NotAllowed : they are no editor.
    """
    person = visitor()
    person.need_editor()
    if person.name and what:
        Ledger(settings().home).note(person.name, what, about)
    return person.name


def leave(*, again: bool = False) -> Leave:
    """Leave to ask the model, given by a click of an editor; NotAllowed by anybody else."""
    return Leave(need_editor() or "a click", again)


def start(job: jobs.Job) -> None:
    """As `jobs.start`, by this visitor; a new index has an embedder that may be chosen."""
    by = need_editor(job.kind, job.index.name)
    if job.kind == "build":
        fetch(job.embedder)
    with listing.changing():
        jobs.start(replace(job, by=by), model_servers.environ_of_jobs())


def resume(index: Place, budget: Budget | None = None) -> None:
    """As `jobs.resume`, by this visitor."""
    by = need_editor("resume", index.name)
    with listing.changing():
        jobs.resume(index, budget, by, model_servers.environ_of_jobs())


def build_anew(index: Place) -> None:
    """As `jobs.build_anew`, by this visitor."""
    by = need_editor("build anew", index.name)
    with listing.changing():
        jobs.build_anew(index, by, model_servers.environ_of_jobs())


def cancel(index: Place) -> None:
    """As `jobs.cancel`, by this visitor."""
    need_editor("cancel", index.name)
    with listing.changing():
        jobs.cancel(index)


def rename(name: str, wish: str) -> Place:
    """As `library.rename`, by this visitor."""
    need_editor("rename", name)
    with listing.changing():
        return library.rename(settings().indexes, name, wish)


def delete(name: str) -> None:
    """As `library.delete`, by this visitor."""
    need_editor("delete", name)
    with listing.changing():
        library.delete(settings().indexes, name)


def mark_gold(index: Index, question: str, passage_id: str, *, gold: bool, words: str = "") -> None:
    """As `marks.set_gold`, by this visitor; their name stands in the mark, or the one they gave."""
    who = need_editor() or signature()
    marks.set_gold(index, question, passage_id, gold=gold, who=who, words=words)


def move_mark(index: Index, mark: Mark, passage_id: str) -> None:
    """As `marks.move_mark`, by this visitor."""
    marks.move_mark(index, mark, passage_id, need_editor() or signature())


def drop_mark(index: Index, mark: Mark) -> None:
    """As `marks.forget` of one mark, by this visitor."""
    need_editor()
    marks.forget(index, mark.question, mark.name)


def put_mark_back(index: Index, question: str, passage_id: str, before: Sequence[Mark]) -> None:
    """As `marks.put_back`, by this visitor; in the marks stands who made them before."""
    need_editor()
    marks.put_back(index, question, passage_id, before)


def ask_all(
    workbench: Workbench,
    spec: Spec,
    questions: Sequence[Query],
    told: Callable[[int, int], None] | None = None,
    *,
    seconds: float = float("inf"),
) -> None:
    """As `standings.ask_all`, by this visitor: what is found is held with the index."""
    need_editor()
    standings.ask_all(workbench, spec, questions, told, seconds=seconds)


def hold(workbench: Workbench, spec: Spec, question: str, steps: Sequence[Step]) -> None:
    """Hold what an editor's question found, if the index has that question; a reader's is not."""
    kept = kept_passages(steps)
    if not visitor().may_edit or kept is None or not workbench.index.question(question):
        return
    held = KeptRankings.of(workbench)
    if held.ranking(spec, question) != kept:
        held.put(spec, {question: kept})


def evaluate(
    workbench: Workbench,
    questions: Sequence[Query],
    specs: Sequence[Spec],
    *,
    name: str,
    question_set: str,
    budget: Budget,
    answers: bool = False,
    judge: bool = False,
    trial_of: str = "",
) -> Run:
    """Begin a run by this visitor, in a process of its own; no run is kept that cannot begin."""
    by = need_editor("evaluate", workbench.index.name)
    run = measuring.begin(
        workbench,
        questions,
        specs,
        name=name,
        question_set=question_set,
        by=by,
        answers=answers,
        judge=judge,
        trial_of=trial_of,
    )
    return _begun(workbench.index.path, run, budget)


def search_settings(
    workbench: Workbench,
    questions: Sequence[Query],
    base: Spec,
    *,
    name: str,
    question_set: str,
    measure: str,
) -> Run:
    """Begin a search over the settings of `base`, as `evaluate` begins a run."""
    run = begin_search(
        workbench,
        questions,
        base,
        name=name,
        question_set=question_set,
        measured_by=measure,
        by=need_editor("search settings", workbench.index.name),
    )
    return _begun(workbench.index.path, run, NO_BUDGET)


def start_study(path: Path, source: Place | None, budget: Budget) -> None:
    """Run a study by this visitor, in a process of its own; what is left of it, if it was stopped.

    Parameters
    ----------
    source : the index to run on, for a study that names no data of its own.
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
    """Delete the file of a study that a visitor wrote; its runs stay with their indexes."""
    need_editor("delete a study", path.stem)
    delete_own_study(path, studies_folder())


def _begun(index: Place, run: Run, budget: Budget) -> Run:
    """Measure a new run; it is not kept where that cannot begin."""
    try:
        go_on(index, run, budget)
    except HopRagError:
        Runs(index).delete(run.id)
        raise
    return run


def go_on(index: Place, run: Run, budget: Budget | None = None) -> None:
    """Measure what is left of a run, by this visitor."""
    by = need_editor("resume a run", index.name)
    job = jobs.Job("evaluate", index, run=run.id, budget=budget or NO_BUDGET, by=by)
    jobs.start(job, model_servers.environ_of_jobs())


def cancel_evaluation(index: Place) -> None:
    """As `jobs.cancel` of the evaluation of an index, by this visitor."""
    need_editor("cancel", index.name)
    jobs.cancel(jobs.evaluation_place(index))


def rescue(run: Run, row: Row, workbench: Workbench) -> rescuing.Found:
    """As `rescuing.rescued`, by this visitor."""
    need_editor()
    return rescuing.rescued(run, row, workbench)


def search_rescues(some: rescuing.Losses, workbench: Workbench, seconds: float) -> rescuing.Found:
    """As `rescuing.searched`, by this visitor."""
    need_editor()
    return rescuing.searched(some, workbench, seconds)


def install_sample(indexes: Place, embedder: str) -> bool:
    """As `sample.install`, by this visitor."""
    need_editor("make an index", sample.NAME)
    return sample.install(indexes, embedder)


def rename_run(index: Place, run: str, name: str) -> None:
    """As `Runs.rename`, by this visitor."""
    need_editor("rename a run", index.name)
    Runs(index).rename(run, name)


def delete_run(index: Place, run: str) -> None:
    """As `Runs.delete`, by this visitor; not while it is measured."""
    need_editor("delete a run", index.name)
    _check_not_measured(index, run)
    Runs(index).delete(run)


def _check_not_measured(index: Place, run: str) -> None:
    now = jobs.state(jobs.evaluation_place(index))
    if now and now.running and now.job and now.job.run == run:
        raise InputError("This run is still in progress. Cancel it first.")


def import_run(workbench: Workbench, run: str, found: ImportedResults, *, force: bool) -> None:
    """As `core.import_results`, by this visitor."""
    need_editor("import a run", workbench.index.name)
    import_results(OpenIndex(workbench), found, run, force=force)


def begin_imported_run(workbench: Workbench, found: ImportedResults, *, force: bool) -> Run:
    """Begin a run with imported results, which gets their name, by this visitor."""
    runs = Runs(workbench.index.path)
    if any(run.name == found.name for run in runs.all()):
        raise InputError(f"A run named {found.name!r} already exists. Choose another name.")
    import_run(workbench, found.name, found, force=force)
    return next(run for run in runs.all() if run.name == found.name)


def remove_column(index: Place, run: str, retriever: str) -> None:
    """As `Runs.remove_column`, by this visitor; not while the run is measured."""
    need_editor("remove a retriever from a run", index.name)
    _check_not_measured(index, run)
    Runs(index).remove_column(run, retriever)


def drop(index: str, artefact: str, embedder: EmbedderInfo) -> None:
    """As `shelf.drop`, by this visitor."""
    need_editor(f"drop {artefact}", index)
    shelf.drop(library.folder(settings().indexes, index), artefact, embedder)


def fetch(embedder: str) -> None:
    """Have an embedder here that an editor names; ModelError if it is not to be had."""
    need_editor()
    need_embedder(embedder)
    fetch_embedder(embedder, model_servers.embedder_server(embedder))


def set_server(role: str, model: str, url: str, key: str, *, for_machine: bool) -> None:
    """Set the server of a model for this session, or for whoever uses this machine's home folder.

    Parameters
    ----------
    role : the variable that would name the model, `HOPRAG_LLM` or `HOPRAG_EMBEDDER`.
    url, key : empty for OpenAI's, and for none. Without a key, one that was given before for the
        same URL is kept.

    Raises
    ------
    NotAllowed : by anybody but an editor.
    InputError, LlmError : the server cannot be one, or may not be saved for the machine.
    """
    from core.models.server.wire import check  # takes half a second to import

    need_editor("set a model server" + " for the machine" * for_machine)
    if for_machine and not may_save_keys():
        raise InputError(
            "This server does not save keys for the machine. Set the server for this session, or "
            "ask the administrator to set HOPRAG_SAVE_KEYS=1."
        )
    name, url_name, key_name, guarded = names(role)
    taken = fixed(os.environ, role)
    model = model.strip()
    if name in taken:
        model = os.environ[name]
    elif role == EMBEDDER and model:
        model = SERVER_EMBEDDER + model.removeprefix(SERVER_EMBEDDER)
    url = server_url(os.environ.get(url_name, "") if url_name in taken else url)
    key = key.strip()
    if not model or not model.isprintable() or len(model) > _LONGEST_MODEL:
        raise InputError("The model name is empty or contains invalid characters.")
    home, typed = settings().home, model_servers.typed()
    held = read_saved(home) if for_machine else typed
    if not key and server_url(held.get(url_name, "")) == url:
        key = held.get(key_name, "")
    check(Endpoint(model, url, key, variable=role))
    reachable = "1" if access.is_reachable() else ""
    values = {name: model, url_name: url, key_name: key, guarded: reachable}
    found = {**without(held, role), **{each: value for each, value in values.items() if value}}
    if for_machine:
        save(home, found)
        settings.cache_clear()
        model_servers.type_for_session(without(typed, role))
    else:
        model_servers.type_for_session(found)


def forget_server(role: str) -> None:
    """Undo `set_server`: for this session if it has set one, or else for the machine."""
    need_editor("forget a model server")
    typed, home = model_servers.typed(), settings().home
    if without(typed, role) != typed:
        model_servers.type_for_session(without(typed, role))
        return
    if not may_save_keys():
        raise InputError("Only the administrator of this server may forget a server saved for it.")
    save(home, without(read_saved(home), role))
    settings.cache_clear()


def may_save_keys() -> bool:
    """Whether an editor may save a model server for the machine: on their own, or if it is said."""
    return settings().saves_keys or not access.is_reachable()


def done() -> Sequence[Act]:
    """What visitors did last, for an editor to look at."""
    return Ledger(settings().home).acts() if visitor().may_edit else []


def embedders() -> tuple[str, ...]:
    """What may be chosen for a new index where others can reach the server."""
    now = model_servers.session_settings()
    return tuple(dict.fromkeys((now.embedder, BUNDLED_EMBEDDER, *now.visitors.embedders)))


def need_embedder(name: str) -> None:
    """InputError unless the embedder `name` may be used here."""
    served = model_servers.embedder_server(name) is not None
    if access.is_reachable() and not served and name not in ("", *embedders()):
        raise InputError(
            f"This server does not allow the embedder {name!r}. Choose another one, or ask the "
            "administrator to add it to HOPRAG_EMBEDDERS."
        )
