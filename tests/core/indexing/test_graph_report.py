from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from core.corpus.types import Corpus
from core.graph_report import Degrees, report
from core.indexing.updates import build
from core.progress import Progress
from core.store.index import Index
from core.types import Direction, Document, Passage, PseudoQuery
from tests.core.fakes import WordEmbedder

# Four passages: 'a' asks of 'b' and of 'c', 'b' of 'c', and nobody of 'd', which asks nothing.
TEXTS = {"a": "one one", "b": "two two two", "c": "three", "d": "four"}
QUESTIONS: tuple[tuple[str, Direction, str, str], ...] = (
    ("a", "in", "What of alpha?", "alpha"),
    ("b", "in", "What of beta?", "beta"),
    ("c", "in", "What of gamma?", "gamma"),
    ("d", "in", "What of delta?", "delta"),
    ("a", "out", "What of beta?", "beta"),
    ("a", "out", "What of gamma?", "gamma"),
    ("b", "out", "What of gamma?", "gamma"),
    ("c", "out", "Who is gamma?", "gamma"),
)


class ByHand:
    name = "hand"

    def __call__(
        self, passages: Sequence[Passage], progress: Callable[[int], None] | None = None
    ) -> Iterator[list[PseudoQuery]]:
        for passage in passages:
            yield [
                PseudoQuery(f"{number}", owner, direction, text, (word,), "hand", text)
                for number, (owner, direction, text, word) in enumerate(QUESTIONS)
                if owner == passage.id
            ]


def silent(progress: Progress) -> None:
    pass


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("report") / "four"
    documents = tuple(Document(key, key, text) for key, text in TEXTS.items())
    build(folder, Corpus(documents, ()), WordEmbedder(), silent, maker=ByHand())
    return Index.open(folder)


def edges(index: Index) -> set[tuple[str, str]]:
    return {
        (edge.source, edge.target)
        for passage in index.passages
        for edge in index.graph.out_edges(passage.id)
    }


def test_the_world_is_as_drawn(index: Index) -> None:
    # The question of 'c' about itself finds another passage's best match, whichever it is.
    assert {("a", "b"), ("a", "c"), ("b", "c")} <= edges(index)
    assert len(edges(index)) == 4


def test_sizes_are_those_of_table_7(index: Index) -> None:
    counts = report(index).counts
    assert (counts.documents, counts.vertices, counts.edges) == (4, 4, 4)
    assert counts.text_length == (7 + 11 + 5 + 4) / 4
    assert counts.out_degree == 4 / 4


def test_degrees_count_every_vertex_once(index: Index) -> None:
    found = report(index)
    assert found.out_degrees == Degrees((0, 1, 2), (1, 2, 1))
    assert sum(found.in_degrees.vertices) == 4
    products = zip(found.in_degrees.degree, found.in_degrees.vertices, strict=True)
    assert sum(degree * vertices for degree, vertices in products) == 4


def test_an_orphan_is_a_component_of_its_own(index: Index) -> None:
    found = report(index)
    reached = {end for pair in edges(index) for end in pair}
    assert set(found.orphans) == set(TEXTS) - reached
    assert found.components == 1 + len(found.orphans)
    assert found.largest_share == len(reached) / 4


def test_duplicates_are_of_one_direction(index: Index) -> None:
    found = report(index)
    assert len(found.questions) == len(QUESTIONS)
    duplicated = {(q.passage_id, q.direction) for q in found.questions if q.duplicated}
    assert duplicated == {("a", "out"), ("b", "out")}
    assert found.duplicated_share == 2 / 8


def test_a_question_is_its_own_passages_by_its_keywords(index: Index) -> None:
    found = report(index)
    own = {q.passage_id: q.own for q in found.questions if q.text == "Who is gamma?"}
    assert own == {"c": True}
    assert all(q.own is None for q in found.questions if q.direction == "in")
    assert found.out_coming == 4
    assert found.own_share == 1 / 4


def test_the_sample_is_the_same_every_time(index: Index) -> None:
    assert report(index).questions == report(Index.open(index.path)).questions


def test_one_passage_without_an_edge(tmp_path: Path) -> None:
    corpus = Corpus((Document("only", "Only", "Nothing is asked here."),), ())
    build(tmp_path / "one", corpus, WordEmbedder(), silent)
    found = report(Index.open(tmp_path / "one"))
    assert found.orphans == ("only",)
    assert (found.components, found.largest_share) == (1, 1.0)
    assert found.out_degrees == Degrees((0,), (1,))
    assert found.own_share == 0.0
