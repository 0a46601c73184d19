"""The process of one job: `python -m core.jobs PLACE`, which reads the job from standard input."""

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from types import FrameType

from core.errors import HopRagError
from core.jobs.job import Job
from core.jobs.process import TAKEN, refusal
from core.jobs.record import log_of
from core.jobs.worker import taken
from core.places import Place, place_of
from core.threads import let_threads_sleep


class _Stop:
    """A signal handler that records whether the process received a stop signal."""

    def __init__(self) -> None:
        self.told = False

    def __call__(self, signum: int, frame: FrameType | None) -> None:  # noqa: ARG002
        self.told = True


def main(place: Place) -> int:
    """Run the job read from standard input; return 1 if it could not start, else 0.

    Errors of the job itself go into its journal.
    """
    let_threads_sleep()
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")  # the log is for what went wrong
    stop = _Stop()
    signal.signal(signal.SIGTERM, stop)
    try:
        with taken(Job.from_json(sys.stdin.read(), place)) as lease:
            _say(TAKEN)
            _let_go(log_of(place))
            with suppress(HopRagError):  # the journal says it
                lease.finish(stopped=lambda: stop.told)
    except HopRagError as error:
        _say(refusal(error))
        return 1
    return 0


def _say(answer: str) -> None:
    sys.stdout.write(answer + "\n")
    sys.stdout.flush()


def _let_go(log: Path) -> None:
    """Detach from the parent process: redirect standard streams, warnings go to the log."""
    target = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(target, 1)
    os.dup2(target, 2)
    os.close(target)
    os.close(nothing)


def leave(code: int) -> None:
    """Exit at once: unloading libraries would take seconds after the journal is closed."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    leave(main(place_of(sys.argv[1])))
