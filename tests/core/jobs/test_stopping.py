from pathlib import Path

import pytest

from core.errors import Cancelled
from core.jobs import Job, cancel, run
from core.jobs.worker import taken
from core.progress import Progress
from core.store.index import Index
from tests.core.fakes import WordEmbedder
from tests.core.five import TEXTS
from tests.core.jobs.seen import state_of


@pytest.mark.parametrize("stop", [Cancelled, KeyboardInterrupt])
def test_stopped_by_whoever_is_told(
    index: Path, files: Path, words: WordEmbedder, stop: type[BaseException]
) -> None:
    def report(progress: Progress) -> None:
        if progress.stage == "merge":
            raise stop

    with pytest.raises(Cancelled, match="kept"):
        run(Job("build", index, files=(files,)), report)
    assert state_of(index).status == "cancelled"
    assert state_of(index).resumable

    embedded = len(words.texts)
    resumed = run(Job("build", index, files=(files,)))
    assert state_of(index).status == "finished"
    assert len(words.texts) == embedded  # nothing twice
    scratch = run(Job("build", index.with_name("scratch"), files=(files,)))
    assert resumed.graph_version == scratch.graph_version


def test_stopped_by_the_cancel_file(index: Path, files: Path, words: WordEmbedder) -> None:
    def report(progress: Progress) -> None:
        if progress.stage == "embed":
            cancel(index)

    with pytest.raises(Cancelled):
        run(Job("build", index, files=(files,)), report)
    assert state_of(index).status == "cancelled"
    run(Job("build", index, files=(files,)))  # the old wish does not stop the next one
    assert state_of(index).status == "finished"


def test_what_is_published_is_not_stopped_any_more(
    index: Path, files: Path, words: WordEmbedder
) -> None:
    def report(progress: Progress) -> None:
        if progress == Progress("write", 0, 1):
            cancel(index)

    run(Job("build", index, files=(files,)), report)
    assert state_of(index).status == "finished"
    assert len(Index.open(index).passages) == len(TEXTS)


def test_stopped_by_a_signal(index: Path, files: Path, words: WordEmbedder) -> None:
    with taken(Job("build", index, files=(files,))) as take, pytest.raises(Cancelled):
        take.finish(stopped=lambda: True)
    assert state_of(index).status == "cancelled"


def test_cancelling_what_does_not_run_does_nothing(
    index: Path, files: Path, words: WordEmbedder
) -> None:
    cancel(index)
    assert not index.exists()
    run(Job("build", index, files=(files,)))
    cancel(index)
    assert state_of(index).status == "finished"
