"""The Methods page: a card for each retriever, what it takes, and its film."""

from pathlib import Path

import pytest

from core.retrievers import CARDS, Spec
from core.settings import settings
from core.shipping.method_pictures import pictured_question
from pages.components.methods.cards import paper, picture_note
from pages.components.shell.layout import literal
from tests.pages.conftest import TINY
from tests.pages.journeys import checked, last_words, opened, words


def test_there_is_a_card_for_each_retriever(tiny_home: Path) -> None:
    app = opened("methods")
    assert {button.key for button in app.button} >= {
        f"method_{key.replace('-', '_')}" for key in CARDS
    }
    assert all(card.summary in words(app) for card in CARDS.values())
    assert "".join(one.proto.body for one in app.get("html")).count("<img") == len(CARDS)


def test_families_filter_the_cards(tiny_home: Path) -> None:
    app = opened("methods")
    app.pills(key="methods_families").set_value(["lexical"]).run()
    shown = words(checked(app))
    assert CARDS["bm25"].summary in shown
    assert CARDS["dense"].summary not in shown


def test_a_method_says_what_it_takes_and_plays_a_question(tiny_home: Path) -> None:
    app = opened("methods", method="hybrid", index=TINY)
    shown = words(app)
    assert CARDS["hybrid"].paper in shown
    assert "Model calls none" in shown
    assert not last_words(app)
    app.segmented_control(key="methods_view").set_value("See it work").run()
    assert checked(app).selectbox(key="methods_question").value
    assert last_words(app)


def test_what_has_to_be_built_is_said_before_it_is_tried(tiny_home: Path) -> None:
    app = opened("methods", method="hipporag2", index=TINY)
    assert "Builds entities" in words(app)
    app.segmented_control(key="methods_view").set_value("See it work").run()
    assert any(
        "needs structures that this index does not have yet" in text.value for text in app.text
    )


def test_an_unknown_method_is_said(tiny_home: Path) -> None:
    said = opened("methods", method="<b>x</b>").warning[0].value
    assert said == literal("No method named '<b>x</b>'. Choose one below.")


def test_a_custom_retriever_has_a_card_and_a_page(
    tiny_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.py"
    path.write_text("def retrieve(question): return ['<b>Nothing</b> of the index.']")
    monkeypatch.setenv("HOPRAG_RETRIEVERS", str(path))
    settings.cache_clear()
    assert "method_mine" in {button.key for button in opened("methods").button}
    app = opened("methods", method="mine", index=TINY)
    assert "From mine.py" in words(app)
    app.segmented_control(key="methods_view").set_value("See it work").run()
    assert "Not in the index: 1 of 1 results" in last_words(checked(app))
    monkeypatch.delenv("HOPRAG_RETRIEVERS")
    settings.cache_clear()


@pytest.mark.usefixtures("tiny_home")
def test_a_method_that_needs_a_model_leads_to_settings_without_one() -> None:
    app = opened("methods", method="hoprag-llm", index=TINY)
    app.segmented_control(key="methods_view").set_value("See it work").run()
    told = [caption.value for caption in checked(app).caption]
    assert literal("HopRAG (model) needs a language model, and none is set up.") in told
    assert app.button(key="methods_settings").label == "Open Settings"


def test_the_card_of_a_method_that_needs_a_model_says_how_its_picture_was_made() -> None:
    assert picture_note(Spec("hoprag-llm")) == ("picture drawn without a model",)
    assert picture_note(Spec("hoprag-similarity")) == ()


@pytest.mark.usefixtures("tiny_home")
def test_the_question_of_the_pictures_and_their_signs_are_explained_once() -> None:
    shown = words(opened("methods"))
    assert shown.count(pictured_question()) == 1
    assert shown.count("gold passage, missed") == 1


def test_a_paper_on_arxiv_is_a_link_and_other_text_is_escaped() -> None:
    assert paper("after Li et al. 2025, arXiv 2504.20114") == (
        "after Li et al. 2025, <a href='https://arxiv.org/abs/2504.20114' target='_blank' "
        "rel='noopener'>arXiv 2504.20114</a>"
    )
    assert paper("<b>mine.py") == "&lt;b&gt;mine.py"
