"""The state of the last job of an index, derived from its journal and the lock."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from core.corpus.types import Duplicate
from core.corpus.updates.added import Added
from core.errors import FileRejected
from core.jobs.job import Job
from core.jobs.journal import last_run
from core.jobs.lines import Line
from core.jobs.record import log_of
from core.places import Place
from core.progress import Authorship, Spending, Stage
from core.store.locking.writer_lock import is_locked
from core.store.metadata import Counts
from core.store.records.json_values import checked

Status = Literal["running", "finished", "failed", "cancelled", "died"]

_ENDS: dict[str, Status] = {"finished": "finished", "failed": "failed", "cancelled": "cancelled"}
_RATE_WINDOW = 20.0  # seconds


@dataclass(frozen=True, slots=True)
class JobState:
    """The last job of an index.

    Parameters
    ----------
    job : what it was to do; None if its record is damaged, and then it cannot be resumed.
    status : `died` is a process that ended without a word, killed or by a crash.
    stage : the one it is in or ended in; None before the first.
    done, total : units of that stage.
    seconds : what each stage took so far, in order.
    rate : units a second over the last 20 seconds of the stage; None while unknown.
    eta_seconds : what is left of the stage at that rate; None while unknown.
    last_progress_at : of the last line in the journal; long ago and running means stalled.
    message : why it failed, or how to go on; empty while it runs and when it is finished.
    documents, questions : what its files held (build, add).
    rejected, duplicates : the first thousand of each; the counts are of all.
    notes : sentences on what else was changed or left out.
    cut : sentences on what the chunking did to the documents.
    longest : which passages are the longest; empty where there is no other.
    counts : of the finished index; None before.
    spending : what it paid a model for so far; None if it asked none.
    out_of_budget : whether it was its budget that ended it.
    missed : why a model gave no questions, by the id of the passage; the first thousand.
    authorship : who wrote the parts of the artefact that is being made; None if no model is asked.
    made : the same of each artefact that was made, by its name, when the job has ended.
    added : how much of its files was new to the index (add); None if that was not recorded.
    dropped : out-questions of a model that were left out, as their own passage answers them.
    """

    job: Job | None
    status: Status
    stage: Stage | None
    done: int
    total: int
    seconds: Mapping[Stage, float]
    rate: float | None
    eta_seconds: float | None
    started_at: datetime
    last_progress_at: datetime
    message: str
    documents: int
    questions: int
    rejected: tuple[FileRejected, ...]
    rejected_count: int
    duplicates: tuple[Duplicate, ...]
    duplicate_count: int
    notes: tuple[str, ...]
    cut: tuple[str, ...]
    longest: str
    counts: Counts | None
    spending: Spending | None = None
    out_of_budget: bool = False
    missed: Mapping[str, str] = field(default_factory=dict)
    authorship: Authorship | None = None
    made: Mapping[str, Authorship] = field(default_factory=dict)
    dropped: int = 0
    added: Added | None = None

    @property
    def running(self) -> bool:
        return self.status == "running"

    @property
    def resumable(self) -> bool:
        """Whether the job stopped early and can be resumed."""
        return self.job is not None and self.status in ("failed", "cancelled", "died")


def state(index: Place) -> JobState | None:
    """Return the state of the last job of an index; None if there was none."""
    while lines := last_run(index):
        if _ended(lines):
            return _fold(index, lines, "died")
        unended: Status = "running" if is_locked(index) else "died"
        # It may have ended, or another one begun, while the lock was looked at.
        again = last_run(index)
        if again[:1] == lines[:1]:
            return _fold(index, again, unended)
    return None


def _ended(lines: Sequence[Line]) -> bool:
    return any(line["event"] in _ENDS for line in lines)


def _fold(index: Place, lines: Sequence[Line], unended: Status) -> JobState:
    """Return the state after `lines`, the first of which is `started`.

    Parameters
    ----------
    unended : the status if no line records the end.
    """
    last = {str(line["event"]): line for line in lines}
    end = next((line for line in lines if line["event"] in _ENDS), None)
    status = _ENDS[end["event"]] if end else unended
    steps = [line for line in lines if line["event"] == "progress"]
    now = time.time() if status == "running" else lines[-1]["time"]
    stage: Stage | None = steps[-1]["stage"] if steps else None
    done, total = (steps[-1]["done"], steps[-1]["total"]) if steps else (0, 0)
    rate = _rate([line for line in steps if line["stage"] == stage])
    left = (total - done) / rate - (now - steps[-1]["time"]) if rate else None
    read = last.get("read", {})
    return JobState(
        job=_job_of(lines[0], index),
        status=status,
        stage=stage,
        done=done,
        total=total,
        seconds=_seconds(steps, now),
        rate=rate,
        eta_seconds=max(left, 0.0) if left is not None else None,
        started_at=_moment(lines[0]),
        last_progress_at=_moment(lines[-1]),
        message=_message(status, end, index),
        documents=read.get("documents", 0),
        questions=read.get("questions", 0),
        rejected=tuple(FileRejected(*pair) for pair in read.get("rejected", ())),
        rejected_count=read.get("rejected_count", 0),
        duplicates=tuple(Duplicate(*triple) for triple in read.get("duplicates", ())),
        duplicate_count=read.get("duplicate_count", 0),
        notes=(*read.get("notes", ()), *(end or {}).get("notes", ())),
        cut=tuple(last.get("cut", {}).get("notes", ())),
        longest=last.get("cut", {}).get("longest", ""),
        counts=_counts_of(end) if end else None,
        spending=_spending(lines),
        out_of_budget=bool(end and end.get("budget")),
        missed=_missed_reasons(end or {}),
        authorship=_authorship(steps[-1].get("authorship") if steps else None),
        made=_authorships(end or {}),
        dropped=_dropped(end or {}),
        added=checked(Added, last["added"]) if "added" in last else None,
    )


def _job_of(line: Line, index: Place) -> Job | None:
    """Return the job that a journal line describes; None if it cannot be read."""
    try:
        return Job.from_dict(line["job"], index)
    except (ValueError, TypeError, KeyError):
        return None


def _counts_of(end: Line) -> Counts | None:
    """Return the counts of a finished build; None if it did not finish."""
    try:
        return checked(Counts, end["counts"])
    except (ValueError, KeyError):  # it did not finish, or another version of this program did
        return None


def _spending(lines: Sequence[Line]) -> Spending | None:
    spent = next((line["spending"] for line in reversed(lines) if "spending" in line), None)
    return checked(Spending, spent) if spent else None


def _missed_reasons(end: Line) -> dict[str, str]:
    """Return the reasons why a model wrote no questions, by passage id."""
    reasons = end.get("missed")
    return (
        {str(name): str(why) for name, why in reasons.items()} if isinstance(reasons, dict) else {}
    )


def _authorship(told: object) -> Authorship | None:
    return checked(Authorship, told) if told else None


def _authorships(end: Line) -> dict[str, Authorship]:
    """Return the authorship of each artefact that was built."""
    return {
        name: checked(Authorship, authorship)
        for name, authorship in (end.get("made") or {}).items()
    }


def _dropped(end: Line) -> int:
    count = end.get("dropped")
    return count if isinstance(count, int) and count > 0 else 0


def _moment(line: Line) -> datetime:
    return datetime.fromtimestamp(line["time"], UTC)


def _message(status: Status, end: Mapping[str, Any] | None, index: Place) -> str:
    """Return the error message of the job; empty if there is none."""
    if status == "died":
        return (
            "The process ended without a message: it was killed, or the machine stopped. "
            "Resume the job; finished embeddings are kept. The last output is in "
            f"{log_of(index)}."
        )
    return str(end.get("message", "")) if end else ""


def _seconds(steps: Sequence[Line], now: float) -> dict[Stage, float]:
    """Return the seconds of each stage, from its first line to that of the next stage."""
    begins: dict[Stage, float] = {}
    for line in steps:
        begins.setdefault(line["stage"], line["time"])
    ends = [*list(begins.values())[1:], now]
    pairs = zip(begins.items(), ends, strict=True) if begins else ()
    return {stage: end - begin for (stage, begin), end in pairs}


def _rate(steps: Sequence[Line]) -> float | None:
    """Return units per second over the last 20 seconds of a stage, or its last two lines."""
    if len(steps) < 2:
        return None
    last = steps[-1]
    recent = [line for line in steps[:-1] if last["time"] - line["time"] <= _RATE_WINDOW]
    first = recent[0] if recent else steps[-2]
    seconds, units = last["time"] - first["time"], last["done"] - first["done"]
    return units / seconds if seconds > 0 and units > 0 else None
