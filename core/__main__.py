"""`python -m core`: the command line."""

import os
import signal
import sys

STOPPED = 130


def main() -> None:
    """Run the command; one that was stopped ends at once."""
    # Until there is somebody to say so, Ctrl-C ends it without a word.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from core.cli import app

    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        app(prog_name="python -m core")
    except SystemExit as end:
        if end.code != STOPPED:
            raise
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(STOPPED)  # to take the libraries down would take seconds


if __name__ == "__main__":
    main()
