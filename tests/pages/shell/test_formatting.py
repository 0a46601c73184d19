from datetime import UTC, datetime, timedelta

import pytest

from core.text.display.shares import percent
from pages.components.shell import formatting


def test_names_are_listed_with_commas_and_one_and() -> None:
    told = [formatting.all_of(names) for names in (["a"], ["a", "b"], ["a", "b", "c"])]
    assert told == ["a", "a and b", "a, b and c"]


@pytest.mark.parametrize(
    ("in_bytes", "shown"), [(7, "7 bytes"), (18_400_000, "18.4 MB"), (2_100_000_000, "2.1 GB")]
)
def test_sizes(in_bytes: int, shown: str) -> None:
    assert formatting.size(in_bytes) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0.42, "0.4 s"),
        (12.3, "12 s"),
        (59.7, "1 min 0 s"),
        (200, "3 min 20 s"),
        (7500, "2 h 5 min"),
    ],
)
def test_durations(seconds: float, shown: str) -> None:
    assert formatting.duration(seconds) == shown


@pytest.mark.parametrize(
    ("passed", "shown"),
    [(3, "just now"), (61, "1 minute ago"), (7300, "2 hours ago"), (90_000, "1 day ago")],
)
def test_ages(passed: float, shown: str) -> None:
    now = datetime(2030, 1, 1, tzinfo=UTC)
    assert formatting.ago(now - timedelta(seconds=passed), now) == shown


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0, "0%"),
        (0.001, "< 1%"),
        (0.374, "37%"),
        (330 / 331, "99.7%"),
        (0.9996, "> 99.9%"),
        (1, "100%"),
    ],
)
def test_only_all_is_a_hundred_percent(share: float, shown: str) -> None:
    assert percent(share) == shown
