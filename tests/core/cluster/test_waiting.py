"""A build on Ray goes on, or ends with what it waited for: it never waits for ever."""

import threading
import time
from pathlib import Path

import pytest

from core.cluster import session
from core.cluster.entry import stages_on
from core.cluster.session import joined
from core.errors import StoreError
from core.indexing.updates import build
from core.progress import Progress
from tests.core.cluster.dying import killed
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent


def build_there(folder: Path) -> None:
    build(folder, corpus(), WordEmbedder(), silent, make=stages_on("ray"))


def free(ray) -> int:
    """Processors that nobody has; what a test before has left may take a while to go."""
    until = time.monotonic() + 20
    while (now := int(ray.available_resources().get("CPU", 0))) < 2 and time.monotonic() < until:
        time.sleep(0.1)
    return now


@pytest.mark.timeout(120)  # a Ray in which nothing begins is given up with its process
def test_who_gets_no_process_is_told_what_takes_them(ray, tmp_path, monkeypatch):
    monkeypatch.setattr("core.cluster.waiting.PATIENCE", 0.0)
    begin = ray.remote(num_cpus=1)(threading.Event).remote  # another's, which is never done
    others = [begin() for _ in range(free(ray))]
    ray.get([other.is_set.remote() for other in others])
    try:
        with pytest.raises(StoreError, match=r"2 processors, 0 of them free.*'ray status'"):
            build_there(tmp_path)
    finally:
        for other in others:
            ray.kill(other)


@pytest.mark.usefixtures("ray")
def test_a_batch_that_every_process_dies_of_ends_the_build(tmp_path, monkeypatch):
    monkeypatch.setattr("core.cluster.waiting.LIVES", 1)
    monkeypatch.setattr("core.cluster.engine.LIVES", 1)
    monkeypatch.setattr("core.cluster.batches.chunk_batch", killed)
    with pytest.raises(StoreError, match=r"process of one batch 2 times .*memory"):
        build_there(tmp_path)


def test_an_address_where_nobody_answers_is_not_asked_for_ever(ray, monkeypatch):
    monkeypatch.setattr(ray, "is_initialized", bool)
    monkeypatch.setattr(ray, "shutdown", lambda: None)  # the one of all tests stays
    monkeypatch.setattr(session, "PATIENCE", 0.1)
    never, told = threading.Event(), []
    monkeypatch.setattr(session, "_init_ray", lambda address: never.wait())
    with (
        pytest.raises(StoreError, match=r"at 10\.0\.0\.1:6379 does not answer"),
        joined("10.0.0.1:6379", lambda: told.append(1)),
    ):
        pytest.fail("it is not joined")
    never.set()
    assert told


@pytest.mark.usefixtures("ray")
def test_a_build_ends_whose_nodes_are_gone(monkeypatch):
    from core.cluster import waiting  # which needs Ray

    monkeypatch.setattr(waiting, "PATIENCE", 0.0)
    monkeypatch.setattr(waiting, "_LOOK", 0.0)
    left = [2.0, 0.0]
    monkeypatch.setattr(waiting, "processors", lambda: left.pop(0))
    told = waiting.with_timeout(silent)
    told(Progress("embed", 1, 2))
    with pytest.raises(StoreError, match="every node with processors has left"):
        told(Progress("embed", 1, 2))
