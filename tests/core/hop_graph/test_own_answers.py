"""Out-questions that the passage answers itself, told from those that it only raises."""

import pytest

from core.hop_graph.own_answers import answered_by_passage
from core.text.entities.keywords import Keywords

TITLE = "Low Tide"
SENTENCES = (
    "Low Tide is a drama film directed by Mara Quist.",
    "It was filmed in Port Selby in 1998.",
    "Its music was composed by Ilo Venn, who also owns the Lantern Ground.",
    "The film was released to acclaim because critics liked it.",
)
ANSWERED = (
    "What is Low Tide?",
    "Who directed Low Tide?",
    "Which composer wrote the score of the film Low Tide?",
)
OWN = (
    "Which composer wrote the film score of Low Tide?",  # repeats an in-question
    "Who directed the drama film Low Tide?",
    "Where was Low Tide filmed?",
    "When was Low Tide filmed?",
    "In which year was Low Tide filmed in Port Selby?",
    "Who composed the music of Low Tide?",
    "What does Ilo Venn own?",
)
RAISED = (
    "Who is Mara Quist?",
    "Where was Mara Quist born?",
    "When was Low Tide released?",  # a sentence has all terms, and no time
    "Why was the film released?",
    "What came before Low Tide?",
    "How was the music composed?",
    "What else did Ilo Venn compose for the theatre?",
    "How many people live in Port Selby?",
    "Who built the Lantern Ground?",
    "Which club plays at the Lantern Ground?",
)


def flags(raised: tuple[str, ...], answered: tuple[str, ...] = ANSWERED) -> list[bool]:
    return answered_by_passage(raised, answered, TITLE, SENTENCES, Keywords([TITLE]))


@pytest.mark.parametrize("question", OWN)
def test_what_a_sentence_states_or_an_in_question_asks_is_the_passages_own(question: str) -> None:
    assert flags((question,)) == [True]


@pytest.mark.parametrize("question", RAISED)
def test_what_another_passage_has_to_tell_stays(question: str) -> None:
    assert flags((question,)) == [False]


def test_a_repetition_is_told_by_its_terms() -> None:
    asked = "Why do critics like old lanterns in Port Selby?"
    assert flags((asked,), ("Why do the critics like an old lantern in Port Selby?",)) == [True]
    assert flags((asked,), ("Why do critics like new boats?",)) == [False]


def test_questions_without_terms_are_left_alone() -> None:
    assert flags(("Who?", ""), ("Who?", "")) == [False, False]
