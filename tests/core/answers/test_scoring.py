import re
import string
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answers import Score, normalised, score


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("The Lion King", "lion king"),
        ("  an  A-team\n the end ", "ateam end"),
        ("theatre", "theatre"),
        ("U.S.A.", "usa"),
        ("3,500", "3500"),
        ("a", ""),
        ("«Ünïcode» — was?", "«ünïcode» — was"),
    ],
)
def test_normalisation(text: str, bare: str) -> None:
    assert normalised(text) == bare


@pytest.mark.parametrize(
    ("answer", "gold", "em", "f1"),
    [
        ("Port Selby", ["the Port Selby."], 1, 1),
        ("in Port Selby", ["Port Selby"], 0, 2 * 2 / (3 + 2)),
        ("Selby, Port", ["Port Selby"], 0, 1),
        ("dog dog cat", ["dog cat cat"], 0, 2 * 2 / (3 + 3)),
        ("Rome", ["Paris"], 0, 0),
        ("Selby", ["Paris", "Port Selby", "Selby"], 1, 1),
        ("Yes.", ["yes"], 1, 1),
        ("yes, they are", ["yes"], 0, 0),
        ("no", ["no answer", "no one"], 0, 0),
        ("", ["yes"], 0, 0),
        ("", ["Port Selby"], 0, 0),
        ("The", ["a"], 1, 1),
        ("", ["A"], 0, 0),
        (" ", [], 1, 1),
        ("Selby", [], 0, 0),
        ("", ["Insufficient information."], 1, 1),
        ("insufficient information", ["Insufficient information."], 1, 1),
        ("Insufficient information.", [], 1, 1),
        ("Insufficient information.", ["Information desk"], 0, 0),
        ("The information", ["Insufficient information."], 0, 2 * 1 / (1 + 2)),
    ],
)
def test_by_hand(answer: str, gold: list[str], em: float, f1: float) -> None:
    assert score(answer, gold) == Score(em, pytest.approx(f1))


words = st.text(alphabet="ab the.,-'\n", max_size=12)


@given(words, st.lists(words, min_size=1, max_size=3))
def test_as_slowly_counted(answer: str, gold: list[str]) -> None:
    found = score(answer, gold)
    if answer.strip():
        assert found.f1 == pytest.approx(max(slow_f1(answer, one) for one in gold))
    else:
        assert found.f1 == any(not one.strip() for one in gold)
    assert found.em <= found.f1 <= 1
    assert score(gold[0], gold) == Score(1, 1)


def slow_f1(answer: str, gold: str) -> float:
    """The steps of the published script, one after the other."""

    def split(text: str) -> list[str]:
        bare = "".join(c for c in text.lower() if c not in string.punctuation)
        return re.sub(r"\b(a|an|the)\b", " ", bare).split()

    ours, theirs = split(answer), split(gold)
    if not ours or not theirs:
        return float(ours == theirs)
    same = sum((Counter(ours) & Counter(theirs)).values())
    if same == 0:
        return 0
    precision, recall = same / len(ours), same / len(theirs)
    return 2 * precision * recall / (precision + recall)
