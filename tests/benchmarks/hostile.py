"""What becomes of each hostile file: read, refused by name, a traceback, too long, too much memory.

    python tests/benchmarks/hostile.py [--project FOLDER]

reads the files of `tests/core/corpus/hostile` with the code in FOLDER, each in a process of its
own, and prints how many came to which end. More than 10 s of processor time is too long, as is a
minute by the clock, and more than 1.5 GB in any process too much.
"""

import argparse
import os
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

_SECONDS = 10
_CLOCK = 60
_MOST = 1536  # MB
_HERE = Path(__file__).parents[2]


def write(folder: Path) -> list[str]:
    """Write all files, in a process that has the generator's own code."""
    if (child := os.fork()) == 0:
        try:
            sys.path.insert(0, str(_HERE))
            from tests.core.corpus.hostile.everything import everything

            for name, content in everything().items():
                (folder / name).write_bytes(content)
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    return sorted(path.name for path in folder.iterdir())


def outcome(path: Path) -> tuple[str, float, int]:
    """What became of it, seconds of processor time, and MB of its largest process."""
    reading, writing = os.pipe()
    began = time.monotonic()
    if (child := os.fork()) == 0:
        _read(path, writing)
    os.close(writing)
    ended = 0
    while not ended and time.monotonic() - began < _CLOCK:
        time.sleep(0.02)
        ended, _, used = os.wait4(child, os.WNOHANG)
    memory = 0
    if not ended:
        memory = _end(child)
        _, _, used = os.wait4(child, 0)
    # This counts the processes of the child too, if it waited for their end.
    seconds = used.ru_utime + used.ru_stime
    with os.fdopen(reading) as told:
        said = told.read() if ended and seconds < _SECONDS else "over time"
    memory = max(memory, used.ru_maxrss // 1024)
    return ("over memory" if memory > _MOST else said or "traceback"), seconds, memory


def _end(child: int) -> int:
    """Kill the child and its own processes; MB that one of these took."""
    memory = 0
    for other in Path(f"/proc/{child}/task/{child}/children").read_text().split():
        status = Path(f"/proc/{other}/status").read_text()
        if "VmHWM" in status:  # it has not ended
            memory = max(memory, int(status.split("VmHWM:")[1].split()[0]) // 1024)
            os.kill(int(other), signal.SIGKILL)
    os.kill(child, signal.SIGKILL)
    return memory


def _read(path: Path, writing: int) -> None:
    from core.corpus import read_files

    resource.setrlimit(resource.RLIMIT_AS, (6 * 2**30, 6 * 2**30))
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, resource.RLIM_INFINITY))
    try:
        corpus = read_files([path])
        refused = [each.name for each in corpus.rejected]
        if all(path.name in name for name in refused):
            said = "rejected by name" if refused else "read"
            os.write(writing, said.encode())
    except Exception as error:
        os.write(writing, f"traceback {type(error).__name__}".encode())
    os._exit(0)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--project", type=Path, default=_HERE)
    with tempfile.TemporaryDirectory() as folder:
        names = write(Path(folder))
        project = parser.parse_args().project.resolve()
        sys.path.insert(0, str(project))
        import core.corpus  # noqa: F401 - before the forks, that each need not

        ends: Counter[str] = Counter()
        for name in names:
            what, seconds, memory = outcome(Path(folder) / name)
            ends[what.split()[0] if what.startswith("trace") else what] += 1
            if what not in ("read", "rejected by name") or seconds > 5:
                print(f"{name}: {what}, {seconds:.1f} s, {memory:,} MB", flush=True)
        print(f"{len(names)} files:", ", ".join(f"{what} {n}" for what, n in ends.most_common()))


if __name__ == "__main__":
    main()
