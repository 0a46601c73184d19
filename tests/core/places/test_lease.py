import json
import threading
from datetime import UTC, datetime, timedelta

import pytest

from core.errors import IndexLocked, LockLost, StoreError
from core.places import Outdated, Remote
from core.store.locking import object_lock
from core.store.locking.object_lock import LASTS, AlreadyLocked, Lease, hold_lock, is_leased
from core.store.locking.writer_lock import confirm_lock, holder, is_locked, writer_lock


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is an hour later by the clock of the storage."""
    monkeypatch.setattr(object_lock, "_now", lambda place: datetime.now(UTC) + timedelta(hours=1))


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.store.locking.writer_lock._WRITER_PATIENCE", 0.0)


def test_an_object_is_written_over_what_was_seen_only(remote: Remote) -> None:
    first = remote.replace(b"one", None)
    with pytest.raises(Outdated):
        remote.replace(b"two", None)
    second = remote.replace(b"two", first)
    with pytest.raises(Outdated):
        remote.replace(b"three", first)
    assert remote.read().content == b"two"
    assert remote.read_unless(second) is None


def test_what_was_written_though_the_answer_was_lost_is_ones_own(remote: Remote) -> None:
    first = remote.replace(b"one", None)
    remote.write_bytes(b"two")  # by the same call, whose answer never came
    assert remote.replace(b"two", first) == remote.read().version


@pytest.mark.usefixtures("impatient")
def test_the_second_writer_is_told_who_is_the_first(remote: Remote) -> None:
    assert not is_locked(remote)
    with writer_lock(remote, "a build"), writer_lock(remote, "a part of it"):
        assert is_locked(remote)
        with pytest.raises(IndexLocked, match=r"a build \(process \d+ on .*Wait or cancel"):
            lease_of_another(remote)
    assert not is_locked(remote)
    with writer_lock(remote, "the next one"):
        assert "the next one" in holder(remote)


def lease_of_another(remote: Remote) -> None:
    """Take the lock as a thread does that does not hold it."""
    from contextvars import Context

    Context().run(lambda: writer_lock(remote, "another").__enter__())


def test_who_slept_past_its_time_publishes_nothing(
    remote: Remote, later: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Lease, "_renew_regularly", lambda self, stop: None)
    with writer_lock(remote, "one that sleeps"):
        with hold_lock(remote / "writer.lock", "one that is awake", 0):
            pass
        with pytest.raises(StoreError, match=r"another process.*one that is awake"):
            confirm_lock(remote)
    # The other's lock is not given back by the one who lost it.
    assert "one that is awake" in holder(remote)


def test_each_holder_has_a_higher_token_and_knows_how_the_one_before_ended(
    remote: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = remote / "lock"
    monkeypatch.setattr(Lease, "_renew_regularly", lambda self, stop: None)
    with hold_lock(place, "first", 0) as first:
        assert (first.token, first.succeeds) == (1, "none")
        with pytest.raises(AlreadyLocked, match="first"), hold_lock(place, "too early", 0):
            pass
    with hold_lock(place, "second", 0) as second:
        assert (second.token, second.succeeds) == (2, "released")
        second.raise_token(2)
        second.raise_token(1)
        assert second.token == 2
        second.raise_token(9)
        monkeypatch.setattr(
            object_lock, "_now", lambda place: datetime.now(UTC) + timedelta(hours=1)
        )
        with hold_lock(place, "third", 0) as third:
            assert (third.token, third.succeeds) == (10, "expired")
            with pytest.raises(LockLost, match=r"paused or cut off.*third"):
                second.raise_token(11)
    with hold_lock(place, "fourth", 0) as fourth:
        assert (fourth.token, fourth.succeeds) == (11, "released")
        fourth.discard = True
    assert not place.exists()


def test_the_lock_of_a_folder_that_was_copied_with_it_is_free(remote: Remote) -> None:
    place = remote / "lock"
    place.write_bytes(b"")
    assert not is_leased(place)
    with hold_lock(place, "a test", 0) as held:
        assert (held.token, held.succeeds) == (1, "none")
        assert is_leased(place)
        place.unlink()
        with pytest.raises(LockLost, match="deleted or renamed"):
            held.confirm()


def test_a_lock_lives_for_so_many_seconds_without_a_sign(
    remote: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = remote / "lock"
    monkeypatch.setattr(Lease, "_renew_regularly", lambda self, stop: None)
    with hold_lock(place, "a test", 0):
        changed = place.read().changed
        for seconds, held in ((LASTS - 1, True), (LASTS, True), (LASTS + 1, False)):
            now = changed + timedelta(seconds=seconds)
            monkeypatch.setattr(object_lock, "_now", lambda place, now=now: now)
            assert is_leased(place) == held


def test_signs_of_life_keep_it(remote: Remote, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(object_lock, "LASTS", 0.05)
    place, before = remote / "lock", set(threading.enumerate())
    with hold_lock(place, "a test", 0) as held:
        first = place.read().version
        while place.read_unless(first) is None:
            pass
        held.confirm()
        (signs,) = set(threading.enumerate()) - before
    signs.join(10)
    assert not signs.is_alive()


def test_what_cannot_be_read_holds_for_its_time(remote: Remote) -> None:
    (remote / "writer.lock").write_bytes(b"\xff{ no lock")
    assert is_locked(remote)
    assert holder(remote) == "by an unknown process"


def test_what_a_lock_says_is_one_line_of_text(remote: Remote) -> None:
    told = {"purpose": "a\x1b[2J\nbuild" * 100, "pid": 1, "host": "h", "since": "now"}
    (remote / "writer.lock").write_bytes(json.dumps(told).encode())
    said = holder(remote)
    assert said.isprintable()
    assert len(said) <= 300
