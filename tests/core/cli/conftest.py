import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from core.cli import app
from tests.core.cli.calling import Cli
from tests.core.fakes import WordEmbedder
from tests.core.five import write_asked, write_files


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> WordEmbedder:
    embedder = WordEmbedder()
    monkeypatch.setattr("core.models.embedder.load_embedder", lambda name: embedder)
    return embedder


@pytest.fixture
def cli(words: WordEmbedder) -> Iterator[Cli]:
    """Runs a command line; output and errors come apart."""

    def call(*arguments: object) -> Result:
        return CliRunner().invoke(app, [str(argument) for argument in arguments])

    return call


@pytest.fixture
def files(tmp_path: Path) -> Path:
    return write_files(tmp_path)


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    """The question of the five passages, as a file."""
    return write_asked(tmp_path)


@pytest.fixture
def index(commanded: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(commanded, tmp_path / "my index"))
