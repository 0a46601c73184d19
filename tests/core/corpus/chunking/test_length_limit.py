"""The default chunking: what is short stays whole, what is long is cut, and it is said."""

from hypothesis import given
from hypothesis import strategies as st

from core.corpus import Chunking, chunk
from core.corpus.chunking.length_limit import WHOLE, WORDS, split_by_length
from core.corpus.chunking.summary import chunking_summary
from core.corpus.chunking.word_count import word_count
from core.types import Document, Layout, Section

SENTENCE = "The town of Selby lies on the river Ash. "  # 9 words
BOOK = "\n\n".join(SENTENCE * 12 for _ in range(150)).strip()


def test_a_short_document_is_kept_whole_with_its_id() -> None:
    (passage,) = chunk([Document("d", "D", "One. Two.\n\nThree.")], Chunking())
    assert (passage.id, passage.text) == ("d", "One. Two.\n\nThree.")
    assert Chunking() == Chunking.parse("fit")
    assert len(split_by_length("word " * WHOLE)) == 1
    assert len(split_by_length("word " * (WHOLE + 1))) > 1


def test_a_book_is_cut_at_paragraphs() -> None:
    passages = chunk([Document("d", "D", BOOK)], Chunking())
    assert len(BOOK) > 70_000
    assert {word_count(each.text) for each in passages[:-1]} == {9 * 12}
    assert [each.id for each in passages[:2]] == ["d#0", "d#1"]


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    passages = split_by_length(SENTENCE * 500)
    assert all(each.startswith("The town") and each.endswith("Ash.") for each in passages)
    assert max(map(word_count, passages)) <= WORDS + WORDS // 3


def test_a_last_bit_joins_the_one_before() -> None:
    passages = split_by_length("\n\n".join([SENTENCE * 22] * 3 + ["The end."]))
    assert passages[-1].endswith("The end.")
    assert len(passages) == 3


def test_what_has_no_sentence_and_no_space_is_cut_too() -> None:
    assert max(map(len, split_by_length("word " * 5000))) <= 5 * WORDS * 4 / 3
    assert max(map(len, split_by_length("x" * 71_034))) <= 3_200
    assert max(map(len, split_by_length("東京は日本の首都です" * 1_000))) <= WORDS * 4 / 3


@given(st.lists(st.sampled_from(["Ash is a river.", "\n\n", "\n", " ", "word " * 150, "東" * 99])))
def test_no_letter_is_lost_and_the_order_stays(parts: list[str]) -> None:
    text = "".join(parts)
    assert "".join("".join(split_by_length(text)).split()) == "".join(text.split())


def test_it_is_said_what_was_cut_and_why() -> None:
    headed = Layout((Section(0, ()), Section(5, ("B",))))
    documents = [
        Document("a", "A", "Short."),
        Document("b", "B", "One. Two.", layout=headed),
        Document("c", "C", BOOK),
    ]
    passages = chunk(documents, Chunking())
    found = chunking_summary(documents, passages, Chunking())
    assert (found.documents, found.whole, found.headed, found.long) == (3, 1, 1, 1)
    assert found.passages == len(passages) == 3 + 150
    assert found.longest[0].document_id == "c"
    how, cut, lengths = found.sentences()
    assert how == "1 document is kept whole."
    assert cut == (
        f"2 documents are split: 1 at its headings, 1 into passages of about {WORDS} words where "
        f"a section has more than {WHOLE} words."
    )
    assert lengths == "153 passages; the median length is 491 characters."
    assert found.longest_sentence().startswith("The longest: C, part ")


def test_another_chunking_is_named_as_it_was_told() -> None:
    documents = [Document("a", "A", "One. Two.")]
    spec = Chunking.parse("sentence")
    told = chunking_summary(documents, chunk(documents, spec), spec).sentences()
    assert told[0] == "1 document is split at sentences."
    assert chunking_summary([], [], spec).sentences() == ()
