import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest

from core.places import Remote, place_of
from core.places.stores import store_of
from core.settings import settings

_numbers = count()


@pytest.fixture(scope="session")
def storage() -> Iterator[str]:
    """The address of an S3 server with one bucket, `bucket`, in a process of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
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
        yield address
        server.kill()


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """HOPRAG_HOME of a test, with nothing of AWS in the environment."""
    for name in ("AWS_ENDPOINT_URL", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "no config"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "no credentials"))
    monkeypatch.setenv("HOPRAG_HOME", str(tmp_path / "home"))
    settings.cache_clear()
    store_of.cache_clear()
    yield tmp_path / "home"
    settings.cache_clear()
    store_of.cache_clear()


@pytest.fixture
def remote(storage: str, at_home: Path, monkeypatch: pytest.MonkeyPatch) -> Remote:
    """A place in that bucket which no other test has."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", storage)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "somebody")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a secret that nobody repeats")
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    place = place_of(f"s3://bucket/{next(_numbers)}/fünf Texte")
    assert isinstance(place, Remote)
    return place


@pytest.fixture
def built_there(remote: Remote, five_built: Path) -> Remote:
    """The index of the five passages, taken there as it is."""
    return taken_to(remote, five_built)


def taken_to(remote: Remote, folder: Path) -> Remote:
    for file in folder.rglob("*"):
        if file.is_file():
            (remote / file.relative_to(folder).as_posix()).write_bytes(file.read_bytes())
    return remote
