"""A question none of whose words any passage has."""

from core.artefacts.unmatched import unmatched
from tests.core.five import QUESTION


def test_only_a_question_without_a_known_word_is_told_of(workbench):
    assert unmatched(workbench, QUESTION.text, "hybrid") == ""
    assert "by the similarity of their embeddings alone" in unmatched(
        workbench, "Qwzx blorpt?", "hybrid"
    )
    assert unmatched(workbench, "Qwzx blorpt?", "bm25") == ""
