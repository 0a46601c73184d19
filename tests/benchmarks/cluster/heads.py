"""What is left when the head of a cluster is killed while it builds.

    python tests/benchmarks/cluster/heads.py [PASSAGES]

Begins a cluster of two nodes on this machine, as `ray start` does, and builds on it. In each stage
the head is killed, with all that it runs; then the cluster is begun again, and the build resumed.
Its graph has to be that of a build in one process. Prints a row a stage. Linux only.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from core.corpus.files import read_files
from core.indexing.updates import build
from core.jobs import Job, JobState, resume, start, state
from core.models.embedder import load_embedder
from core.store.index import Index
from tests.benchmarks.cluster.cluster import below, passages
from tests.core.tiny_model import make_tiny_model

STAGES = ("chunk", "questions", "embed", "merge")
PATIENCE = 300  # seconds
SOON = "5"  # seconds until who looks for a lost head gives up, instead of 60
os.environ |= {
    "RAY_AUTH_MODE": "token",  # as `ray start` has it where there is a token
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_gcs_rpc_server_reconnect_timeout_s": SOON,
}


def killed(process: int) -> None:
    """Kill a process and all below it."""
    for each in list(below(process)):
        with suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)


def until(done: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not done():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.01)


@contextmanager
def node(folder: Path, *how: str) -> Iterator[int]:
    """A node of a processor, begun by `ray start`; its process. It ends with this."""
    ray = str(Path(sys.executable).parent / "ray")
    small = ("--num-cpus=1", "--object-store-memory=200000000", "--node-ip-address=127.0.0.1")
    said = folder / f"{how[0]}.log"
    with said.open("w") as log:
        process = subprocess.Popen(
            [ray, "start", "--block", *how, *small], stdout=log, stderr=log, start_new_session=True
        )
        try:
            until(lambda: "Ray runtime started" in said.read_text() or process.poll() is not None)
            if process.poll() is not None:
                raise SystemExit(said.read_text())
            yield process.pid
        finally:
            killed(process.pid)
            process.wait()


@contextmanager
def cluster(folder: Path, port: int) -> Iterator[int]:
    """Two nodes; the process of the head."""
    own = f"--temp-dir={folder}"  # not where other clusters of this machine are
    with (
        node(folder, "--head", f"--port={port}", "--include-dashboard=false", own) as head,
        node(folder, f"--address=127.0.0.1:{port}"),
    ):
        yield head


def now(index: Path) -> JobState:
    found = state(index)
    assert found is not None
    return found


def attempt(stage: str, job: Job, port: int) -> str:
    """Kill the head in `stage`, begin again, resume; what became of it."""
    with short() as folder, cluster(folder, port) as head:
        start(job)
        until(lambda: not now(job.index).running or now(job.index).stage == stage)
        if not now(job.index).running:
            return f"not killed in time: {now(job.index).message}"
        killed(head)
        began = time.monotonic()
        until(lambda: not now(job.index).running)
        took = time.monotonic() - began
        after = f"{now(job.index).status} after {took:.0f} s"
    with short() as folder, cluster(folder, port):
        resume(job.index)
        until(lambda: not now(job.index).running)
    return f"{after}; resumed: {now(job.index).status} {now(job.index).message}"


@contextmanager
def short() -> Iterator[Path]:
    """A folder for Ray, whose sockets need a short name."""
    folder = Path(tempfile.mkdtemp(prefix="r", dir="/tmp"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        place, port = Path(scratch), free_port()
        passages(count, place / "passages.jsonl")
        model, files = str(make_tiny_model(place / "tiny")), (place / "passages.jsonl",)
        one = build(place / "one", read_files(files), load_embedder(model), lambda _: None)
        for stage in STAGES:
            index = place / stage
            job = Job("build", index, files, embedder=model, on=f"ray:127.0.0.1:{port}")
            said = attempt(stage, job, port)
            version = Index.open(index).meta.graph_version
            same = "the same graph" if version == one.graph_version else "ANOTHER GRAPH"
            print(f"{stage}: {said}; {same}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
