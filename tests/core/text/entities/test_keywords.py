import time

import pytest

from core.text.entities.keywords import Keywords
from core.text.entities.mentions import entity_key

TITLES = ("Santosh Sivan", "The Lion King (film)", "Home", "Ladislao Cabrera", "It")
NER = Keywords(TITLES)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("The Lion King (film)", "lion king"),
        ("Rome's", "rome"),
        ("Valérie Jean-Charles", "valérie jean charles"),
        ("(film)", "film"),
        ("", ""),
        ("日本 [国]", "日本"),
    ],
)
def test_the_normal_form_of_a_name(name, key):
    assert entity_key(name) == key


@pytest.mark.parametrize(
    ("text", "keywords"),
    [
        ("It was shot by Santosh Sivan's brother.", ("santosh sivan",)),
        ("who is santosh sivan", ("santosh sivan",)),
        ("The Lion King was seen at home.", ("lion king",)),
        ("who went home", ("home",)),
        (
            "He met J. R. R. Tolkien at the University of Leeds.",
            ("j r r tolkien", "university of leeds"),
        ),
        ('They sang "a quiet song" in 1986.', ("1986", "quiet song")),
        ("Born on February 16, 1950, he moved.", ("february 16 1950",)),
        ("Born on 16 February 1950, he moved.", ("16 february 1950",)),
        ("The year 2,141 came.", ("2141",)),
        ("Which of these was it?", ()),
        ("The Duke of Wellington's Regiment left.", ("duke of wellington", "regiment")),
        ("However, nothing. Anything goes.", ()),
        ("", ()),
        ("He saw Ada Birch's The Low Road on Mondays in May.", ("ada birch", "low road")),
        ("Где родился Пушкин?", ("пушкин",)),
    ],
)
def test_names_titles_numbers_and_quotes(text, keywords):
    assert NER.of(text) == keywords


def test_a_lone_word_opens_a_sentence_unless_it_is_a_name_elsewhere():
    assert NER.of("Quickly it went.") == ()
    assert NER.of("Marlow went first. They followed Marlow.") == ("marlow",)


def test_a_mention_says_where_it_stands():
    text = "It was shot by Santosh Sivan."
    (mention,) = NER.mentions(text)
    assert text[mention.start : mention.end] == "Santosh Sivan"
    assert mention.kind == "title"


def test_titles_of_function_words_are_no_keyword():
    assert NER.of("It is so.") == ()


def test_time_grows_with_the_text_only():
    text = "Aa " * 20_000 + '"' * 20_000 + "1," * 20_000
    assert Keywords(("Aa Aa Bb",)).of(text)

    part = "Lobsters sleep. Rivers bend. Rain fell on the Harbour and the harbour froze. "
    assert NER.of(part * 5_000) == NER.of(part)


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("1 " * 8_000 + "2", "1 " * 16_000),
        ("A " * 8_000 + "B", "A " * 16_000),
        ("A. " * 100_000, "A. " * 16_000),
        ("x" + " " * 30_000 + "y", '"' + " " * 6_000 + "x"),
    ],
    ids=["digits", "capitals", "initials", "blanks"],
)
def test_the_time_is_linear_in_titles_and_texts(title: str, text: str) -> None:
    before = time.process_time()
    Keywords([title]).of(text)
    assert time.process_time() - before < 2


def test_a_title_of_more_than_forty_words_names_nothing() -> None:
    long = " ".join(f"word{number}" for number in range(41))
    found = Keywords([long, long.rpartition(" ")[0]]).mentions(long)
    assert [mention.key for mention in found if mention.kind == "title"] == [
        long.rpartition(" ")[0]
    ]


def test_a_text_may_end_before_a_longer_title_does() -> None:
    assert Keywords(["Low", "Low Road"]).of("She went to Low") == ("low",)
