"""The command line: `hoprag` or `python -m core`."""

import os
import signal
import sys
from pathlib import Path

STOPPED = 130


def main() -> None:
    """Run the command; one that was stopped ends at once."""
    # Until there is somebody to say so, Ctrl-C ends it without a word.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from core.cli import app
    from core.threads import let_threads_sleep

    let_threads_sleep()

    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        started = Path(sys.argv[0]).stem
        app(prog_name="python -m core" if started == "__main__" else started)
    except SystemExit as end:
        if end.code != STOPPED:
            raise
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(STOPPED)  # to take the libraries down would take seconds


if __name__ == "__main__":
    main()
