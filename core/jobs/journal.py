"""The journal of an index: one JSON object a line, only ever appended to.

Only the holder of the writer's lock appends; anybody reads, at any time. A line that was cut off
by a crash is passed over.

| event | beside `event` and `time` (seconds since 1970) |
| --- | --- |
| started | job, process |
| read | documents, questions, and what was refused or left out |
| added | documents, questions, replaced, extended: how much of the files is new to the index |
| cut | notes: what the chunking did; longest: which passages are the longest |
| progress | stage, done, total; spending, if a model is asked; authorship of an artefact |
| finished | counts; spending likewise; what a model missed, and why; made: authorship by artefact |
| failed, cancelled | message; spending likewise; whether its budget ended it |
"""

import errno
import json
import os
import time
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

from core.corpus.chunking.summary import ChunkingSummary
from core.corpus.types import Corpus
from core.corpus.updates.added import Added
from core.errors import StoreError
from core.jobs.job import Job
from core.jobs.lines import Line, lines_of
from core.jobs.record import JOURNAL, content_of, record_in
from core.models.money.metered import Meter
from core.places import Place
from core.progress import Authorship, Progress
from core.store.locking.writer_lock import confirm_lock
from core.text.import_sources import path_in

_LISTED = 1000  # rejected files and duplicates that are listed; the rest is counted

_ENDS = ("finished", "failed", "cancelled")
_STARTED = b'{"event": "started"'
_PROGRESS = b'{"event": "progress"'
_MENDS = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "Free some space there and resume."),
    **dict.fromkeys((errno.EHOSTUNREACH, errno.EACCES), "Fix the problem and resume."),
}
_RECENT = 80  # lines of progress of which the rate is made: 20 seconds of a job in a folder


class Journal:
    """The journal as written by the one process that holds the lock.

    `meter`, once it is set, counts what the job has paid models for; it is asked at the end, when
    the last calls have come back. `missed` has, by the id of each passage that a model gave no
    questions for, why, `made` who wrote each artefact that was made, and `notes` are sentences on a
    file of pseudo-queries or edges; they are told at the end too.
    """

    def __init__(self, folder: Place) -> None:
        self.meter: Meter | None = None
        self.missed: dict[str, str] = {}
        self.dropped: dict[str, int] = {}
        self.made: dict[str, Authorship] = {}
        self.notes: list[str] = []
        self._folder = folder
        self._path = folder / JOURNAL
        self._record = record_in(folder, thinned)
        self._told: Progress | None = None
        self._untold: Progress | None = None
        self._last = 0.0

    def start(self, job: Job) -> None:
        """Begin a job's record; what an earlier crash left half written is closed off.

        LockLost if another process has taken the lock over: the record may be that of its job.
        """
        self._record.begin()
        confirm_lock(self._folder)
        self.write("started", job=job.to_dict(), process=os.getpid())

    def write(self, event: str, **values: Any) -> None:
        """Append a line.

        Raises
        ------
        LockLost : another process has taken the lock over and begun a record.
        StoreError : the folder has gone, is another one, or cannot be written.
        """
        if event in _ENDS and self._untold:
            self._write_progress(self._untold)
        if event in _ENDS and self.meter:
            values["spending"] = asdict(self.meter.spending)
        if event in _ENDS and self.missed:
            values["missed"] = dict(islice(self.missed.items(), _LISTED))
        if event in _ENDS and self.dropped:
            values["dropped"] = sum(self.dropped.values())
        if event in _ENDS and self.notes:
            values["notes"] = self.notes
        if event in _ENDS and self.made:
            values["made"] = {name: asdict(each) for name, each in self.made.items()}
        line = json.dumps({"event": event, "time": time.time(), **values}) + "\n"
        try:
            self._record.append(line.encode())
        except OSError as error:
            if error.errno == errno.EBUSY:
                confirm_lock(self._folder)
            mend = _MENDS.get(error.errno or 0, "If the folder was deleted, rebuild the index.")
            raise StoreError(
                f"{self._path} cannot be written ({error.strerror}). {mend}"
            ) from error

    def progress(self, progress: Progress) -> None:
        """Append how far a stage is, now and then (`record.every`), at its begin and end, and the
        last that was known when the job ends.

        What was told before is not told again: the time of the last line is that of progress.
        """
        if progress == self._told:
            return
        now = time.monotonic()
        begins = self._told is None or progress.stage != self._told.stage
        ends = progress.done >= progress.total
        if begins or ends or now - self._last >= self._record.every:
            self._last = now
            self._write_progress(progress)
        else:
            self._untold = progress

    def _write_progress(self, progress: Progress) -> None:
        """Write a progress line, with spending and authorship if known."""
        self._told, self._untold = progress, None
        spent = {"spending": asdict(progress.spending)} if progress.spending else {}
        step = {"stage": progress.stage, "done": progress.done, "total": progress.total}
        if progress.authorship:
            spent["authorship"] = asdict(progress.authorship)
        self.write("progress", **step, **spent)

    def read(self, corpus: Corpus) -> None:
        """Append the counts of documents and questions in the files."""
        self.write(
            "read",
            documents=len(corpus.documents),
            questions=len(corpus.queries),
            rejected=[[each.name, each.reason] for each in corpus.rejected[:_LISTED]],
            rejected_count=len(corpus.rejected),
            duplicates=[[d.id, d.source, d.of] for d in corpus.duplicates[:_LISTED]],
            duplicate_count=len(corpus.duplicates),
            notes=list(corpus.notes),
        )

    def count(self, added: Added) -> None:
        """Append how much of the files is new to the index."""
        self.write("added", **asdict(added))

    def cut(self, cutting: ChunkingSummary) -> None:
        """Append what became of the documents."""
        self.write("cut", notes=list(cutting.sentences()), longest=cutting.longest_sentence())


def last_run(folder: Place) -> list[Line]:
    """Return the lines of the last job in `folder`, `thinned`, beginning with `started`.

    Empty if there is none.
    """
    content = content_of(folder)
    # From its end: it is looked at every second, and keeps the progress of all jobs before.
    end = len(content)
    while (begin := content.rfind(_STARTED, 0, end)) >= 0:
        lines = list(lines_of(thinned(content[begin:])))
        if lines and lines[0]["event"] == "started":
            return lines
        end = begin
    return []


def recorded_files(folder: Place) -> set[Path]:
    """Return every file that a job of this index was given."""
    files: set[Path] = set()
    for job in recorded_jobs(folder):
        if isinstance(named := job.get("files"), list):
            files.update(Path(name) for name in named if isinstance(name, str))
        if made_from := path_in(str(job.get("maker", ""))):
            files.add(made_from)
        if extraction := str(job.get("extraction", "")):
            files.add(Path(extraction))
    return files


def recorded_jobs(folder: Place) -> list[dict[str, Any]]:
    """Return every job of this index as it was written down, the first one first."""
    return [line["job"] for line in lines_of(content_of(folder)) if "job" in line]


def removed_documents(folder: Place) -> set[str]:
    """Return the ids of all documents that jobs removed from this index."""
    jobs = (job for job in recorded_jobs(folder) if job.get("kind") == "remove")
    named = (job.get("documents") for job in jobs)
    return {str(name) for names in named if isinstance(names, list) for name in names}


def thinned(content: bytes) -> bytes:
    """Return the lines without progress that nobody asks for any more: of each stage the first and
    the last line are kept, and of the last one some more.
    """
    lines = content.splitlines(keepends=True)
    stages = [b"", *map(_stage, lines), b""]
    return b"".join(
        line
        for number, line in enumerate(lines)
        if len({*stages[number : number + 3]}) > 1  # it begins or ends a stage, or is no progress
        or not line.startswith(_PROGRESS)
        or number >= len(lines) - _RECENT
    )


def _stage(line: bytes) -> bytes:
    return line.partition(b'"stage": ')[2].partition(b",")[0]
