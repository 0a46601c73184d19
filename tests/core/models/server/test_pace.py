from contextlib import ExitStack

from core.models.server.pace import Pace, Slot


def test_a_crowd_that_is_too_slow_is_halved_once() -> None:
    pace = Pace(32)
    with ExitStack() as held:
        slots = [held.enter_context(pace.slot()) for _ in range(12)]
        for slot in slots:
            pace.too_slow(slot)
        assert pace.allowed == 12 // 2
    with pace.slot() as slot:
        pace.too_slow(slot)
    assert pace.allowed == 1


def test_a_round_that_comes_makes_room_for_one_more_up_to_the_most() -> None:
    pace = Pace(3)
    pace.allowed = 1
    grown = []
    for _ in range(6):
        with pace.slot():
            pace.came()
        grown.append(pace.allowed)
    assert grown == [2, 2, 3, 3, 3, 3]  # after 1 call, and after 2 more


def test_a_slot_knows_whether_it_was_crowded() -> None:
    pace = Pace(4)
    with pace.slot() as alone:
        assert alone == Slot(0, crowded=False)
    with pace.slot() as first, pace.slot() as second:
        assert first.crowded
        assert second.crowded
