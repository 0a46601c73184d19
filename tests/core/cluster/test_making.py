"""A build on a local Ray of two processes, beside the same build in this one."""

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import pytest

from core.cluster.entry import stages_on
from core.cluster.session import address_of
from core.corpus.files import read_files
from core.corpus.types import Corpus
from core.errors import Cancelled, InputError, StoreError
from core.indexing.updates import build
from core.jobs import JOURNAL, Job, JobState, resume, run, start, state
from core.progress import Progress
from core.store.build_checkpoints import FOLDER
from core.store.database import connect, is_made
from core.store.embeddings.vector_cache import embeddings_of
from core.store.index import Index
from tests.benchmarks.cluster.cluster import below
from tests.core.cluster.dying import Dying, Enough, killed_once
from tests.core.fakes import WordEmbedder
from tests.core.five import silent

ROOT = Path(__file__).parents[3]


def towns(path: Path, count: int) -> Path:
    """A file of passages that name one another; some have more than one part."""
    rows = (
        {
            "id": f"p{i}",
            "title": f"Place {i}",
            "text": f"Place {i} is a town by River {i % 7}. It lies near Place {(i * 5) % count} "
            f"and Place {(i + 1) % count}. Ada Birch {i % 11} came from Place {i // 2}.",
        }
        for i in range(count)
    )
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return read_files([towns(tmp_path_factory.mktemp("towns") / "towns.jsonl", 300)])


@pytest.fixture(scope="module")
def in_one_process(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("one") / "towns"
    build(folder, corpus, WordEmbedder(), silent)
    return folder


def stopping(progress: Progress) -> None:
    """Stop a build when it has begun to embed."""
    if progress.stage == "embed" and progress.done:
        raise Cancelled


@pytest.mark.usefixtures("ray")
def test_the_same_index_as_in_one_process_though_it_stops_twice_and_each_stage_loses_a_worker(
    corpus, in_one_process, tmp_path, monkeypatch
):
    from core.cluster import batches, meeting  # which need Ray

    monkeypatch.setattr("core.cluster.making.LEAST", 50)
    with pytest.raises(Cancelled):
        build(tmp_path / "r", corpus, WordEmbedder(), stopping, make=stages_on("ray"))
    stages = [
        (batches, "chunk_batch"),
        (batches, "read_keywords"),
        (batches, "ask_by_rules"),
        (meeting, "match_groups"),
    ]
    *marks, last_mark = [tmp_path / name for name in ("chunked", "read", "asked", "met", "embed")]
    for (module, name), mark in zip(stages, marks, strict=True):
        monkeypatch.setattr(module, name, killed_once(getattr(module, name), mark))
    monkeypatch.setattr(meeting, "LEAST", 100)  # questions that a block of the merge asks: six
    first, second = tmp_path / "first", tmp_path / "second"
    for notes, most in ((first, 2), (second, 6)):
        notes.mkdir()
        kept = partial(Enough, notes=notes, most=most)
        monkeypatch.setattr("core.cluster.making.Unfinished", kept)
        embedder, told = Dying(last_mark), []
        stops = pytest.raises(StoreError, match=r"^enough blocks$")
        with stops if notes == first else nullcontext():
            meta = build(tmp_path / "r", corpus, embedder, told.append, make=stages_on("ray"))
    assert all(mark.exists() for mark in (*marks, last_mark))
    before, after = ({note.name for note in notes.iterdir()} for notes in (first, second))
    assert len(before | after) == 6
    assert before
    assert not before & after
    assert not (tmp_path / "r" / FOLDER).exists()

    one, other = Index.open(in_one_process), Index.open(tmp_path / "r")
    assert meta.graph_version == one.meta.graph_version
    assert meta.counts == one.meta.counts
    for name in ("documents", "passages", "pseudo_queries", "edges", "questions"):
        columns = sorted({*one.tables.read(name).column_names} - {"added_at"})
        ours, theirs = (index.tables.read(name).select(columns) for index in (one, other))
        assert ours.equals(theirs), name
    last = {each.stage: each for each in told}
    assert list(last) == ["chunk", "questions", "embed", "merge", "write"]
    assert all(each.done == each.total > 0 for each in last.values())

    own = connect(tmp_path / "r").open_table(embeddings_of(embedder.info))
    assert own.count_rows() == 0  # all are in the tables of the version


def test_where_a_build_runs_is_said_in_one_way():
    assert address_of("ray") == ""
    assert address_of("ray:10.0.0.1:6379") == "10.0.0.1:6379"
    for wrong in ("spark", "ray:", "rays", "local"):
        with pytest.raises(InputError, match="--on ray"):
            address_of(wrong)


def test_without_ray_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setattr("core.cluster.entry.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"requirements-cluster\.txt"):
        stages_on("ray")


PYTHON = """\
#!{python}
import runpy, sys
from pathlib import Path

sys.path.insert(0, {project!r})
import core.models.embedder as embedder
from tests.core.cluster.dying import Waiting

embedder.load_embedder = lambda name: Waiting(Path({mark!r}))
_, option, module, *sys.argv[1:] = sys.argv
runpy.run_module(module, run_name="__main__", alter_sys=True)
"""
"""Is run instead of Python for a job, whose embedder waits to be killed."""


def soon(until: Callable[[], object], said: Callable[[], object] = bool) -> None:
    """Return when it is so; it has 300 seconds from each change of what is `said`."""
    last, deadline = said(), time.monotonic() + 300
    while not until():
        if said() != last:
            last, deadline = said(), time.monotonic() + 300
        assert time.monotonic() < deadline, last
        time.sleep(0.1)  # a look opens a table: oftener, and who is waited for has no time


def command(process: int) -> str:
    """What a process was begun as, empty if it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_text()
    except OSError:
        return ""


def now(index: Path) -> JobState:
    found = state(index)
    assert found is not None
    return found


def embedded(index: Path) -> int:
    """How many texts are kept. Not what progress tells: it goes by batches in their order, and
    any may be embedded first."""
    table = embeddings_of(WordEmbedder().info)
    return connect(index).open_table(table).count_rows() if is_made(index, table) else 0


@pytest.mark.usefixtures("ray")
def test_a_job_whose_ray_is_killed_is_resumed(corpus, in_one_process, tmp_path, monkeypatch):
    files, index, mark = towns(tmp_path / "towns.jsonl", 300), tmp_path / "towns", tmp_path / "mark"
    python = tmp_path / "python"
    python.write_text(PYTHON.format(python=sys.executable, project=str(ROOT), mark=str(mark)))
    python.chmod(0o700)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", str(python))
        start(Job("build", index, files=(files,), on="ray"))
    soon(lambda: not now(index).running or embedded(index), (index / JOURNAL).read_bytes)
    assert now(index).running, now(index).message
    process = json.loads((index / JOURNAL).read_text().splitlines()[0])["process"]
    raylets = [pid for pid in below(process) if "/raylet/raylet" in command(pid)]
    assert raylets
    os.kill(process, signal.SIGKILL)
    soon(lambda: not now(index).running)
    assert now(index).status == "died"
    soon(lambda: not any(map(command, raylets)))  # it goes with who began it
    assert embedded(index)

    monkeypatch.setattr("core.models.embedder.load_embedder", lambda name: WordEmbedder())
    monkeypatch.setattr("core.jobs.process.start", run)
    resume(index)
    assert now(index).status == "finished"
    one = Index.open(in_one_process)
    assert Index.open(index).meta.graph_version == one.meta.graph_version
