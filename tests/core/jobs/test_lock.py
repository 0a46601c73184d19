import threading
from pathlib import Path

import pytest

from core.errors import IndexLocked, LockLost
from core.store.locking.record_writes import commit
from core.store.locking.writer_lock import (
    confirm_lock,
    discard_lock,
    holder,
    is_locked,
    token_of,
    writer_lock,
)
from core.store.records.record import PUBLISHED, Read, Record, read_record, write_record


def test_the_lock_needs_no_room_for_the_name_of_its_holder(index: Path) -> None:
    (index / "writer.json").mkdir(parents=True)
    with writer_lock(index, "deleting it"):
        assert is_locked(index)
        assert holder(index) == "by an unknown process"


def test_the_lock_can_be_taken_again_by_its_holder_only(index: Path) -> None:
    with writer_lock(index, "a"), writer_lock(index, "b"):
        caught: list[BaseException] = []

        def other() -> None:
            try:
                with writer_lock(index, "c"):
                    pass
            except IndexLocked as error:
                caught.append(error)

        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert "a (process" in str(caught[0])


def test_each_holder_has_a_higher_token_than_any_before(index: Path) -> None:
    found = []
    for _ in range(2):
        with writer_lock(index, "a"), writer_lock(index, "a part of it"):
            found.append(token_of(index))
            commit(index, PUBLISHED, lambda _: "{}")
        assert token_of(index) == 0
    (index / "writer.json").unlink()  # the record knows it too
    with writer_lock(index, "b"):
        found.append(token_of(index))
    assert found == [1, 2, 3]
    record = read_record(index, PUBLISHED).record
    assert record is not None
    assert record.token == 2


def test_a_lock_whose_file_was_replaced_is_lost_unless_it_was_discarded(index: Path) -> None:
    with writer_lock(index, "a"):
        confirm_lock(index)
        (index / "writer.lock").unlink()
        with pytest.raises(LockLost, match="was removed or replaced"):
            confirm_lock(index)
    with writer_lock(index, "a"):
        (index / "writer.lock").unlink()
        discard_lock(index)
        confirm_lock(index)


def test_a_commit_after_a_later_holder_is_refused(index: Path) -> None:
    with writer_lock(index, "a"):
        write_record(index, PUBLISHED, Record(token_of(index) + 1, "later"), Read())
        with pytest.raises(LockLost, match=r"changed published\.json"):
            commit(index, PUBLISHED, lambda _: "late")
    assert read_record(index, PUBLISHED).record == Record(2, "later")
