from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.corpus import Chunking, chunk
from core.errors import InputError
from core.types import Document

TEXTS = st.text(alphabet=st.sampled_from("abC.! \n東"), max_size=200)
SPECS = st.sampled_from(
    ["fit", "as-is", "paragraph", "sentence", "tokens:5:2", "tokens:1:0", "tokens:3:2"]
)


def of(text: str, spec: str) -> list[str]:
    return [each.text for each in chunk([Document("d", "D", text)], Chunking.parse(spec))]


@pytest.mark.parametrize(
    "spec", ["fit", "as-is", "paragraph", "sentence", "tokens:256:32", "tokens:1:0"]
)
def test_a_chunking_is_written_as_it_is_read(spec: str) -> None:
    assert str(Chunking.parse(f" {spec} ")) == spec


@pytest.mark.parametrize(
    "spec",
    ["", "words", "tokens", "tokens:5", "tokens:0:0", "tokens:5:5", "tokens:-5:1", "tokens:a:b"],
)
def test_a_wrong_chunking_is_refused_with_the_valid_ones(spec: str) -> None:
    with pytest.raises(InputError, match="as-is, paragraph, sentence, or tokens:SIZE:OVERLAP"):
        Chunking.parse(spec)


def test_a_document_as_it_is_keeps_its_id() -> None:
    (passage,) = chunk([Document("d7", "Title", "One. Two.\n\nThree.")], Chunking("as-is"))
    assert (passage.id, passage.document_id, passage.position) == ("d7", "d7", 0)
    assert (passage.title, passage.text) == ("Title", "One. Two.\n\nThree.")


def test_parts_of_a_document_are_numbered_from_zero() -> None:
    documents = [Document("a", "A", "One. Two."), Document("b", "B", "Three.")]
    passages = chunk(documents, Chunking.parse("sentence"))
    assert [(each.id, each.position) for each in passages] == [("a#0", 0), ("a#1", 1), ("b#0", 0)]


def test_a_heading_joins_the_paragraph_it_heads() -> None:
    body = "This paragraph has quite enough words to stand alone."
    assert of(f"# Title\n\n{body}\n\n{body}\n\nThe end", "paragraph") == [
        f"# Title\n{body}",
        f"{body}\nThe end",
    ]
    assert of("Only this", "paragraph") == ["Only this"]


def test_windows_of_tokens_overlap_by_just_as_many() -> None:
    assert of("a b c d e f g", "tokens:3:1") == ["a b c", "c d e", "e f g"]
    assert of("a b\n\nc d", "tokens:3:1") == ["a b\n\nc", "c d"]
    assert of("a b", "tokens:5:2") == ["a b"]


def test_each_character_of_chinese_is_a_token() -> None:
    assert of("東京 is 大", "tokens:2:0") == ["東京", "is 大"]


@given(text=TEXTS, spec=SPECS)
def test_no_word_is_lost_and_no_passage_is_empty(text: str, spec: str) -> None:
    passages = chunk([Document("d", "D", text)], Chunking.parse(spec))
    assert [each.position for each in passages] == list(range(len(passages)))
    assert all(each.text.strip() for each in passages)
    for letter in "abC.!東":
        found = sum(each.text.count(letter) for each in passages)
        # Windows repeat what overlaps; everything else is there just as often.
        assert (
            found >= text.count(letter)
            if spec.startswith("tokens")
            else found == text.count(letter)
        )


@given(st.integers(0, 40), st.integers(1, 8), st.data())
def test_windows_cover_all_tokens_in_order(count: int, size: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(0, size - 1))
    words = [f"w{number}" for number in range(count)]
    windows = [part.split() for part in of(" ".join(words), f"tokens:{size}:{overlap}")]
    rebuilt = [word for window in windows[:1] for word in window]
    for before, window in pairwise(windows):
        assert len(before) == size
        assert before[len(before) - overlap :] == window[:overlap]
        rebuilt += window[overlap:]
    assert rebuilt == words
