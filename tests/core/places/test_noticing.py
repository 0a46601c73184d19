"""What a process that serves questions sees of what others do to its indexes."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest

from core.errors import StoreError
from core.jobs import Job
from core.jobs.worker import taken
from core.library import cached_listing, catalogue
from core.library.cached_listing import Listing
from core.places import Place, Remote
from core.retrievers import make
from core.settings import settings
from core.steps import result
from core.store.index import Index
from core.traces import record
from pages.components.shell import resources
from tests.core.fakes import WordEmbedder

QUESTION = "Which brewery is in Port Selby?"
ADD = """
import sys
from core.indexing.updates import add
from core.places import place_of
from core.types import Document
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus

def told(progress):
    print(progress.stage, flush=True)
    if progress.stage == "write":
        sys.stdin.readline()

new = Document("brewery", "Selby Ales", "Selby Ales is a brewery in Port Selby.", "brewery.txt")
add(place_of(sys.argv[1]), corpus(new), WordEmbedder(), told)
"""


@pytest.fixture(params=["a folder", "object storage"])
def place(request: pytest.FixtureRequest) -> Place:
    name = "built" if request.param == "a folder" else "built_there"
    found: Place = request.getfixturevalue(name)
    return found


@pytest.fixture
def top(place: Place, at_home: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """Asks as a page does, of the index as it is seen now; the id that is ranked first."""
    embedder = WordEmbedder()
    monkeypatch.setattr(resources, "embedder", lambda name: embedder)
    monkeypatch.setenv("HOPRAG_INDEXES", str(place.parent))
    settings.cache_clear()

    def ask() -> str:
        bench = resources.workbench(resources.entry(place.name))
        trace = record(make("hybrid", bench), QUESTION, bench.index)
        return result(trace.steps).hits[0].passage_id

    return ask


def test_who_asks_notices_what_another_process_adds(
    place: Place, top: Callable[[], str], warm_python: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached_listing, "BELIEVED", 0.0)
    before = top()
    assert before != "brewery"
    command = [warm_python, "-c", ADD, str(place)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as adding:
        assert adding.stdout is not None
        stage = ""
        while stage != "write\n":
            stage = adding.stdout.readline()
            assert top() == before
        adding.communicate("\n")
        assert adding.returncode == 0
    assert top() == "brewery"


@pytest.fixture
def looks(remote: Remote, monkeypatch: pytest.MonkeyPatch) -> list[Place]:
    """The roots that were looked at; nothing is there."""
    seen: list[Place] = []

    def look(root: Place) -> list[catalogue.Listed]:
        seen.append(root)
        return []

    monkeypatch.setattr(catalogue, "entries", look)
    return seen


def test_object_storage_is_looked_at_now_and_then(
    remote: Remote, looks: list[Place], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = Listing()
    for _ in range(2):
        seen.entries(remote)
    assert looks == [remote]
    with seen.changing():
        pass
    seen.entries(remote)
    assert looks[1:] == [remote]
    monkeypatch.setattr(cached_listing, "BELIEVED", 0.0)
    seen.entries(remote)
    assert looks[2:] == [remote]


def test_an_index_in_a_folder_is_looked_at_again_when_a_file_of_it_changed(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, looks = Listing(), Mock(wraps=catalogue.look)
    monkeypatch.setattr(catalogue, "look", looks)
    root, name = built.parent, built.name
    (root / "beside").mkdir()
    (entry,) = (each for each in seen.entries(root) if each.name == name)
    assert seen.entry(root, name) is entry
    assert looks.call_count == 2  # the one beside it too
    with taken(Job("make", built, artefacts=("entities",))) as take:
        take.journal.write("failed", message="A power cut.")
    told = seen.entry(root, name)
    assert told == catalogue.look(built) != entry
    (built / "published.json").rename(built / "away")
    told = seen.entry(root, name)
    assert told is not None
    assert told.problem
    with seen.changing():
        catalogue.rename(root, name, "another")
    assert seen.entry(root, name) is None
    assert seen.entry(root, "another")


def test_a_running_job_is_looked_at_each_time(built: Path) -> None:
    seen = Listing()
    with taken(Job("make", built, artefacts=("entities",))):
        for _ in range(2):
            told = seen.entry(built.parent, built.name)
            assert told
            assert told.job
            assert told.job.running
    # Nothing was written since; that its process is gone is seen from the lock.
    told = seen.entry(built.parent, built.name)
    assert told
    assert told.job
    assert told.job.status == "died"


@pytest.mark.parametrize("name", ["", "..", "../five", ".five", "a/b", "five\0", "x" * 999])
def test_a_name_of_no_index_is_no_path(built: Path, name: str) -> None:
    assert Listing().entry(built.parent, name) is None


def test_what_was_seen_before_a_change_is_not_believed_after_it(
    remote: Remote, looks: list[Place], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, look = Listing(), catalogue.entries

    def slow(root: Place) -> list[catalogue.Listed]:
        found = look(root)
        seen.look_again()  # somebody renamed an index meanwhile
        return found

    monkeypatch.setattr(catalogue, "entries", slow)
    seen.entries(remote)
    seen.entries(remote)
    assert len(looks) == 2


def test_an_index_that_went_while_it_was_read_is_not_called_damaged(
    built_there: Remote, embedder: WordEmbedder
) -> None:
    index = Index.open(built_there, embedder.info)
    catalogue.rename(built_there.parent, built_there.name, "another name")
    with pytest.raises(StoreError, match="renamed or deleted after it was opened"):
        _ = index.questions
