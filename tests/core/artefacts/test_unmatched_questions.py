"""A question none of whose words any passage has."""

import pytest

from core.artefacts.unmatched_questions import nothing_found, unmatched
from core.retrievers import Spec, make
from core.steps import Ranked
from tests.core.five import QUESTION

UNKNOWN = "Qwzx blorpt?"


def test_only_a_question_without_a_known_word_is_told_of(workbench):
    assert unmatched(workbench, QUESTION.text, words_only=False) == ""
    warning = unmatched(workbench, UNKNOWN, words_only=False)
    assert "by embedding similarity alone" in warning
    assert unmatched(workbench, UNKNOWN, words_only=True) == ""


@pytest.mark.parametrize(
    ("spec", "words_only"),
    [
        ("bm25", True),
        ("distinct(over=bm25)", True),
        ("distinct(over=distinct(over=bm25))", True),
        ("distinct(over=hybrid)", False),
        ("hybrid", False),
        ("ircot", False),
    ],
)
def test_who_needs_a_shared_word_declares_it(workbench, spec, words_only):
    """Those that need one find nothing for unknown words, and the reason says so."""
    found = Spec.parse(spec)
    assert found.words_only is words_only
    if words_only:
        *_, ranked = make(found, workbench).retrieve(UNKNOWN)
        assert isinstance(ranked, Ranked)
        assert not ranked.hits
        told = nothing_found(workbench.index, found.card.direction, words_only=found.words_only)
        assert "no passage contains any query word" in told
