from pathlib import Path

import pytest

from core.models.legible import legible, unread_corpus, unread_question
from core.settings import BUNDLED_EMBEDDER
from tests.core.languages import ASKED, LANGUAGES, TEXTS
from tests.core.tiny_model import make_tiny_model

ENGLISH = ["Mara Quist is a brewer who was born in Port Selby.", "Die Straße nach Überlingen."]


def test_english_is_read() -> None:
    assert legible(BUNDLED_EMBEDDER, ENGLISH).share == 0
    assert unread_corpus(BUNDLED_EMBEDDER, ENGLISH) == ""
    assert unread_question(BUNDLED_EMBEDDER, ENGLISH[0]) == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_other_scripts_are_not_and_it_is_said_what_to_choose(language: str) -> None:
    texts = list(TEXTS[language].values())
    share = legible(BUNDLED_EMBEDDER, texts).share
    assert share > 0.5
    said = unread_corpus(BUNDLED_EMBEDDER, texts)
    assert f"{100 * share:.0f}% of the words" in said
    assert "multilingual-e5-small" in said
    assert "this query" in unread_question(BUNDLED_EMBEDDER, ASKED[language][0])


def test_a_vocabulary_that_has_the_words_reads_them(tmp_path: Path) -> None:
    texts = list(TEXTS["Korean"].values())
    model = str(make_tiny_model(tmp_path, texts))
    assert unread_corpus(model, texts) == ""
    assert legible(model, ["Ελλάδα"]).share == 1


def test_without_a_tokenizer_at_hand_nothing_is_said(tmp_path: Path) -> None:
    assert unread_corpus("no-one/no-model", ["青石镇"]) == ""
    assert unread_corpus(str(tmp_path), ["青石镇"]) == ""
    assert unread_corpus(BUNDLED_EMBEDDER, []) == ""


def test_of_a_damaged_tokenizer_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text('{"version": ')
    assert unread_corpus(str(tmp_path), ["Ein Text."]) == ""
