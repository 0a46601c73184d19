"""A Python that begins at once: its processes are forked from one that has imported what takes
seconds. Run by the fixture `warm_python`, with the socket that it listens on.
"""

import gc
import json
import os
import runpy
import select
import signal
import socket
import sys
import warnings
from importlib import import_module
from pathlib import Path

LONG = (
    *(
        "sentence_transformers",
        "core.artefacts.making",
        "core.indexing.updates",
        "core.cli",
        "core.jobs",
    ),
    *("core.jobs.maker", "core.runs.measuring", "openai", "tests.core.fakes"),
)
PROGRAM = """\
#!{python} -ISE
import json, os, signal, socket, sys

line = socket.socket(socket.AF_UNIX)
line.connect({place!r})
asked = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
socket.send_fds(line, [len(asked).to_bytes(8, "big")], [0, 1, 2])
line.sendall(asked)
pid = int.from_bytes(line.recv(8), "big")
for each in (signal.SIGINT, signal.SIGTERM):
    signal.signal(each, lambda number, frame: os.kill(pid, number))
for each in (0, 1, 2):  # who reads what it says waits until nobody holds it
    os.close(each)
code = int.from_bytes(line.recv(8), "big", signed=True)
if code < 0:
    if code != -signal.SIGKILL:
        signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
os._exit(code)
"""
"""The program that is run instead of Python. It stands for the process: hands signals on to it,
and ends as it ends."""


def forked(place: Path) -> list[str]:
    """Listen at `place` for ever; returns in each process that is forked, with its arguments."""
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(place))
    listening.listen()
    for name in LONG:
        import_module(name)
    gc.freeze()
    print("ready", flush=True)
    running: dict[int, tuple[int, socket.socket]] = {}  # by what becomes readable at its end
    while True:
        lines = {line.fileno(): pid for pid, line in running.values()}
        ready, *_ = select.select([listening.fileno(), *running, *lines], [], [])[0]
        if ready in running:
            pid, line = running.pop(ready)
            _tell(line, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
            line.close()
            os.close(ready)
        elif ready in lines:
            os.kill(lines[ready], signal.SIGKILL)  # its program was killed
        else:
            line = listening.accept()[0]
            size, given, _, _ = socket.recv_fds(line, 8, 3)
            told = line.recv(int.from_bytes(size, "big"), socket.MSG_WAITALL)
            arguments, folder, environ = json.loads(told)
            with warnings.catch_warnings():
                # LanceDB's runtime is made anew in the child; here nothing was ever asked of it.
                warnings.simplefilter("ignore", RuntimeWarning)
                pid = os.fork()
            if pid == 0:
                for other in (listening, line, *(line for _, line in running.values())):
                    other.close()
                _become(given, folder, environ)
                return list(arguments)
            for each in given:
                os.close(each)
            _tell(line, pid)
            running[os.pidfd_open(pid)] = (pid, line)


def _tell(line: socket.socket, number: int) -> None:
    try:
        line.sendall(number.to_bytes(8, "big", signed=True))
    except OSError:  # its program was killed
        return


def _become(given: list[int], folder: str, environ: dict[str, str]) -> None:
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environ)
    for number, each in enumerate(given):
        os.dup2(each, number)
        os.close(each)


def run(arguments: list[str]) -> None:
    """What `python` does with these arguments."""
    if arguments[:1] == ["-W"]:
        warnings.simplefilter(arguments[1])  # type: ignore[arg-type]
        del arguments[:2]
    way, what, *_ = arguments
    sys.argv = arguments[1:]
    if way == "-m":
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        sys.argv[0] = "-c"
        exec(what, {"__name__": "__main__"})


if __name__ == "__main__":
    run(forked(Path(sys.argv[1])))
