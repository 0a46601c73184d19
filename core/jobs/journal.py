"""The journal of an index: one JSON object a line, only ever appended to.

Only the holder of the writer's lock appends; anybody reads, at any time. A line that was cut off
by a crash is passed over.

| event | beside `event` and `time` (seconds since 1970) |
| --- | --- |
| started | job, process |
| read | documents, questions, and what was refused or left out |
| cut | notes: what the chunking did |
| progress | stage, done, total; spending, if a model is asked |
| finished | counts; spending likewise; what a model missed, and why |
| failed, cancelled | message; spending likewise; whether its budget ended it |
"""

import errno
import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

from core.corpus.cutting import Cutting
from core.corpus.types import Corpus
from core.errors import StoreError
from core.jobs.job import Job
from core.jobs.lines import Line, lines_of
from core.progress import Progress, Spending

JOURNAL = "journal.jsonl"
LOG = "job.log"
_EVERY = 0.25  # seconds between two lines of progress within a stage
_LISTED = 1000  # rejected files and duplicates that are listed; the rest is counted

_ENDS = ("finished", "failed", "cancelled")
_STARTED = b'{"event": "started"'


class Journal:
    """The writing end, for the one process that holds the lock.

    `paid`, once it is set, says what the job has paid a model for; it is asked at the end, when
    the last calls have come back. `missed` has, by the id of each passage that a model gave no
    questions for, why; it is told at the end too.
    """

    def __init__(self, folder: Path) -> None:
        self.paid: Callable[[], Spending] | None = None
        self.missed: dict[str, str] = {}
        self._path = folder / JOURNAL
        self._file: tuple[int, int] | None = None  # device and inode
        self._told: Progress | None = None
        self._untold: Progress | None = None
        self._last = 0.0

    def start(self, job: Job) -> None:
        """Begin a job's record; what an earlier crash left half written is closed off."""
        torn = self._path.exists() and not self._path.read_bytes().endswith(b"\n")
        with self._path.open("a") as stream:
            stream.write("\n" * torn)
            self._file = _identity(stream.fileno())
        self.write("started", job=job.to_dict(), process=os.getpid())

    def write(self, event: str, **values: Any) -> None:
        """Append a line.

        Raises
        ------
        StoreError : the folder has gone, is another one, or cannot be written.
        """
        if event in _ENDS and self._untold:
            self._tell(self._untold)
        if event in _ENDS and self.paid:
            values["spending"] = asdict(self.paid())
        if event in _ENDS and self.missed:
            values["missed"] = dict(islice(self.missed.items(), _LISTED))
        line = json.dumps({"event": event, "time": time.time(), **values}) + "\n"
        try:
            # Not created here: a folder that was taken away is not to come back.
            with self._path.open("r+b") as stream:
                if _identity(stream.fileno()) != self._file:
                    raise FileNotFoundError(errno.ENOENT, "another folder took its place")
                stream.seek(0, os.SEEK_END)
                stream.write(line.encode())
        except OSError as error:
            mend = (
                "Make room there, and resume."
                if error.errno in (errno.ENOSPC, errno.EDQUOT)
                else "If the folder was deleted, build the index again."
            )
            raise StoreError(
                f"{self._path} cannot be written ({error.strerror}). {mend}"
            ) from error

    def progress(self, progress: Progress) -> None:
        """Append how far a stage is, about four times a second, at its begin and end, and the last
        that was known when the job ends.

        What was told before is not told again: the time of the last line is that of progress.
        """
        if progress == self._told:
            return
        now = time.monotonic()
        begins = self._told is None or progress.stage != self._told.stage
        ends = progress.done >= progress.total
        if begins or ends or now - self._last >= _EVERY:
            self._last = now
            self._tell(progress)
        else:
            self._untold = progress

    def _tell(self, progress: Progress) -> None:
        self._told, self._untold = progress, None
        spent = {"spending": asdict(progress.spending)} if progress.spending else {}
        step = {"stage": progress.stage, "done": progress.done, "total": progress.total}
        self.write("progress", **step, **spent)

    def read(self, corpus: Corpus) -> None:
        """Append the account of what the files held."""
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

    def cut(self, cutting: Cutting) -> None:
        """Append what became of the documents."""
        self.write("cut", notes=list(cutting.told()))


def last_run(folder: Path) -> list[Line]:
    """The lines of the last job in `folder`, beginning with `started`; empty if there is none."""
    content = _content(folder)
    # From its end: it is looked at every second, and keeps the progress of all jobs before.
    end = len(content)
    while (begin := content.rfind(_STARTED, 0, end)) >= 0:
        lines = list(lines_of(content[begin:]))
        if lines and lines[0]["event"] == "started":
            return lines
        end = begin
    return []


def recorded_files(folder: Path) -> set[Path]:
    """Every file that a job of this index was given."""
    files: set[Path] = set()
    for job in recorded_jobs(folder):
        if isinstance(named := job.get("files"), list):
            files.update(Path(name) for name in named if isinstance(name, str))
    return files


def recorded_jobs(folder: Path) -> list[dict[str, Any]]:
    """Every job of this index as it was written down, the first one first."""
    return [line["job"] for line in lines_of(_content(folder)) if "job" in line]


def _content(folder: Path) -> bytes:
    try:
        return (folder / JOURNAL).read_bytes()
    except OSError:  # no job yet, or a folder that went away
        return b""


def _identity(descriptor: int) -> tuple[int, int]:
    status = os.fstat(descriptor)
    return status.st_dev, status.st_ino
