"""Run a job: read files, embed, merge, and write the journal."""

import os
import re
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.corpus.chunking.chunker import Chunking
from core.corpus.extraction_files import NO_EXTRACTION, Extraction, read_extraction
from core.corpus.faq_documents import with_faqs
from core.corpus.file_contents import LIMITS
from core.corpus.files import Read, one_by_one, read_files
from core.corpus.gold.corrections import with_gold_names
from core.corpus.types import NOTHING, Corpus
from core.errors import BudgetReached, Cancelled, HopRagError, InputError, LockLost, StoreError
from core.jobs.job import Job
from core.jobs.journal import Journal
from core.jobs.record import log_of
from core.places import Place, Remote, place_of
from core.progress import Progress, Report
from core.settings import make_folder, settings
from core.store.integrity.damage import kept_away, system_error
from core.store.locking.writer_lock import writer_lock
from core.store.metadata import Meta, require_finished

if TYPE_CHECKING:
    from core.indexing.builder import Make
    from core.models.embedder import Embedder

CANCEL = "cancel"
_LOOK = 2.0  # seconds
_QUERY = re.compile(r"(?<=\S)\?[^\s\"')]+")  # of an address, where some providers have a signature


def run(job: Job, report: Report | None = None) -> Meta:
    """Do `job` in this process, and write its journal; Ctrl-C cancels it.

    Parameters
    ----------
    report : receives the same progress as the journal, each time that the build reports it.

    Raises
    ------
    HopRagError : what the journal then says too; `Cancelled` when it was stopped.
    """
    with taken(job) as take:
        return take.finish(report)


@dataclass(frozen=True, slots=True)
class Taken:
    """A job that holds the lock of its index and has started its journal."""

    job: Job
    journal: Journal

    def finish(self, report: Report | None = None, stopped: Callable[[], bool] = bool) -> Meta:
        """Run the job.

        Parameters
        ----------
        report : called with the progress that the journal records.
        stopped : returns whether to stop; the `cancel` file stops it as well.
        """
        try:
            meta = _work(self.job, self.journal, self._reporting(report, stopped))
        except LockLost as error:
            # The record may be that of the job that took over; who started this one sees the log.
            self._log(str(error))
            with suppress(StoreError):
                self.journal.write("failed", message=str(error))
            raise
        except BudgetReached as error:
            self.journal.write("cancelled", message=str(error), budget=True)
            raise
        except (Cancelled, KeyboardInterrupt):
            kept = "measured" if self.job.kind in ("evaluate", "study") else "embedded"
            message = f"Stopped. Everything {kept} so far is kept; resume to continue."
            self.journal.write("cancelled", message=message)
            raise Cancelled(message) from None
        except HopRagError as error:
            self.journal.write("failed", message=str(error))
            raise
        except Exception as error:
            # Nobody may be watching this process: a bug has to be found in the index's folder.
            self._log(traceback.format_exc())
            why = _by_the_system(error) or kept_away(self.job.place, error)
            message = _unexpected_error_message(error, log_of(self.job.place), why)
            self.journal.write("failed", message=message)
            if why:
                raise StoreError(message) from error
            raise
        self.journal.write("finished", counts=asdict(meta.counts), seconds=meta.seconds)
        return meta

    def _log(self, text: str) -> None:
        log = log_of(self.job.place)
        with suppress(OSError), log.open("a") as stream:  # a full disk takes no log
            stream.write(_QUERY.sub("?…", text.rstrip()) + "\n")

    def _reporting(self, report: Report | None, stopped: Callable[[], bool]) -> Report:
        """Return a reporter that logs progress and raises Cancelled once the job is stopped."""
        cancelled = _Cancelled(self.job.place / CANCEL)

        def report_or_cancel(progress: Progress) -> None:
            """Record progress, and raise Cancelled if the job is to stop.

            Once the index is written, it is too late to stop.
            """
            published = progress.stage == "write" and progress.done == progress.total
            if not published and (stopped() or cancelled()):
                raise Cancelled
            self.journal.progress(progress)
            if report:
                report(progress)

        return report_or_cancel


class _Cancelled:
    """Whether the job was cancelled. A folder is checked on each call, object storage rarely."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._every = _LOOK if isinstance(place, Remote) else 0.0
        self._looked = 0.0

    def __call__(self) -> bool:
        now = time.monotonic()
        if now - self._looked < self._every:
            return False
        self._looked = now
        return self._place.exists()


@contextmanager
def taken(job: Job) -> Iterator[Taken]:
    """Lock the index of `job` and begin its record.

    Raises
    ------
    IndexLocked : another process is writing the index.
    IndexMissing : there is none to add to, to remove from, to make something for, or to measure.
    StoreError : its folder cannot be made or written.
    """
    if job.kind not in ("build", "edit", "study"):
        require_finished(job.index)
    with writer_lock(job.place, job.purpose):
        journal = Journal(job.place)
        try:
            (job.place / CANCEL).unlink(missing_ok=True)  # meant for a job before this one
            journal.start(job)
            if isinstance(job.place, Remote):
                make_folder(log_of(job.place).parent)
        except OSError as error:
            raise StoreError(
                f"{job.place} cannot be written ({error.strerror}). Make it writable, or choose "
                "another folder."
            ) from error
        yield Taken(job, journal)


def _work(job: Job, journal: Journal, report: Report) -> Meta:
    """Run the job; drawing the map is the last stage of every change of an index."""
    meta = _run_kind(job, journal, report)
    if job.kind in ("build", "add", "remove"):
        _draw_map(job.index, meta, report)
    return meta


def _draw_map(place: Place, meta: Meta, report: Report) -> None:
    """Draw the map of an index that has just been published."""
    from core.artefacts.making import make_artefacts
    from core.artefacts.opening import open_workbench
    from core.maps.stored import CORPUS_MAP
    from core.models.embedder import load_embedder
    from core.models.known_vectors import KnownVectors

    embedder = KnownVectors(meta.embedder, {}, lambda: load_embedder(meta.embedder.name))
    bench = open_workbench(place, embedder, meta=meta)
    # The index is finished: who stops here gets it, and its map when Explore is opened.
    with suppress(Cancelled):
        make_artefacts(bench, [CORPUS_MAP], report)


def _run_kind(job: Job, journal: Journal, report: Report) -> Meta:
    """Run the job by its kind (build, make, evaluate, study, remove, edit or add)."""
    # Here, since they take seconds to import and the lock is to be taken at once.
    from core.edits import Edits
    from core.hop_graph.pseudo_queries import rules_with
    from core.indexing.edited_copy import edit_copy
    from core.indexing.updates import add, build, remove
    from core.jobs.maker import embedder_when_needed, extractor_of, maker_of
    from core.store.tables import read_meta

    chunking = Chunking.parse(job.chunking)
    if job.kind == "build":
        stages = _stages_on(job.on) if job.on else None
        rules = rules_with(job.hub_limit, job.limits)
        maker, report = maker_of(job, job.maker, rules, journal, report)
        extract, report = extractor_of(job, job.extractor, journal, report)
        embedder_name = job.embedder or settings().embedder
        with _reader_on(job, report) as reader:
            corpus = _read(job, embedder_name, journal, report, reader)
            embedder, report = _embedder(job, embedder_name, journal, report)
            return build(
                job.index,
                corpus,
                embedder,
                report,
                chunking=chunking,
                maker=maker,
                restart=job.restart,
                cut=journal.cut,
                make=stages,
                extraction=extract or _extraction(job),
                tell=journal.notes.extend,
            )
    if job.kind == "make":
        from core.jobs.artefacts import make

        return make(job, journal, report)
    if job.kind == "evaluate":
        from core.jobs.evaluation import evaluate

        return evaluate(job, journal, report)
    if job.kind == "study":
        from core.jobs.study import run_study

        return run_study(job, report, run)
    meta = read_meta(place_of(job.source) if job.kind == "edit" else job.index)
    rules = rules_with(meta.hub_limit, meta.limits)
    maker, report = maker_of(job, meta.maker, rules, journal, report)
    if job.kind == "remove":
        made_by, report = embedder_when_needed(job, meta, journal, report)
        return remove(job.index, job.documents, made_by, report, maker=maker, account=journal.read)
    model = meta.extraction.model if meta.extraction else ""
    extract, report = extractor_of(job, model, journal, report)
    if job.kind == "edit":
        made_by, report = _embedder(job, meta.embedder.name, journal, report)
        edits, source = Edits.from_json(job.edits), place_of(job.source)
        return edit_copy(source, job.index, edits, made_by, report, maker=maker, extract=extract)
    asked_again = job.again and not job.files
    corpus = NOTHING if asked_again else _read(job, meta.embedder.name, journal, report)
    made_by, report = _embedder(job, meta.embedder.name, journal, report)
    return add(
        job.index,
        corpus,
        made_by,
        report,
        maker=maker,
        extract=extract,
        known=job.known,
        again=job.again,
        account=journal.read,
        cut=journal.cut,
        counted=journal.count,
    )


def _embedder(job: Job, name: str, journal: Journal, report: Report) -> "tuple[Embedder, Report]":
    """Return the embedder, as `embedder_of`, in a separate stage because loading takes seconds."""
    from core.jobs.maker import embedder_of

    report(Progress("load", 0, 1))
    embedder = embedder_of(job, name, journal, report)
    report(Progress("load", 1, 1))
    return embedder


def _extraction(job: Job) -> Extraction:
    """Return the entities and triples that the build imports, if any."""
    file = job.extraction
    return read_extraction(file, job.names.get(file, "")) if file else NO_EXTRACTION


def _stages_on(engine: str) -> "Make":
    from core.cluster.entry import stages_on

    return stages_on(engine)


def _reader_on(job: Job, report: Report) -> AbstractContextManager[Read]:
    """Return a context with the reader of files, which runs in this process or on Ray."""
    if not job.on:
        return nullcontext(one_by_one)
    from core.cluster.entry import reader_on

    return reader_on(job.on, lambda: report(Progress("read", 0, len(job.files))))


def _read(
    job: Job, embedder: str, journal: Journal, report: Report, reader: Read = one_by_one
) -> Corpus:
    """Read the files of the job; the corpus notes texts that `embedder` does not cover.

    InputError if a file has gone, or none holds anything.
    """
    from core.models.legible import unread_corpus

    gone = [path for path in job.files if not path.exists()]
    if gone:
        named = ", ".join(job.names.get(path, str(path)) for path in gone[:5])
        raise InputError(f"The file {named} does not exist. Check its name, or upload it again.")
    corpus = read_files(
        job.files,
        names=job.names,
        progress=lambda done, total, _: report(Progress("read", done, total)),
        limits=replace(LIMITS, references=job.references),
        read=reader,
    )
    corpus = with_gold_names(corpus, job.gold_names)
    if job.kind == "build":
        corpus = with_faqs(corpus)
    embedded = [each.text for each in corpus.documents if not each.vector]
    if unread := unread_corpus(embedder, embedded):
        corpus = replace(corpus, notes=(*corpus.notes, unread))
    journal.read(corpus)
    if not corpus.documents and not corpus.queries:
        why = "; ".join(map(str, corpus.rejected[:3])) or "no file was given"
        raise InputError(f"None of these files could be read. {why}.")
    return corpus


def _unexpected_error_message(error: Exception, log: Path, why: str) -> str:
    """Return the message for a job that failed with an unexpected error."""
    if why:
        return f"{why}. Fix the problem and resume. Details are in {log}."
    return (
        f"An unexpected error, {type(error).__name__}. See {log} for details, and please report "
        "it. Finished embeddings are kept."
    )


def _by_the_system(error: Exception) -> str:
    """Return the message of an operating system error, such as a full disk."""
    number = system_error(error)
    return os.strerror(number) if number else ""
