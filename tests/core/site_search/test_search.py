"""Search over everything: best matches first, grouped by kind, and only what a visitor may open."""

import pytest

from core.artefacts.workbench import Workbench
from core.indexing.updates import build
from core.site_search import (
    Entry,
    IndexTexts,
    IndexTitles,
    help_entries,
    index_entries,
    method_entries,
    search,
    setting_entries,
)
from core.site_search.matching import Titles
from core.site_search.snippets import LONGEST, snippet
from core.store.index import Index
from core.visitors.roles import ANYBODY, Visitor
from tests.core.fakes import WordEmbedder
from tests.core.five import QUESTION, TEXTS, corpus, silent

PAGES = [
    Entry("page", "Evaluate", (), "evaluate"),
    Entry("page", "Settings", (), "settings", editors_only=True),
]
READER = Visitor("r@example.org", "reader")
HOSTILE = "<img src=x onerror=alert(1)> ' OR 1=1 -- \x00 %_"


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> IndexTexts:
    folder = tmp_path_factory.mktemp("home") / "five"
    build(folder, corpus(), WordEmbedder(), silent)
    return IndexTexts(Workbench(Index.open(folder), WordEmbedder()))


def found(text: str, texts: IndexTexts | None = None, visitor: Visitor = ANYBODY) -> dict:
    entries = [*PAGES, *help_entries(), *method_entries(), *index_entries(["five"])]
    return {
        group.title: [one.title for one in group.entries]
        for group in search(text, entries, visitor, texts)
    }


def test_exact_then_prefix_then_word_then_part_then_misspelt() -> None:
    titles = ["Import export", "Port Selby", "Airport", "port", "Poort Selbi"]
    assert Titles(titles).best("port", 4) == [3, 1, 2, 0]
    assert sorted(Titles(titles).best("port selbi", 4)) == [1, 4]
    assert Titles(titles).best("port selby", 4) == [1]
    assert Titles(["Mara Quist", "Ilo Venn"]).best("mara qiust", 5) == [0]
    assert Titles(["Mara Quist"]).best("  ", 5) == []


def test_every_kind_is_found(texts: IndexTexts) -> None:
    assert found("five", texts)["Indexes"] == ["five"]
    assert "Evaluate" in found("eval", texts)["Pages"]
    assert found("bm25", texts)["Methods"][0] == "BM25"
    assert found("exit codes", texts)["Help"] == ["Exit codes"]
    assert found("helpfulness", texts)["Help"][0] == "Helpfulness"
    assert found(QUESTION.text[:20], texts)["Questions"] == [QUESTION.text]
    assert found("mara quist", texts)["Passages"][0] == "Mara Quist"


def test_the_kind_with_the_best_title_comes_first(texts: IndexTexts) -> None:
    pages = [Entry("page", title, (), "help") for title in ("Port Selbi", "About Port Selby")]
    kinds = [group.title for group in search("port selby", pages, ANYBODY, texts)]
    assert kinds[:2] == ["Passages", "Pages"]
    kinds = [group.title for group in search("port selby", pages[:1], ANYBODY, texts)]
    assert (kinds[0], kinds[-1]) == ("Passages", "Pages")


def test_a_passage_is_found_by_the_words_of_its_text(texts: IndexTexts) -> None:
    title, text = next(iter(TEXTS.values()))
    last = text.rstrip(".").split()[-1]
    assert title in found(last, texts)["Passages"]


def test_a_passage_is_found_by_its_misspelt_title(texts: IndexTexts) -> None:
    """Both words are in no text, so only titles find it."""
    assert found("poort selbi", texts)["Passages"] == ["Port Selby"]


def test_a_passage_shows_the_sentence_with_the_words(texts: IndexTexts) -> None:
    title, text = next(iter(TEXTS.values()))
    last = text.rstrip(".").split()[-1]
    (group,) = (one for one in search(last, (), ANYBODY, texts) if one.title == "Passages")
    (entry,) = (one for one in group.entries if one.title == title)
    assert (last, True) in entry.detail
    assert "".join(piece for piece, _ in entry.detail) in text


LONG = f"{'A first sentence says nothing of it. ' * 9}Then Ines' boat sank off Perch. It was red."


def test_a_snippet_is_the_sentence_with_most_words() -> None:
    assert snippet(LONG, "did the boat sink at Perch, the boats of Ines") == (
        ("Then ", False),
        ("Ines", True),
        ("' ", False),
        ("boat", True),
        (" sank off ", False),
        ("Perch", True),
        (".", False),
    )


def test_a_long_sentence_is_cut_around_the_words() -> None:
    told = snippet(f"{'word ' * 200}Perch {'word ' * 200}", "perch")
    assert ("Perch", True) in told
    assert told[0] == ("… ", False)
    assert told[-1] == (" …", False)
    assert sum(len(piece) for piece, _ in told) <= LONGEST


@pytest.mark.parametrize("typed", ["", "the of", "nowhere", HOSTILE])
def test_without_a_word_a_snippet_is_the_beginning(typed: str) -> None:
    told = snippet(LONG, typed)
    assert [marks for _, marks in told] == [False, False]
    assert LONG.startswith(told[0][0])
    assert len(told[0][0]) <= LONGEST


def test_markup_in_a_passage_is_text() -> None:
    told = snippet("<img src=x onerror=alert(1)> of Perch.", "img perch")
    assert "".join(piece for piece, _ in told) == "<img src=x onerror=alert(1)> of Perch."


def test_a_visitor_finds_only_what_they_may_open(texts: IndexTexts) -> None:
    assert "Pages" not in found("settings", texts, READER)
    assert found("settings", texts)["Pages"] == ["Settings"]
    assert found("", None, READER)["Pages"] == ["Evaluate"]
    assert search("five", index_entries(["five"]), Visitor("", None), texts) == ()


def test_hostile_text_is_text(texts: IndexTexts) -> None:
    found(HOSTILE, texts)
    found("(" * 5000, texts)


def test_settings_are_found_by_title_name_and_meaning() -> None:
    def settings(text: str, visitor: Visitor = ANYBODY) -> list[Entry]:
        groups = search(text, setting_entries(), visitor)
        return [one for group in groups for one in group.entries]

    assert settings("theme")[0].page == "settings"
    assert settings("theme", READER) == []
    for text in ("edge base score", "link"):
        link = settings(text)[0]
        assert (link.title, link.page) == ("base score of an edge", "methods")
        assert dict(link.params) == {"method": "hoprag-coverage"}


def test_other_indexes_are_found_by_title_below_the_own_one(
    texts: IndexTexts, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("home") / "other"
    build(folder, corpus(), WordEmbedder(), silent)
    (group,) = search("mara quist", [], ANYBODY, texts, [IndexTitles(Index.open(folder))])[:1]
    indexes = [one.params["index"] for one in group.entries if one.title == "Mara Quist"]
    assert indexes == ["five", "other"]
    alone = search("mara quist", [], ANYBODY, None, [IndexTitles(Index.open(folder))])
    assert [one.title for one in alone[0].entries] == ["Mara Quist"]
