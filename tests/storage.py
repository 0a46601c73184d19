"""Servers of object storage of our own, and indexes taken there.

Run as a program it is the one that speaks S3 (moto). It keeps an object in memory as it was put:
moto would copy all of it for each range of a few bytes that is asked of it, which no storage does.
"""

import hmac
import socket
import subprocess
import sys
import time
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import formatdate
from functools import partial
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

sys.path.insert(0, str(Path(__file__).parents[1]))

from core.places import Remote
from tests import google_storage


@contextmanager
def serving(scheme: str = "s3") -> Iterator[dict[str, str]]:
    """The environment that leads to a server with one bucket, `bucket`, in a process of its own.

    Behind s3:// it is moto, behind az:// Azurite, which has to be installed (npm install -g
    azurite), and behind gs:// a stand-in of ours, which answers four times as fast as moto; "gs at
    any rate" lets an object be written more than once a second.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command, environment = _SERVERS[scheme](port)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, **quiet) as server:
        while server.poll() is None:
            try:
                urlopen(_making_the_bucket(scheme, port)).close()
            except HTTPError:
                break
            except URLError:
                time.sleep(0.02)
            else:
                break
        try:
            yield environment
        finally:
            server.kill()


def _s3(port: int) -> tuple[list[str], dict[str, str]]:
    return [sys.executable, __file__, str(port)], {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_ACCESS_KEY_ID": "somebody",
        "AWS_SECRET_ACCESS_KEY": "a secret that nobody repeats",
        "AWS_REGION": "us-east-1",
    }


def _google(port: int, every: float = 1.0) -> tuple[list[str], dict[str, str]]:
    return [sys.executable, google_storage.__file__, str(port), str(every)], {
        "GOOGLE_BASE_URL": f"http://127.0.0.1:{port}",
        "GOOGLE_BEARER_TOKEN": google_storage.TOKEN,
    }


def _azure(port: int) -> tuple[list[str], dict[str, str]]:
    where = ["--blobHost", "127.0.0.1", "--blobPort", str(port)]
    kept = ["--inMemoryPersistence", "--disableTelemetry", "--skipApiVersionCheck"]
    return ["azurite-blob", *where, *kept], {
        "AZURE_STORAGE_ENDPOINT": f"http://127.0.0.1:{port}/{_ACCOUNT}",
        "AZURE_STORAGE_ACCOUNT_NAME": _ACCOUNT,
        "AZURE_STORAGE_ACCOUNT_KEY": _KEY,
    }


_SERVERS = {
    "s3": _s3,
    "gs": _google,
    "gs at any rate": partial(_google, every=0.0),
    "az": _azure,
}
# Azurite's own, which stand in its documentation.
_ACCOUNT = "devstoreaccount1"
_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="


def _making_the_bucket(scheme: str, port: int) -> Request:
    if scheme != "az":
        return Request(f"http://127.0.0.1:{port}/bucket", method="PUT")
    told = {"x-ms-date": formatdate(usegmt=True), "x-ms-version": "2021-08-06"}
    place = f"/{_ACCOUNT}/bucket"
    lines = ("PUT", *[""] * 11, *map(":".join, told.items()), f"/{_ACCOUNT}{place}")
    signed = "\n".join((*lines, "restype:container"))
    signature = hmac.digest(b64decode(_KEY), signed.encode(), "sha256")
    told["Authorization"] = f"SharedKey {_ACCOUNT}:{b64encode(signature).decode()}"
    address = f"http://127.0.0.1:{port}{place}?restype=container"
    return Request(address, method="PUT", headers=told)


def taken_to(remote: Remote, folder: Path) -> Remote:
    """The index in `folder` at `remote` too, as it is."""
    for file in folder.rglob("*"):
        if file.is_file():
            (remote / file.relative_to(folder).as_posix()).write_bytes(file.read_bytes())
    return remote


def remove_all(remote: Remote) -> None:
    """Delete every object below `remote`."""
    remote.remove_listed(list(remote.walk()))


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
