from hypothesis import given
from hypothesis import strategies as st

from core.corpus.chunking.chunker import Chunking, chunk
from core.text.near_duplicates import (
    ALIKE,
    RepeatCounts,
    count_repeats,
    overlap,
    repeated,
    repeats_told,
)
from core.types import Document

BULLETIN = (
    "Weekly bulletin of the Orrin mill trust. The mill of Orrin is open on Sunday. "
    "The mill trust thanks its donors. Issue {}."
)
OTHERS = ("Ada Birch founded the mill in 1898.", "The mill burned down when Tom Reed left a lamp.")


def counts(texts):
    return count_repeats(lambda: iter(texts))


def test_bulletins_that_differ_in_one_digit_are_near_duplicates():
    bulletins = [BULLETIN.format(number) for number in range(25)]
    assert counts([*OTHERS, *bulletins]) == RepeatCounts(near_duplicates=24)
    ranking = [OTHERS[0], *bulletins[:5], OTHERS[1]]
    assert repeated(ranking) == [None, None, 1, 1, 1, 1, None]
    assert repeats_told(ranking) == "4 of the top 7 repeat the text of a higher-ranked passage."
    assert repeats_told(OTHERS) == ""


def test_windows_of_tokens_overlap_and_cut_documents_do_not():
    text = " ".join(f"Sentence {n} tells of item {n * 7} in room {n * 3}." for n in range(60))
    document = Document("a", "", text, "a.txt")
    for how, overlaps in (("tokens:64:32", True), ("tokens:64:0", False), ("sentence", False)):
        windows = [passage.text for passage in chunk([document], Chunking.parse(how))]
        assert len(windows) > 5
        found = counts(windows).overlapping
        assert found == (len(windows) - 1 if overlaps else 0), how
    steps = [passage.text for passage in chunk([document], Chunking.parse("tokens:64:48"))]
    assert repeated(steps[:2]) == [None, 0]
    assert repeated(steps[:8:4]) == [None, None]


def test_a_short_run_is_no_overlap():
    assert overlap("a b c d e f".split(), "c d e f g h".split()) == 0
    first, second = list(map(str, range(30))), list(map(str, range(18, 50)))
    assert overlap(first, second) == 0 or overlap(first, second) >= 8


@given(st.lists(st.sets(st.sampled_from("abcdefgh"), max_size=7), max_size=12))
def test_the_filter_misses_no_near_duplicate(passages):
    """A slow reading: each passage beside all earlier ones that were no duplicates."""
    distinct: list[set[str]] = []
    near = 0
    for passage in passages:
        alike = any(
            passage and len(passage & other) >= ALIKE * len(passage | other) for other in distinct
        )
        near += alike
        if not alike:
            distinct.append(passage)
    assert counts([" ".join(sorted(passage)) for passage in passages]).near_duplicates == near


def test_a_word_that_is_repeated_without_end_takes_linear_time():
    assert overlap(["a"] * 100_000, ["a"] * 100_000) == 99_999
    assert overlap(["a"] * 100_000, [*["a"] * 50_000, "b"]) == 49_999


def test_texts_without_words_repeat_nothing():
    assert counts(["…", "—", "", "…"]) == RepeatCounts()
    assert repeated(["…", "…"]) == [None, None]
