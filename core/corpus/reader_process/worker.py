"""The process that reads files: `python -m core.corpus.reader_process.worker`.

`core.corpus.reader_process.client` starts it.

Its first input line has the limits, and each further line requests a file. It answers in lines of
`core.corpus.reader_process.messages`. It imports only the readers, and knows none of the server's
secrets.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any, BinaryIO

from core.corpus.file_contents import Limits, too_much_memory
from core.corpus.file_reader import read_pieces
from core.corpus.reader_process.messages import DONE, line, lines
from core.errors import FileRejected
from core.text.clean import one_line

_LONGEST_REASON = 400


def main() -> None:
    """Read the files that standard input requests, until it ends."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    limits = Limits(**json.loads(sys.stdin.buffer.readline()))
    _limit_memory(limits)
    for request in sys.stdin.buffer:
        path, name, skip = json.loads(request)
        if not _answer(Path(path), name, skip, limits, out):
            return  # how much memory is left is not known: another process goes on
        out.write(line(*DONE))
        out.flush()


def _answer(path: Path, name: str, skip: int, limits: Limits, out: BinaryIO) -> bool:
    """Read one file and write its lines; return whether the process can read further files."""
    current = name

    def say(*words: Any) -> None:
        out.write(line(*words))
        out.flush()

    def begin(called: str, size: int) -> None:
        """Announce a file, or one in an archive, and allow the processor time for its size."""
        nonlocal current
        current = one_line(called)
        say("begin", current, size)
        _limit_seconds(limits.seconds_for(size))

    try:
        for called, piece in read_pieces(path, name, limits, begin, skip):
            if isinstance(piece, FileRejected):
                piece = FileRejected(piece.name, one_line(piece.reason)[:_LONGEST_REASON])
            out.writelines(lines(called, piece))
            out.flush()
    except MemoryError:
        say("rejected", current, too_much_memory(limits))
        return False
    except Exception as error:  # whatever a reader did not foresee belongs to its file
        kind = type(error).__name__
        say("rejected", current, f"it is damaged in an unexpected way ({kind}); save it again")
        return False
    return True


def _limit_memory(limits: Limits) -> None:
    """Limit the memory of this process and disable core dumps."""
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_DATA, (limits.memory, limits.memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit_seconds(seconds: int) -> None:
    """Limit the processor time of this process to `seconds` from now on."""
    if sys.platform == "win32":
        return
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    until = int(used.ru_utime + used.ru_stime) + 1 + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (until, resource.getrlimit(resource.RLIMIT_CPU)[1]))


if __name__ == "__main__":
    main()
