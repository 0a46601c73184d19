from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from core.models.together import Together


class Work:
    """Says what it was given, when it may."""

    def __init__(self) -> None:
        self.begun, self.may = Event(), Event()
        self.batches: list[list[str]] = []

    def __call__(self, texts: list[str]) -> Sequence[str]:
        self.batches.append(texts)
        self.begun.set()
        assert self.may.wait(10)
        if "bad" in texts:
            raise ValueError("a bad text")
        return [text.upper() for text in texts]


def asked_while_busy(work: Work, texts: Sequence[str], most: int = 32) -> list[object]:
    """What each of `texts` gets that is asked for while the one worker has another, in order."""
    with ThreadPoolExecutor(1) as worker, ThreadPoolExecutor(len(texts) + 1) as callers:
        together: Together[str] = Together(work, worker, most)
        first = callers.submit(together.get, "first", 1)
        assert work.begun.wait(10)
        found = [callers.submit(together.get, text, len(text)) for text in texts]
        while sum(map(len, together._waiting.values())) < len(texts):
            pass
        work.may.set()
        assert first.result() == "FIRST"
        return [each.exception() or each.result() for each in found]


def test_who_comes_while_all_are_busy_is_served_in_one_batch_of_a_length() -> None:
    work = Work()
    assert asked_while_busy(work, ["ab", "cd", "efg"]) == ["AB", "CD", "EFG"]
    assert sorted(map(sorted, work.batches)) == [["ab", "cd"], ["efg"], ["first"]]


def test_a_batch_has_no_more_than_it_may() -> None:
    work = Work()
    assert asked_while_busy(work, ["ab", "cd", "ef"], most=2) == ["AB", "CD", "EF"]
    assert sorted(map(len, work.batches)) == [1, 1, 2]


def test_what_fails_is_told_to_all_that_wait_for_it_and_no_others() -> None:
    told = asked_while_busy(Work(), ["bad", "cde", "fine"])
    assert [type(each) for each in told] == [ValueError, ValueError, str]


def test_who_comes_alone_waits_for_nobody() -> None:
    with ThreadPoolExecutor(1) as worker:
        together: Together[str] = Together(lambda texts: texts, worker, 32)
        assert together.get("a", 1) == "a"
