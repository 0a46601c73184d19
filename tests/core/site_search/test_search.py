"""Search over everything: best matches first, grouped by kind, and only what a visitor may open."""

import pytest

from core.artefacts.workbench import Workbench
from core.building import build
from core.site_search import Entry, IndexTexts, index_entries, method_entries, search
from core.site_search.matching import Titles
from core.store.index import Index
from core.visitors.roles import ANYBODY, Visitor
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION, TEXTS, corpus, silent

PAGES = [
    Entry("page", "Evaluate", "", "evaluate"),
    Entry("page", "Settings", "", "settings", editors_only=True),
]
READER = Visitor("r@example.org", "reader")
HOSTILE = "<img src=x onerror=alert(1)> ' OR 1=1 -- \x00 %_"


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> IndexTexts:
    folder = tmp_path_factory.mktemp("home") / "five"
    build(folder, corpus(), WordEmbedder(), silent)
    return IndexTexts(Workbench(Index.open(folder), WordEmbedder()))


def found(text: str, texts: IndexTexts | None = None, visitor: Visitor = ANYBODY) -> dict:
    entries = [*PAGES, *method_entries(), *index_entries(["five"])]
    return {
        group.title: [one.title for one in group.entries]
        for group in search(text, entries, visitor, texts)
    }


def test_exact_then_prefix_then_word_then_part_then_misspelt() -> None:
    titles = ["Import export", "Port Selby", "Airport", "port", "Poort Selbi"]
    assert Titles(titles).best("port", 4) == [3, 1, 2, 0]
    assert Titles(["Mara Quist", "Ilo Venn"]).best("mara qiust", 5) == [0]
    assert Titles(["Mara Quist"]).best("  ", 5) == []


def test_every_kind_is_found(texts: IndexTexts) -> None:
    assert found("five", texts)["Indexes"] == ["five"]
    assert "Evaluate" in found("eval", texts)["Pages"]
    assert found("bm25", texts)["Methods"][0] == "BM25"
    assert found(QUESTION.text[:20], texts)["Questions"] == [QUESTION.text]
    assert found("mara quist", texts)["Passages"][0] == "Mara Quist"


def test_a_passage_is_found_by_the_words_of_its_text(texts: IndexTexts) -> None:
    title, text = next(iter(TEXTS.values()))
    last = text.rstrip(".").split()[-1]
    assert title in found(last, texts)["Passages"]


def test_a_visitor_finds_only_what_they_may_open(texts: IndexTexts) -> None:
    assert "Pages" not in found("settings", texts, READER)
    assert found("settings", texts)["Pages"] == ["Settings"]
    assert found("", None, READER)["Pages"] == ["Evaluate"]
    assert search("five", index_entries(["five"]), Visitor("", None), texts) == ()


def test_hostile_text_is_text(texts: IndexTexts) -> None:
    found(HOSTILE, texts)
    found("(" * 5000, texts)
