"""Loaded by the server under test: notes every attempt to reach beyond this machine, and ends the
server with the process of the tests, also where that is killed.

The file named by HOPRAG_TEST_NETWORK_LOG gets a line an attempt, from builds in processes of
their own too; a test fails when there is one.
"""

import ctypes
import ipaddress
import os
import signal
import sys
from pathlib import Path

_PR_SET_PDEATHSIG = 1


def _beyond(host: object) -> bool:
    if host in (None, "", "localhost"):
        return False
    try:
        return not ipaddress.ip_address(str(host)).is_loopback
    except ValueError:
        return True


def _watch(event: str, args: tuple[object, ...]) -> None:
    if event == "socket.connect":
        address = args[1]
        host = address[0] if isinstance(address, tuple) else None
    elif event == "socket.getaddrinfo":
        host = args[0]
    else:
        return
    # What a name server is asked for counts too; an address to listen on is no attempt.
    if _beyond(host) and host not in ("0.0.0.0", "::"):
        with Path(os.environ["HOPRAG_TEST_NETWORK_LOG"]).open("a") as log:
            log.write(f"{event} {host}\n")


if "HOPRAG_TEST_NETWORK_LOG" in os.environ:
    sys.addaudithook(_watch)
    if "streamlit" in sys.orig_argv and sys.platform == "linux":  # a build outlives its server
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
