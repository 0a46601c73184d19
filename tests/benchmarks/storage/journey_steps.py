"""The steps of the journey (`journey.py`) through an index in object storage."""

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from signal import SIGKILL
from uuid import uuid4

import pytest
from typer.testing import CliRunner

from core.cli import app
from core.errors import IndexLocked, StoreError
from core.jobs import Job, cancel, run, state
from core.library import catalogue
from core.marks.store import Marks
from core.places import Outdated, Place, Remote, place_of
from core.places.stores import store_of
from core.reviews import Change, Reviews
from core.runs import Runs
from core.settings import settings
from core.store.index import Index
from tests.benchmarks.cluster.another_machine import begun, done, process
from tests.benchmarks.cluster.kills import corpus
from tests.storage import remove_all

_RACERS = 4
_SECRETS = {
    "s3": "AWS_SECRET_ACCESS_KEY",
    "gs": "GOOGLE_BEARER_TOKEN",
    "az": "AZURE_STORAGE_ACCOUNT_KEY",
}
_WRONG = "c2VzYW1l"


class Journey:
    """The steps, in order: each method that has a docstring, which is its name in the table.

    Each returns what was seen, and raises where that is not what an index needs.
    """

    def __init__(self, root: Remote, folder: Path) -> None:
        self.root, self.folder = root, folder
        self.place = root / "fünf & mehr 50%"
        self.first = corpus(folder / "a.jsonl", 0, 40)
        self.more = corpus(folder / "b.jsonl", 40, 20)
        self.others = corpus(folder / "c.jsonl", 60, 20)

    def objects(self) -> str:
        """write, list, copy and delete objects"""
        place = self.root / "ob jects" / "ä"
        place.write_bytes(b"one")
        place.copy(self.root / "ob jects" / "copy")
        assert {each.name for each in (self.root / "ob jects").iterdir()} == {"ä", "copy"}
        assert place.read_bytes() == b"one"
        remove_all(self.root / "ob jects")
        assert not self.root.is_dir()
        return "found again by names with spaces and umlauts"

    def conditional(self) -> str:
        """write on condition, 12 MB too"""
        place = self.root / "condition"
        for content in (b"some", b"much" * 3_000_000):
            place.unlink(missing_ok=True)
            first = place.replace(content, None)
            second = place.replace(content + b"more", first)
            for seen in (None, first):
                with suppress(Outdated):
                    place.replace(content + b"other", seen)
                    raise AssertionError("an object was written over what was not seen")
            assert place.read_unless(second) is None
        return "refused where the object is there, or another"

    def racing(self) -> str:
        """write at once from four machines"""
        place = self.root / "race"
        place.write_bytes(b"")
        racers = [begun("race", place) for _ in range(_RACERS)]
        for each in racers:
            assert each.stdin
            each.stdin.write("go\n")
            each.stdin.flush()
        won = [json.loads(each.communicate()[0]) for each in racers]
        assert sum(won) == 1, won
        return f"1 of {_RACERS} was first"

    def built(self) -> str:
        """build, as in a folder"""
        run(Job("build", self.place, files=(self.first,)))
        self._here = self.folder / "here"
        run(Job("build", self._here, files=(self.first,)))
        there, here = Index.open(self.place), Index.open(self._here)
        assert there.meta.graph_version == here.meta.graph_version
        assert list(there.passages) == list(here.passages)
        assert (there.vectors == here.vectors).all()
        return f"{len(there.passages)} passages, the same graph and vectors"

    def commanded(self) -> str:
        """info, ask, evaluate and runs on the command line"""
        told = json.loads(self._said("info", "--json"))
        found = json.loads(self._said("ask", "Where does Place 7 lie?", "--json"))
        assert told["index"] == found["index"] == str(self.place)
        asked = self.folder / "asked.jsonl"
        asked.write_text('{"id": "q", "question": "Where does Place 7 lie?", "gold": ["p7"]}')
        self._said("evaluate", str(asked), "--retrievers", "bm25,hoprag-coverage", "--run", "one")
        self._said("runs", "rename", "one", "two")
        (kept,) = Runs(self.place).all()
        assert (kept.name, kept.state) == ("two", "finished"), kept
        self._said("runs", "delete", "two")
        return f"a run of {len(kept.columns)} retrievers kept, renamed and deleted"

    def marked(self) -> str:
        """marks and reviews from two machines"""
        done("mark", self.place, "p1")
        Marks(self.place).replace([], [])
        done("mark", self.place, "p2")
        assert {each.passage for each in Marks(self.place).all()} == {"p1", "p2"}
        Reviews(self.place).say("Ada", [Change("Who?", "bm25", verdict="fail", note="Why?")])
        assert [each.note for each in Reviews(self.place).all()] == ["Why?"]
        return "each sees the other's"

    def locked(self) -> str:
        """a second writer is told who is the first"""
        holding = begun("hold", self.place)
        refused = done("build", self.place, self.first)
        holding.communicate()
        assert f"a long journey (process {holding.pid} on " in refused.stderr, refused.stderr
        return "refused, with process and host"

    def cancelled(self) -> str:
        """cancel from another machine"""
        lingering = begun("linger", self.root / "cancelled", str(self.first))
        cancel(self.root / "cancelled")
        assert "Cancelled" in lingering.communicate()[1]
        job = state(self.root / "cancelled")
        assert job
        assert (job.status, job.resumable) == ("cancelled", True)
        return "stopped, and can be resumed"

    def killed(self) -> str:
        """kill a build with SIGKILL, go on from another machine"""
        reader = Index.open(self.place)
        before = reader.meta.graph_version
        files = str(corpus(self.folder / "d.jsonl", 0, 60))
        assert done("build", self.place, files, "merge").returncode == -SIGKILL
        began = time.monotonic()
        with pytest.raises(IndexLocked, match="a build"):
            run(Job("build", self.place, files=(Path(files),)))
        assert json.loads(done("look", self.place).stdout)["graph"] == before
        while (job := state(self.place)) and job.running:
            time.sleep(0.5)
        assert job
        assert job.status == "died"
        waited = time.monotonic() - began
        graph = json.loads(done("build", self.place, files).stdout)
        assert graph == run(Job("build", self.folder / "whole", files=(Path(files),))).graph_version
        assert len(list(reader.graph.all_pseudo_queries)) > 0
        assert len(Index.open(self.place).passages) == 60
        return f"free after {waited:.0f} s, the same graph; who was reading reads on"

    def added(self) -> str:
        """add other documents from two machines at once"""
        run(Job("build", self.place, files=(self.first,)))
        files = {"add b": self.more, "add c": self.others}
        adding = [process("add", self.place, str(each)) for each in files.values()]
        ended = [(each.communicate()[1], each.returncode) for each in adding]
        for (said, code), each in zip(ended, files.values(), strict=True):
            if code:
                assert "IndexLocked" in said, said
                run(Job("add", self.place, files=(each,)))
        whole = run(Job("build", self.folder / "all", files=(self.first, *files.values())))
        assert Index.open(self.place).meta.graph_version == whole.graph_version
        refused = sum(code != 0 for _, code in ended)
        return f"{refused} refused and done again, nothing lost, the same graph"

    def renamed(self) -> str:
        """rename and delete"""
        catalogue.rename(self.root, self.place.name, "another")
        (self.place,) = (self.root / e.name for e in catalogue.entries(self.root) if e.meta)
        assert len(Marks(self.place).all()) == 2
        assert len(Index.open(self.place).passages) == 80
        catalogue.delete(self.root, "another")
        assert not self.place.is_dir()
        return "marks went with it"

    def large(self) -> str:
        """an index that is read as it is touched"""
        with environment("HOPRAG_LARGE_FROM", "5"):
            run(Job("build", self.root / "large", files=(self.first,)))
            index = Index.open(self.root / "large")
            assert index.large
            here = Index.open(self._here)
            assert list(index.passages) == list(here.passages)
            self._said("ask", "Where does Place 7 lie?", place=self.root / "large")
        return "by its indices"

    def nowhere(self) -> str:
        """a bucket that is not there"""
        name = f"none-{uuid4().hex}"
        return _refused(place_of(f"{self.root.scheme}://{name}/x"))

    def denied(self) -> str:
        """a wrong key"""
        secret = _SECRETS[self.root.scheme]
        if not os.environ.get(secret):
            return f"not tried: {secret} is not set"
        with environment(secret, _WRONG):
            said = _refused(self.root / "x")
        return said if "credentials" in said else "not tried: this server looks at no key"

    def _said(self, *command: str, place: Remote | None = None) -> str:
        done = CliRunner().invoke(app, [*command, "--index", str(place or self.place)])
        assert done.exit_code == 0, done.output
        return done.stdout


def _refused(place: Place) -> str:
    """What opening it is refused with."""
    with pytest.raises(StoreError) as refused:
        Index.open(place)
    told = str(refused.value)
    assert _WRONG not in told
    return told.partition("cannot be used: ")[2] or told


@contextmanager
def environment(name: str, value: str) -> Iterator[None]:
    before = os.environ.get(name)
    os.environ[name] = value
    settings.cache_clear()
    store_of.cache_clear()
    try:
        yield
    finally:
        del os.environ[name]
        if before is not None:
            os.environ[name] = before
        settings.cache_clear()
        store_of.cache_clear()
