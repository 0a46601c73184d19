"""Titles that are offered for gold that names no document."""

from pathlib import Path

from core.corpus.files import read_files
from core.corpus.gold.near_titles import near_titles, suggestions


def test_a_misspelt_title_and_one_with_its_markup_are_found() -> None:
    titles = ["# Piet Larkin", "Runa Voss", "Harbour Rovers", "Larkin, Piet"]
    assert near_titles(["Piet Larkin"], titles) == {
        "Piet Larkin": ["# Piet Larkin", "Larkin, Piet"]
    }
    assert near_titles(["Runa Vos"], titles) == {"Runa Vos": ["Runa Voss"]}
    assert near_titles(["Port Selby", "", "?"], titles) == {}


def test_of_many_references_the_first_five_are_told() -> None:
    near = {f"Name {n}": [f"Name {n}0"] for n in range(7)}
    *told, more = suggestions(near)
    assert len(told) == 5
    assert more == "2 more gold references resemble a document title."


def test_a_corpus_offers_the_title_that_its_gold_nearly_names(tmp_path: Path) -> None:
    texts, questions = tmp_path / "texts.jsonl", tmp_path / "questions.jsonl"
    texts.write_text(
        '{"id": "a", "title": "# Piet Larkin", "text": "Piet Larkin mends clocks."}\n'
        '{"id": "b", "title": "Runa Voss", "text": "Runa Voss sails."}\n'
    )
    questions.write_text(
        '{"question": "Who mends clocks?", "gold": ["Piet Larkin"]}\n'
        '{"question": "Who sails?", "gold": ["Runa Voss"]}\n'
    )
    corpus = read_files([texts, questions])
    assert [note for note in corpus.notes if "Did you mean" in note] == [
        "No document is titled 'Piet Larkin'. Did you mean '# Piet Larkin'?"
    ]
