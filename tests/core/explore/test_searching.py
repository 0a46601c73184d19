"""A search by words: who has all of them, or else who has most."""

import pytest

from core.artefacts.workbench import Workbench
from core.explore.searching import by_words
from core.store.index import Index
from tests.core.fakes import WordEmbedder


@pytest.fixture
def bench(built, embedder: WordEmbedder) -> Workbench:
    return Workbench(Index.open(built), embedder)


def held(bench: Workbench, text: str) -> list[tuple[str, int]]:
    return [(each.passage.id, each.words) for each in by_words(bench, text, 20).held]


def test_where_some_have_all_words_only_they_are_found(bench: Workbench) -> None:
    assert held(bench, "brewer born Selby") == [("owner", 3)]
    assert by_words(bench, "brewer born Selby", 20).whole


def test_else_who_has_most_comes_first(bench: Workbench) -> None:
    found = held(bench, "brewer, zeppelin, married, stadium")
    assert found == [("owner", 2), ("stadium", 1)]


def test_function_words_find_nobody(bench: Workbench) -> None:
    assert held(bench, "who is the") == []
    assert held(bench, "zeppelin") == []
