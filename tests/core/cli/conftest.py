import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from core.cli import app
from tests.core.cli.calling import Cli
from tests.core.fakes import WordEmbedder
from tests.core.five import write_asked


@pytest.fixture
def cli(words: WordEmbedder) -> Iterator[Cli]:
    """Runs a command line; output and errors come apart."""

    def call(*arguments: object) -> Result:
        return CliRunner().invoke(app, [str(argument) for argument in arguments])

    return call


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    """The question of the five passages, as a file."""
    return write_asked(tmp_path)


@pytest.fixture
def index(commanded: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(commanded, tmp_path / "my index"))
