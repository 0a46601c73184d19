import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.artefacts.workbench import Workbench
from core.cli import app
from core.indexing.updates import build
from core.models.kept.replies import Replies
from core.models.llm import Llm
from core.models.oracle import Oracle
from core.places import Remote, place_of
from core.places.stores import store_of
from core.settings import settings
from core.store.index import Index
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent, write_asked, write_files
from tests.core.warm import PROGRAM
from tests.llm.client import LEAVE
from tests.llm.replies import choose
from tests.llm.server import ChatServer, endpoint
from tests.storage import serving

ROOT = Path(__file__).parents[2]
_numbers = count()


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture
def words(embedder: WordEmbedder, monkeypatch: pytest.MonkeyPatch) -> WordEmbedder:
    """The embedder of every command and job that runs in this process."""
    monkeypatch.setattr("core.models.embedder.load_embedder", lambda name: embedder)
    return embedder


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A file of the five passages."""
    return write_files(tmp_path)


@pytest.fixture(scope="session")
def five_built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of the five passages, built once; use `built`, which is a test's own copy."""
    folder = tmp_path_factory.mktemp("built") / "five"
    build(folder, corpus(), WordEmbedder(), silent)
    return folder


@pytest.fixture
def built(five_built: Path, tmp_path: Path, embedder: WordEmbedder) -> Path:
    """A folder with the index of the five passages, which `embedder` has embedded."""
    return Path(shutil.copytree(five_built, tmp_path / "five"))


@pytest.fixture
def large_from(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """Sets from how many passages on an index is large."""

    def set_to(passages: int) -> None:
        monkeypatch.setenv("HOPRAG_LARGE_FROM", str(passages))
        settings.cache_clear()

    yield set_to
    settings.cache_clear()


@pytest.fixture(scope="session")
def storage() -> Iterator[dict[str, str]]:
    with serving() as environment:
        yield environment


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """HOPRAG_HOME of a test, with nothing of a provider's in the environment."""
    for name in list(os.environ):
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


@pytest.fixture(scope="session")
def commanded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The five passages and their question as the command line builds them, once; to be copied."""
    folder = tmp_path_factory.mktemp("commanded")
    files, asked, index = write_files(folder), write_asked(folder), folder / "my index"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.models.embedder.load_embedder", lambda name: WordEmbedder())
        words = ["build", str(files), str(asked), "--index", str(index)]
        assert CliRunner().invoke(app, words).exit_code == 0
    return index


@pytest.fixture
def workbench(built: Path, embedder: WordEmbedder) -> Workbench:
    """What retrievers stand on is made when it is asked for."""
    return Workbench(Index.open(built, embedder.info), embedder, making=silent)


@pytest.fixture(scope="session")
def warm_python(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A program that does as Python does, and begins at once."""
    folder = tmp_path_factory.mktemp("warm")
    place, program = folder / "socket", folder / "python"
    program.write_text(PROGRAM.format(python=sys.executable, place=str(place)))
    program.chmod(0o700)
    command = [sys.executable, "-m", "tests.core.warm", str(place)]
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=ROOT, **quiet) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"ready\n"
        yield str(program)
        server.kill()


@pytest.fixture
def oracle(tmp_path: Path) -> Iterator[Oracle]:
    """A model that follows the question most like the query by its words, and no reply kept."""
    with ChatServer(choose) as server:
        yield Oracle(Llm(endpoint(server), retries=0), Replies(tmp_path / "replies"), LEAVE)


@pytest.fixture
def thinking(built: Path, embedder: WordEmbedder, oracle: Oracle) -> Workbench:
    """The workbench, with that model, which makes what a retriever stands on."""
    return Workbench(Index.open(built, embedder.info), embedder, oracle, making=silent)


@pytest.fixture(scope="session")
def standing(five_built: Path, tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    """As `workbench`, one for all tests that only ask: what retrievers stand on is made once."""
    folder = shutil.copytree(five_built, tmp_path_factory.mktemp("standing") / "five")
    embedder = WordEmbedder()
    return Workbench(Index.open(Path(folder), embedder.info), embedder, making=silent)


@pytest.fixture(scope="session")
def all_asking(
    standing: Workbench, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Workbench]:
    """What `asking` is made of; what the model said is kept."""
    with ChatServer(choose) as server:
        replies = Replies(tmp_path_factory.mktemp("replies"))
        oracle = Oracle(Llm(endpoint(server), retries=0), replies, LEAVE)
        yield Workbench(standing.index, standing.embedder, oracle, making=silent)


@pytest.fixture
def asking(all_asking: Workbench) -> Workbench:
    """The same with a leave of its own: what fails in one test costs no other its model."""
    return all_asking.with_leave(LEAVE)
