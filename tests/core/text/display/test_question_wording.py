"""Questions by rules as they are shown: short, whole, without the sentence that answers them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.hop_graph.pseudo_queries import Rules
from core.text.display.question_wording import spoken
from core.text.stop_words import STOP_WORDS
from core.types import Passage, PseudoQuery

LONGEST = 20  # words, of questions about things with the longest names
LEAKED = 0.6


def made(title: str, text: str) -> list[PseudoQuery]:
    (queries,) = Rules()([Passage("p", "p", 0, title, text)])
    return queries


def asked(title: str, text: str, direction: str = "in") -> list[str]:
    return [spoken(query) for query in made(title, text) if query.direction == direction]


@pytest.mark.parametrize(
    ("title", "text", "question"),
    [
        ("Bramante", "Bramante was an architect from Urbino.", "Who was Bramante?"),
        ("The Herd", "The Herd is a film about a shepherd.", "What is The Herd?"),
        ("Ada Birch", "Ada Birch (born 1952) was a potter.", "What was Ada Birch?"),
        ("Ada Birch", "She was born in Rome.", "When and where was Ada Birch born?"),
        ("Ada Birch", "She died in 1999 in Oslo.", "When did Ada Birch die?"),
        ("Aune Bridge", "It was built by Ada Birch in 1902.", "Who built Aune Bridge?"),
        ("Aune Bridge", "It was rebuilt in 1988 after a flood.", "When was Aune Bridge rebuilt?"),
        ("Aune Bridge", "It was opened at Selby.", "Where was Aune Bridge opened?"),
        ("Bramante", "He left Rome for Milan.", "How is Bramante connected to Rome?"),
        ("Aune", "Harrow United lost there.", "How is Aune connected to Harrow United?"),
        ("Aune", "However, the river froze in 1998.", "What happened to Aune in 1998?"),
        ("Aune", "On Friday the river froze.", "What is known about Aune?"),
        ("Meeting, 9 May", "Ada Birch asked for Oslo.", "What does 'Meeting, 9 May' say about "),
    ],
)
def test_a_sentence_is_asked_about_by_its_form(title: str, text: str, question: str) -> None:
    assert asked(title, text)[0].startswith(question)


def test_what_is_raised_asks_who_it_is_with_the_role_that_the_sentence_gives() -> None:
    text = "They won when goalkeeper Teo Marrask saved the last kick for Vessim Athletic."
    assert asked("1998 final", text, "out") == [
        "Who is goalkeeper Teo Marrask?",
        "What is known about Vessim Athletic?",
    ]


def test_what_a_model_made_is_shown_as_it_is() -> None:
    query = PseudoQuery("q", "p", "in", "Who built the mill?", (), "a model", "Ada built it.")
    assert spoken(query) == "Who built the mill?"


@pytest.mark.parametrize("title", ["Москва", "鲁迅故居"])
def test_other_scripts_get_no_english_words(title: str) -> None:
    (question, *_) = asked(title, f"{title}: {title}。")
    assert question == f"{title}?"


SENTENCES = st.lists(
    st.sampled_from(
        "Ada Birch Oslo Rome the a of was is built by in 1902 river mill stood near and she he it "
        "Harrow United left founded company goalkeeper captain who froze".split()
    ),
    min_size=3,
    max_size=24,
).map(lambda words: " ".join(words).capitalize() + ".")


@given(st.sampled_from(["Aune", "Ada Birch", "The Herd", "Meeting, 9 May"]), SENTENCES)
def test_no_question_is_cut_long_or_gives_its_sentence_away(title: str, sentence: str) -> None:
    said = {word for word in sentence.casefold().rstrip(".").split() if word not in STOP_WORDS}
    for query in made(title, sentence):
        question = spoken(query)
        assert question.endswith("?")
        assert "…" not in question
        assert len(question.split()) <= LONGEST
        shared = said & set(question.casefold().rstrip("?").split())
        if query.direction == "in" and len(said) > 6:
            assert len(shared - set(title.casefold().split())) <= LEAKED * len(said)
