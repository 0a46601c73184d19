"""Gold whose names a user has corrected."""

from core.corpus.assembly import assemble
from core.corpus.file_contents import Contents
from core.corpus.gold.corrections import questions_naming, with_gold_names
from core.types import Document, Evidence, Query

CORPUS = assemble(
    [
        Contents(
            "Test",
            [Document("a", "Runa Voss", "Runa Voss sails.", "a.txt")],
            [
                Query("q", "Who sails?", gold=("Runa Vos", "Piet"), origin="q"),
                Query("r", "Who?", evidence=(Evidence("sails", document="Runa Vos"),), origin="q"),
            ],
        )
    ]
)


def test_a_corrected_name_is_linked_and_its_notes_go() -> None:
    assert any("Did you mean 'Runa Voss'?" in note for note in CORPUS.notes)
    corrected = with_gold_names(CORPUS, {"Runa Vos": "Runa Voss"})
    assert corrected.queries[0].gold == ("a", "Piet")
    assert corrected.queries[1].evidence[0].document == "a"
    assert not any("Did you mean" in note for note in corrected.notes)
    assert any("(1 reference)" in note for note in corrected.notes)


def test_a_title_of_another_corpus_stays_as_it_is() -> None:
    corrected = with_gold_names(CORPUS, {"Piet": "Piet Larkin"})
    assert corrected.queries[0].gold == ("Runa Vos", "Piet Larkin")


def test_other_names_change_nothing() -> None:
    assert with_gold_names(CORPUS, {}) is CORPUS
    assert with_gold_names(CORPUS, {"Nobody": "Runa Voss"}) is CORPUS
    assert questions_naming(CORPUS.queries, "Runa Vos") == 2
