"""The parts of a score: tone and meaning by the card, or the next tone."""

import pytest

from core.artefacts.base import in_order
from core.artefacts.workbench import Workbench
from core.retrievers import MODEL_FREE, Spec, make
from core.steps import Offered, Ranked, Step
from core.store.index import Index
from core.types import Part
from pages.components.trace.rows import bar, head, tones
from tests.core.fakes import WordEmbedder
from tests.pages.conftest import QUESTION


def test_a_part_has_one_tone_whatever_stands_beside_it() -> None:
    lexical, named, evidence = Part("lexical", 0.4), Part("named", 1.0), Part("evidence", 0.3)
    known = Spec("hoprag-coverage").parts
    found = tones([(lexical, named, evidence)], known)
    assert [tone for tone, _ in found.values()] == ["a", "c", "d"]
    assert [*tones([(lexical, Part("named", 0.0), evidence)], known)] == ["lexical", "evidence"]


def test_what_no_card_knows_takes_the_tones_in_turn() -> None:
    found = tones([[Part(f"w{i}", 1.0) for i in range(5)]], {"w1": ("d", "known")})
    assert [tone for tone, _ in found.values()] == list("adcdd")
    assert found["w1"] == ("d", "known")


def test_the_meaning_is_shown_as_text() -> None:
    tone = tones([(Part("a", 1.0), Part("b", 1.0))], {"a": ("c", "<i>'")})
    assert "title='&lt;i&gt;&#x27;'><i class='tr-tone-c'>" in head("Score", "", tone)
    assert "tr-tone-c' style='width:50.0%'" in bar([Part("a", 1.0)], tone, 2.0)


READY = (key for key in MODEL_FREE if not any(one.stored for one in in_order(Spec(key).needs)))


@pytest.mark.parametrize("key", sorted({*READY} - {"bm25"}))  # whose parts are words
def test_every_part_of_a_retriever_has_words_and_a_tone(tiny_index: Index, key: str) -> None:
    bench = Workbench(tiny_index, WordEmbedder())  # type: ignore[arg-type]
    for step in make(key, bench).retrieve(QUESTION.text):
        assert {part.name for part in parts_of(step)} <= Spec(key).parts.keys()


def parts_of(step: Step) -> list[Part]:
    if isinstance(step, Ranked):
        return [part for hit in (*step.hits, *step.pruned) for part in hit.parts]
    return [part for o in step.offers for part in o.parts] if isinstance(step, Offered) else []
