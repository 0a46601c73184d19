from hypothesis import given
from hypothesis import strategies as st

from core.answers import context
from core.answers.context import tokens_of
from core.types import Passage


def passage(key: str, text: str) -> Passage:
    return Passage(key, key, 0, "Title", text)


def test_all_that_fit() -> None:
    ranking = [passage(key, "word " * 20) for key in "abc"]
    room = tokens_of(ranking[0])
    assert context(ranking, 3 * room).passages == tuple(ranking)
    assert context(ranking, 3 * room).told == "From all 3 passages."
    short = context(ranking, 3 * room - 1)
    assert short.passages == tuple(ranking[:2])
    assert short.told == "From the first 2 passages; 1 more did not fit."


def test_the_top_is_not_skipped_for_what_is_shorter() -> None:
    ranking = [passage("a", "x"), passage("b", "word " * 400), passage("c", "x")]
    assert context(ranking, 200).passages == (ranking[0],)


def test_a_first_passage_that_is_too_long_is_cut() -> None:
    found = context([passage("a", "мир " * 4000), passage("b", "x")], 100)
    (only,) = found.passages
    assert only.id == "a"
    assert 0 < len(only.text.encode()) <= 300
    assert "\ufffd" not in only.text
    assert found.told == "From the first passage, shortened to fit; 1 more did not fit."


def test_no_passage() -> None:
    assert context([]).passages == ()


@given(st.lists(st.integers(0, 400), max_size=8), st.integers(50, 400))
def test_never_more_than_the_limit(lengths: list[int], limit: int) -> None:
    ranking = [passage(str(i), "x" * length) for i, length in enumerate(lengths)]
    found = context(ranking, limit)
    assert len(found.passages) + found.left_out == len(ranking)
    assert found.cut or sum(map(tokens_of, found.passages)) <= limit


def test_findings_come_first_and_leave_room_for_passages() -> None:
    ranking = [passage("a", "word " * 20), passage("b", "word " * 20)]
    limit = 2 * tokens_of(ranking[0])
    found = context(ranking, limit, ["x" * 60, "y" * 600, "z"])
    assert found.findings == ("x" * 60, "y" * (3 * (limit // 4) - 60))
    assert found.passages == (ranking[0],)
    assert found.told.endswith("The model also received 2 findings from the retriever.")
    assert context(ranking, limit, ["x"]).told.endswith("received one finding from the retriever.")
