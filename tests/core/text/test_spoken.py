"""Questions by rules as a person asks them; what is matched stays as it was made."""

import pytest

from core.hop_graph.pseudo_queries import Rules
from core.text.spoken import spoken
from core.types import Passage, PseudoQuery

BRAMANTE = Passage(
    "b",
    "b",
    0,
    "Bramante",
    "Bramante was an architect from Urbino. He built the Tempietto in 1502. "
    "His plan for Saint Peter won over Julius II.",
)


def made(title: str, text: str) -> list[PseudoQuery]:
    (queries,) = Rules()([Passage("p", "p", 0, title, text)])
    return queries


def asked(title: str, text: str, direction: str = "in") -> list[str]:
    return [spoken(query, title) for query in made(title, text) if query.direction == direction]


def test_a_verb_goes_to_the_front_or_its_subject_is_picked_out_or_all_is_asked() -> None:
    assert asked(BRAMANTE.title, BRAMANTE.text) == [
        "Was Bramante an architect from Urbino?",
        "Was it Bramante who built the Tempietto in 1502?",
        "Is it true of Bramante that his plan for Saint Peter won over Julius II?",
    ]


def test_what_is_raised_asks_for_more_than_the_passage_tells() -> None:
    assert asked(BRAMANTE.title, BRAMANTE.text, "out")[1] == (
        "What else is known about Tempietto, besides that Bramante built the Tempietto in 1502?"
    )


@pytest.mark.parametrize(
    ("title", "text", "question"),
    [
        ("The Herd", "The Herd is a film.", "Is The Herd a film?"),
        ("Aune", "The Aune meets the sea.", "Is it the Aune that meets the sea?"),
        (
            "Ada Birch",
            "Ada Birch (born 1952) was a potter.",
            "Was Ada Birch (born 1952) a potter?",
        ),
        (
            "Ada Birch",
            "She was born in Rome and moved to Oslo. She left it. Her son is a poet.",
            "Is it true that Ada Birch was born in Rome and moved to Oslo?",
        ),
        ("Aune", "However, the river froze.", "Is it true of Aune that the river froze?"),
        ("Aune", "In 1998 the Aune froze.", "Is it true that in 1998 the Aune froze?"),
        (
            "Meeting, 9 May",
            "It was held in the old mill.",
            "Does “Meeting, 9 May” say that it was held in the old mill?",
        ),
        (
            "Notes on shallow lakes",
            "The weir stays shut.",
            "Does “Notes on shallow lakes” say that the weir stays shut?",
        ),
        ("Aune", "Present: Ada Birch", "What does “Aune” say under “Present”?"),
        ("", "nothing here has a name.", "Is it true that nothing here has a name?"),
        ("Letters to Sorrel", "Letters to Sorrel is a film.", "Is “Letters to Sorrel” a film?"),
        (
            "Letters to Sorrel",
            "House calls gave Edda Frost the idea.",
            "Is it true of “Letters to Sorrel” that “House calls gave Edda Frost the idea”?",
        ),
        (
            "Letters to Sorrel",
            "Edda Frost wrote it.",
            "Is it true of “Letters to Sorrel” that Edda Frost wrote it?",
        ),
        (
            "Risky Business",
            'It was once called "White Boys Off the Lake."',
            'Was Risky Business once called "White Boys Off the Lake"?',
        ),
    ],
)
def test_each_reads_as_a_sentence(title: str, text: str, question: str) -> None:
    assert asked(title, text)[0] == question


@pytest.mark.parametrize(
    ("row", "raised", "told"),
    [
        (
            "Group: Millers; Head: Ada Finch; Founded: 1790.",
            "What else is known about Ada Finch, listed under “Head” next to “Millers”?",
            "What does “Ports” list next to “Millers”, under “Head” and “Founded”?",
        ),
        (
            "Maren Ule | Selby Cross | north barn",
            "What else is known about Selby Cross, listed next to “Maren Ule”?",
            "What does “Ports” list next to “Maren Ule”?",
        ),
        (
            "Place of birth: Selby Cross.",
            "What else is known about Selby Cross, listed under “Place of birth”?",
            "What does “Ports” say under “Place of birth”?",
        ),
        (
            "Selby Port; Owner: Ada Finch; Built: 1790; Depth: 5; Length: 7; Width: 2.",
            "What else is known about Ada Finch, listed under “Owner” next to “Selby Port”?",
            "What does “Ports” list next to “Selby Port”, under “Owner”, “Built”, "
            "“Depth” and 2 more columns?",
        ),
    ],
)
def test_a_row_of_a_table_is_asked_about_by_its_columns_and_never_quoted(
    row: str, raised: str, told: str
) -> None:
    assert asked("Ports", row, "out")[-1] == raised
    assert asked("Ports", row) == [told]
    assert not any(row.rstrip(".") in each for each in asked("Ports", row, "out"))


@pytest.mark.parametrize("text", ["- the key of Maren Ule", "2) the key of Maren Ule"])
def test_an_item_of_a_list_is_quoted_without_its_sign(text: str) -> None:
    (raised,) = asked("Ports", text, "out")
    assert raised == "What else is known about Maren Ule, besides “the key of Maren Ule”?"
    assert asked("Ports", text) == ["What does “Ports” say about “the key of Maren Ule”?"]


def test_a_label_of_a_column_is_no_entity_and_a_first_cell_is_what_its_row_is_about() -> None:
    text = "Group: Millers; Head: Tamsin Brook.\n\nGroup: Sea Level Group; Head: Teo Vassen."
    keywords = {key for query in made("Ports", text) for key in query.keywords}
    assert "group" not in keywords
    assert {"millers", "sea level group", "tamsin brook"} <= keywords


def test_a_sentence_with_a_colon_is_no_row() -> None:
    assert asked("Aune", "He had one rule: never sail at night.") == [
        "Had Aune one rule: never sail at night?"
    ]


def test_what_a_model_asks_and_what_is_not_english_is_shown_as_it_is() -> None:
    text = "What is known about Bramante, who left?"
    by_model = PseudoQuery("q", "b", "in", text, (), "gpt", "He left.")
    assert spoken(by_model) == text
    chinese = made("青石镇", "青石镇是一座小镇。")[0]
    assert spoken(chinese) == chinese.text
    odd = PseudoQuery("q", "b", "in", "Why?", (), "rules", "He left.")
    assert spoken(odd) == "Why?"


def test_the_words_that_are_matched_are_those_of_the_sentence() -> None:
    assert made(BRAMANTE.title, BRAMANTE.text)[0].text == (
        "What is known about Bramante, who was an architect from Urbino?"
    )
