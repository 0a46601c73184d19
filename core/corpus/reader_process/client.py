"""Read files in a separate process with limits on memory and time, which can be killed any time.

Parsers of PDF, Word and Parquet files are large, and a small file can exhaust their memory or never
end. Then only that file is refused, by name, and a new process reads the others. One process reads
all files of a call, since starting it takes a quarter of a second.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from queue import Empty, Queue
from typing import Self

from core.corpus.file_contents import Limits, too_much_memory
from core.corpus.reader_process.messages import MessageParser, Piece
from core.errors import FileRejected, InputError

_PROJECT = Path(__file__).parents[3]
_TICK = 0.2  # seconds between two words of progress
_AHEAD = 256  # lines that wait in the queue
_LIVES = 3  # processes that one file may cost
# By the clock a file may take longer than it computes: the machine may be busy.
_PATIENCE = 3
_GRACE = 20  # seconds
# Nothing else of the server's environment is handed on: there are keys in it.
_HANDED_ON = ("PATH", "LANG", "LC_ALL", "TMPDIR", "TEMP", "SYSTEMROOT", "LD_LIBRARY_PATH")
_SET = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONIOENCODING": "utf-8",
}


class _Lost(Exception):
    """The reader process ended or was killed; the message tells the user why."""


class IsolatedReader:
    """Context manager that reads files one by one in a separate process."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._process: _Process | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def read(self, path: Path, name: str, report: Callable[[str], None]) -> Iterator[Piece]:
        """Yield the contents of the file `path`, which the user calls `name`; see `file_reader`.

        A file that crashes the process is refused; the files after it in an archive are still read.

        Parameters
        ----------
        report : called repeatedly with the name of the file being read; it may raise.
        """
        until = time.monotonic() + self._limits.seconds_in_all
        ended = 0
        for _ in range(_LIVES):
            parser = MessageParser()
            try:
                for piece in self._pieces_of_request((path, name, ended), parser, report, until):
                    ended += 1
                    yield piece
            except _Lost as lost:
                self._stop()
                blamed = parser.name or ("" if ended else name)
                if blamed:
                    yield blamed, FileRejected(blamed, str(lost))
                    ended += 1
                if blamed == name:
                    return
            if parser.done or not name.lower().endswith(".zip"):
                return
        yield name, FileRejected(name, "too much in it cannot be read; the rest was left out")

    def _pieces_of_request(
        self,
        request: tuple[Path, str, int],
        parser: MessageParser,
        report: Callable[[str], None],
        until: float,
    ) -> Iterator[Piece]:
        """Send one request to the process, and yield its pieces until it is done.

        Raises
        ------
        _Lost : the process crashed, wrote an invalid line, or is not done at the time `until`.
        """
        if self._process is None:
            self._process = _Process(self._limits)
        process = self._process
        process.ask(*request)
        report(request[1])
        limit, last = until, time.monotonic()
        while not parser.done:
            answer = process.answer(_TICK)
            now = time.monotonic()
            if now - last > _TICK:
                report(parser.name or request[1])
                last = now
            if now > limit:
                process.kill()
                raise _Lost("it takes too long to read; split it into smaller files")
            if answer is None:
                continue
            try:
                piece = parser.take(answer)
            except ValueError as error:
                raise _Lost("it could not be read; save it again") from error
            if parser.name and answer.startswith(b'["begin"'):
                allowed = self._limits.seconds_for(parser.bytes) * _PATIENCE + _GRACE
                limit = min(until, now + allowed)
            if piece:
                yield piece

    def _stop(self) -> None:
        if self._process:
            self._process.kill()
            self._process = None


class _Process:
    """A running `core.corpus.reader_process.worker` and the queue of lines that it has written."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "core.corpus.reader_process.worker"],
                cwd=_PROJECT,
                env={key: os.environ[key] for key in _HANDED_ON if key in os.environ} | _SET,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for whoever asked, who then ends it
            )
        except OSError as error:
            raise InputError(
                f"Could not start a process to read the files ({error.strerror}). Close other "
                "programs and try again."
            ) from error
        self._lines: Queue[bytes] = Queue(_AHEAD)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        self._write(asdict(limits))

    def ask(self, path: Path, name: str, skip: int) -> None:
        """Request a file, without its first `skip` pieces; `answer` returns its lines."""
        self._write([str(path.absolute()), name, skip])

    def answer(self, seconds: float) -> bytes | None:
        """Return the next line, or None if there is none within `seconds`.

        Raises
        ------
        _Lost : the process has ended.
        """
        try:
            line = self._lines.get(timeout=seconds)
        except Empty:
            return None
        if not line.endswith(b"\n"):
            raise _Lost(self._exit_reason())
        return line

    def kill(self) -> None:
        """Kill the process, and wait until it and the thread that reads its output have ended."""
        self._process.kill()
        with suppress(BrokenPipeError):
            self._process.stdin.close()  # type: ignore[union-attr]
        while self._listener.is_alive():
            with suppress(Empty):  # it may be waiting for room
                self._lines.get(timeout=0.05)
        self._process.wait()

    def _write(self, value: object) -> None:
        """Send a value to the process as one line of JSON; ignore that it may have ended."""
        stream = self._process.stdin
        with suppress(BrokenPipeError):  # `answer` explains why it ended
            stream.write(json.dumps(value).encode() + b"\n")  # type: ignore[union-attr]
            stream.flush()  # type: ignore[union-attr]

    def _listen(self) -> None:
        """Put each line that the process writes into the queue, and an empty one when it ends."""
        with self._process.stdout as stream:  # type: ignore[union-attr]
            for line in stream:
                self._lines.put(line)
        self._lines.put(b"")

    def _exit_reason(self) -> str:
        """Explain, from its exit status, why the process ended."""
        code = self._process.wait()
        if sys.platform != "win32" and code == -signal.SIGXCPU:
            return "it takes far longer to read than its size suggests; split it, or save it again"
        if code in (-signal.SIGABRT, -9):
            return too_much_memory(self._limits)
        return "it crashed the reader; save it again"
