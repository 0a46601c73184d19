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
SIZES = ((1440, 900), (1024, 768))
"""Of a window: a laptop's, and a projector's."""
CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--process-per-site",  # tabs of a window share what the process has compiled
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


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@contextmanager
def serve(home: Path, log: Path, *flags: str, port: int = 0, **settings: str) -> Iterator[Server]:
    """`streamlit run app.py` with `home`; attempts to reach other machines are noted in `log`.

    `flags` go to Streamlit, `settings` into the environment.
    """
    port = port or free_port()
    environ = {
        **os.environ,
        "HOPRAG_HOME": str(home),
        "HOPRAG_TEST_NETWORK_LOG": str(log),
        "PYTHONPATH": str(HERE / "guard"),
        **settings,
    }
    run = [sys.executable, "-m", "streamlit", "run", "app.py"]
    command = [*run, "--server.port", str(port), *flags]
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


def _wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        assert process.poll() is None, "the server ended; see server.log in its home"
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server did not answer within 30 s")


ASKED = """(() => {
    const RERUN = 11, NEW_SESSION = 4;
    globalThis.__asked = 0;
    const field = (bytes) => bytes[0] >> 3;  // of a protocol buffer that has no number above 15
    const next = (bytes) => {  // what follows a first field of this kind: text, or a message
        let at = 1, size = 0, shift = 0;
        do { size |= (bytes[at] & 127) << shift; shift += 7; } while (bytes[at++] & 128);
        return bytes.subarray(at + size);
    };
    const begins = ({ data }) => {
        let bytes = new Uint8Array(data);
        while (field(bytes) < 3) bytes = next(bytes);  // its hash, and about it
        if (field(bytes) === NEW_SESSION) globalThis.__asked = 0;
    };
    globalThis.WebSocket = class extends WebSocket {
        constructor(...of) {
            super(...of);
            this.addEventListener("message", begins);
            this.addEventListener("close", () => { globalThis.__asked = 0; });
        }
        send(message) {
            if (field(new Uint8Array(message)) === RERUN) globalThis.__asked += 1;
            super.send(message);
        }
    };
})();"""
"""Counts, in a window, how often the server was asked to run the page and has not yet begun to."""


UNANIMATED = """addEventListener("DOMContentLoaded", () => {
    const style = new CSSStyleSheet();
    const none = 'animation: none !important; transition: none !important';
    style.replaceSync(`*, ::before, ::after { ${none} }`);
    document.adoptedStyleSheets.push(style);
});"""
"""Stops animations and transitions, the pulse of placeholders and the fading of what is stale: to
paint them costs a fifth of loading a page and an eighth of a test."""


def idle(page: Any, quiet_ms: int = 300) -> None:
    """Wait until Streamlit has run the page and stays quiet; fail on a traceback.

    Quiet is a page with something on it, a browser that has nothing left to do, and a server that
    was asked nothing: on a busy machine, what a key or a click asks is sent long after it, and
    taken up later still.
    """
    page.evaluate("window.__quiet = null")  # quiet before counts for nothing
    page.wait_for_function(
        """quiet => {
            const app = document.querySelector('[data-testid="stApp"]');
            const ready = app && app.dataset.testScriptState === 'notRunning'
                && app.dataset.testConnectionState === 'CONNECTED'
                && !window.__asked
                && app.querySelector('[data-testid="stElementContainer"]')
                && !document.querySelector('[data-testid$="Skeleton"]');
            if (!ready) { window.__quiet = null; return false; }
            if (!window.__quiet) {
                const now = window.__quiet = { since: performance.now(), rests: false };
                requestIdleCallback(() => { now.rests = true; }, { timeout: 5000 });
            }
            return window.__quiet.rests && performance.now() - window.__quiet.since > quiet;
        }""",
        arg=quiet_ms,
        polling=50,
        timeout=60_000,  # the first page of a server loads what all others use
    )
    assert page.locator('[data-testid="stException"]').count() == 0


def still(part: Any) -> Any:
    """Return `part` once it, and all in it, has kept its place for some frames."""
    part.evaluate(
        """async part => {
            const all = () => [part, ...part.querySelectorAll('*')];
            const place = () => JSON.stringify(all().map((one) => one.getBoundingClientRect()));
            for (let frames = 0, before = place(); frames < 18; before = place()) {
                await new Promise(requestAnimationFrame);
                frames = place() === before ? frames + 1 : 0;
            }
        }"""
    )
    return part
