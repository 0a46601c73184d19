"""An S3 server of our own (moto), and indexes taken there.

Run as a program it is the server. It keeps an object in memory as it was put: moto would copy all
of it for each range of a few bytes that is asked of it, which no storage does.
"""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

sys.path.insert(0, str(Path(__file__).parents[1]))

from core.places import Remote


@contextmanager
def serving() -> Iterator[dict[str, str]]:
    """The environment that leads to a server with one bucket, `bucket`, in a process of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, __file__, str(port)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, **quiet) as server:
        address = f"http://127.0.0.1:{port}"
        while server.poll() is None:
            try:
                urlopen(Request(f"{address}/bucket", method="PUT")).close()
            except URLError:
                time.sleep(0.02)
            else:
                break
        try:
            yield {
                "AWS_ENDPOINT_URL": address,
                "AWS_ACCESS_KEY_ID": "somebody",
                "AWS_SECRET_ACCESS_KEY": "a secret that nobody repeats",
                "AWS_REGION": "us-east-1",
            }
        finally:
            server.kill()


def taken_to(remote: Remote, folder: Path) -> Remote:
    """The index in `folder` at `remote` too, as it is."""
    for file in folder.rglob("*"):
        if file.is_file():
            (remote / file.relative_to(folder).as_posix()).write_bytes(file.read_bytes())
    return remote


def serve(port: str) -> None:
    from moto.s3.models import FakeKey
    from moto.server import main

    read, write = FakeKey.value.fget, FakeKey.value.fset

    def kept(key: FakeKey) -> bytes:
        if getattr(key, "kept", None) is None:
            key.kept = read(key)
        return key.kept

    def put(key: FakeKey, value: bytes) -> None:
        key.kept = None
        write(key, value)

    FakeKey.value = property(kept, put)
    main(["-H", "127.0.0.1", "-p", port])


if __name__ == "__main__":
    serve(sys.argv[1])
