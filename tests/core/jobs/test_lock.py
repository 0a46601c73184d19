import threading
from pathlib import Path

from core.errors import IndexLocked
from core.store.lock import holder, is_locked, writer_lock


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
