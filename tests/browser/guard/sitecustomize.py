"""Loaded by the server under test: notes every attempt to reach beyond this machine.

The file named by HOPRAG_TEST_NETWORK_LOG gets a line an attempt, from builds in processes of
their own too; a test fails when there is one.
"""

import ipaddress
import os
import sys
from pathlib import Path


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
