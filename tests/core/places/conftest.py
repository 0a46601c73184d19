import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from core.places import Remote, place_of
from core.places.stores import store_of
from core.settings import settings
from tests.storage import serving, taken_to

_numbers = count()


@pytest.fixture(scope="session")
def storage() -> Iterator[dict[str, str]]:
    with serving() as environment:
        yield environment


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """HOPRAG_HOME of a test, with nothing of a provider's in the environment."""
    for name in os.environ:
        if name.startswith(("AWS_", "AZURE", "GOOGLE_")):
            monkeypatch.delenv(name)
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
def remote(storage: dict[str, str], at_home: Path, monkeypatch: pytest.MonkeyPatch) -> Remote:
    """A place in that bucket which no other test has."""
    for name, value in storage.items():
        monkeypatch.setenv(name, value)
    place = place_of(f"s3://bucket/{next(_numbers)}/fünf Texte")
    assert isinstance(place, Remote)
    return place


@pytest.fixture
def built_there(remote: Remote, five_built: Path) -> Remote:
    """The index of the five passages."""
    return taken_to(remote, five_built)
