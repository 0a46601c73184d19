import threading
import time

import pytest

from core.models.server.window import AHEAD, in_order


def test_results_come_in_order_whatever_takes_how_long() -> None:
    def slow_first(number: int) -> int:
        time.sleep(0.05 if number % 7 == 0 else 0)
        return number * number

    assert list(in_order(slow_first, range(50), 4)) == [n * n for n in range(50)]
    assert list(in_order(slow_first, (), 4)) == []


def test_a_slow_one_holds_up_no_other() -> None:
    release, done = threading.Event(), []

    def do(number: int) -> int:
        if number == 0:
            release.wait(10)
        done.append(number)
        return number

    def meanwhile() -> None:
        if len(done) == 19:  # all others
            release.set()

    assert list(in_order(do, range(20), 4, meanwhile)) == list(range(20))


def test_items_are_taken_only_a_window_ahead() -> None:
    taken = []

    def items():
        for number in range(1000):
            taken.append(number)
            yield number

    found = in_order(lambda number: number, items(), 2)
    next(found)
    assert len(taken) == 2 * AHEAD
    found.close()
    assert len(taken) == 2 * AHEAD


def test_an_error_waits_for_what_is_under_way_and_begins_nothing_more() -> None:
    begun, ended = [], []

    def do(number: int) -> int:
        begun.append(number)
        if number == 3:
            raise KeyError(number)
        time.sleep(0.02)
        ended.append(number)
        return number

    with pytest.raises(KeyError):
        list(in_order(do, range(1000), 4))
    assert len(begun) < 40
    assert set(begun) - set(ended) == {3}


def test_whoever_waits_can_stop() -> None:
    class Stop(Exception):
        pass

    def stop() -> None:
        raise Stop

    release = threading.Event()
    threading.Timer(0.4, release.set).start()
    with pytest.raises(Stop):
        list(in_order(lambda _: release.wait(10), range(3), 2, stop))
