"""The application as a server of its own, and waiting for it in a browser."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@dataclass(frozen=True)
class Server:
    """The application, running. `foreign` lists whom it tried to reach beyond loopback."""

    url: str
    home: Path
    log: Path

    @property
    def foreign(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []


@contextmanager
def serve(home: Path, log: Path) -> Iterator[Server]:
    """`streamlit run app.py` with `home`; attempts to reach other machines are noted in `log`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environ = {
        **os.environ,
        "HOPRAG_HOME": str(home),
        "HOPRAG_TEST_NETWORK_LOG": str(log),
        "PYTHONPATH": str(HERE / "guard"),
    }
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    with (home / "server.log").open("wb") as output:
        process = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=output, stderr=output)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{url}/_stcore/health", process)
        yield Server(url, home, log)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()


def build_index(home: Path, name: str, *sources: Path) -> Path:
    """The index `name` in `home`, built by the command line if it is not there."""
    folder = home / "indexes" / name
    if not folder.exists():
        files = [str(source) for source in sources]
        command = [sys.executable, "-m", "core", "build", *files, "--index", str(folder)]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder


def _wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        assert process.poll() is None, "the server ended; see server.log in its home"
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server did not answer within 30 s")


def idle(page: Any, quiet_ms: int = 300) -> None:
    """Wait until Streamlit has run the page and stays quiet; fail on a traceback."""
    page.evaluate("window.__quiet = null")  # quiet before counts for nothing
    page.wait_for_function(
        """quiet => {
            const app = document.querySelector('[data-testid="stApp"]');
            const ready = app && app.dataset.testScriptState === 'notRunning'
                && app.dataset.testConnectionState === 'CONNECTED'
                && !document.querySelector('[data-testid$="Skeleton"]');
            if (!ready) { window.__quiet = null; return false; }
            window.__quiet = window.__quiet || performance.now();
            return performance.now() - window.__quiet > quiet;
        }""",
        arg=quiet_ms,
        polling=50,
    )
    assert page.locator('[data-testid="stException"]').count() == 0
