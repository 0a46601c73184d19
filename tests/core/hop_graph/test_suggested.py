"""Questions over two passages, made from the graph."""

from pathlib import Path

import pytest

from core.artefacts.workbench import Workbench
from core.build import build
from core.hop_graph.joined import joined_by_name
from core.hop_graph.suggested import BY_RULES, suggested
from core.store.index import Index
from core.types import Document, Passage
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent


def index_of(folder: Path, embedder: WordEmbedder, **texts: str) -> Index:
    documents = [Document(key, key.capitalize(), text) for key, text in texts.items()]
    build(folder, corpus(*documents, queries=()), embedder, silent)
    return Index.open(folder)


def test_what_one_passage_says_is_joined_with_what_the_other_tells(workbench: Workbench) -> None:
    first, *_ = suggested(workbench.index)
    assert first.text == (
        "Harbour Rovers was bought by someone who was born in Port Selby. Who is it?"
    )
    assert first.gold == ("club", "owner")
    assert first.type == BY_RULES == "made by rules from the graph"


def test_each_is_over_an_edge_and_over_passages_of_its_own(workbench: Workbench) -> None:
    index = workbench.index
    found = suggested(index)
    passages = [name for query in found for name in query.gold]
    assert len(passages) == len(set(passages)) == 2 * len(found) <= len(index.passages)
    for query in found:
        source, target = query.gold
        assert target in {edge.target for edge in index.graph.out_edges(source)}
        assert index.passage(target).title not in query.text
    assert found == suggested(Index.open(index.path))
    assert len(suggested(index, most=1)) == 1


def test_where_no_sentence_ends_in_the_name_it_is_asked_what_they_have_to_do(
    tmp_path: Path, embedder: WordEmbedder
) -> None:
    index = index_of(
        tmp_path / "ix",
        embedder,
        ash="Selby and York lie on it. The river is long.",
        selby="Selby was founded in 1204.",
    )
    assert [query.text for query in suggested(index)] == [
        "What does Ash have to do with something that was founded in 1204?"
    ]


def test_parts_of_notes_are_joined_by_a_name_that_one_tells_of(
    tmp_path: Path, embedder: WordEmbedder
) -> None:
    notes = Document("n", "Notes, June", "It rained. The barge\nbelongs to Ada Birch, as all know.")
    other = Document("o", "Letters, July", "Was she ill? Ada Birch asked whether the mine was dry.")
    index_path = tmp_path / "ix"
    build(index_path, corpus(notes, other, queries=()), embedder, silent)
    (found,) = suggested(Index.open(index_path))
    assert found.text == (
        "What does “Notes, June” say about someone who asked whether the mine was dry?"
    )
    assert found.gold == ("n", "o")


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("Lake Ash lies between the villages of Maren and York.", ["the lake that lies between"]),
        ("Lake Ash rejected the claim.", []),  # which may be said of anything
        ("Varnish lies between the villages of Maren and York.", []),  # who or what?
        ("Der See liegt bei Maren. Lake Ash lies there.", []),
    ],
)
def test_a_question_over_two_notes_is_no_riddle(told: str, asked: list[str]) -> None:
    name = " ".join(told.split()[:2] if "Ash" in told else told.split()[:1]).casefold()
    first = Passage("n", "n", 0, "Notes, June", f"The weir keeps {name.title()} high.")
    text, _ = joined_by_name(first, Passage("o", "o", 0, "Letters", told), name)
    assert [part for part in asked if part in text] == asked
    assert bool(text) == bool(asked)


@pytest.mark.parametrize("text", ["Selby was.", "Selby (founded in 1204", "“Selby was” is said."])
def test_a_passage_that_tells_nothing_of_its_name_is_in_no_question(
    tmp_path: Path, embedder: WordEmbedder, text: str
) -> None:
    index = index_of(tmp_path / "ix", embedder, ash="It meets the sea at Selby.", selby=text)
    assert suggested(index) == ()


def test_other_languages_get_no_english_words(tmp_path: Path, embedder: WordEmbedder) -> None:
    index = index_of(
        tmp_path / "ix", embedder, 江="它在青石镇入海。青石镇很老。", 青石镇="青石镇是一座小镇。"
    )
    assert suggested(index) == ()
