"""A build as a process with a journal: started, watched, cancelled and resumed by anybody.

So is what else writes an index: adding, removing, making artefacts; and evaluating on it.

The process belongs to nobody: closing the page or the terminal that started it changes nothing.
It holds the writer's lock of its index, and its journal is in the index's folder; the two
together say what became of it.
"""

from core.jobs.job import Job, Kind, evaluation_place
from core.jobs.journal import recorded_files, removed_documents
from core.jobs.process import build_anew, cancel, last_build, resume, start
from core.jobs.record import JOURNAL, LOG
from core.jobs.state import JobState, Status, state
from core.jobs.worker import run

__all__ = [
    "JOURNAL",
    "LOG",
    "Job",
    "JobState",
    "Kind",
    "Status",
    "build_anew",
    "cancel",
    "evaluation_place",
    "last_build",
    "recorded_files",
    "removed_documents",
    "resume",
    "run",
    "start",
    "state",
]
