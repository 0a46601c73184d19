"""What is asked of a large index is answered as if all of it were in memory."""

import pytest

from core.artefacts.lexical.keywords import BEARERS, KEYWORDS
from core.artefacts.lexical.postings import LEXICON
from core.artefacts.workbench import Workbench
from core.indexing.updates import build
from core.retrievers import make
from core.settings import settings
from core.steps import Offered
from core.store.index import Index
from tests.core import languages
from tests.core.exact import ExactEmbedder, build_sample
from tests.core.five import silent

RETRIEVERS = (
    *("dense", "bm25", "hybrid", "hybrid-rrf", "treehop"),
    *(f"hoprag-similarity(entry={entry})" for entry in ("edge", "node", "hybrid")),
    *(f"hoprag-coverage(entry={entry})" for entry in ("edge", "node", "hybrid")),
)


def both(folder, embedder):
    """An index that was written as a large one, in memory and read as it is touched."""
    found = []
    for passages in (10**6, 2):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("HOPRAG_LARGE_FROM", str(passages))
            settings.cache_clear()
            found.append(Workbench(Index.open(folder, embedder.info), embedder))
    settings.cache_clear()
    assert [bench.index.large for bench in found] == [False, True]
    return found


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """The sample both ways, and what is asked of it."""
    home = tmp_path_factory.mktemp("large")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOPRAG_HOME", str(home))
        patch.setenv("HOPRAG_LARGE_FROM", "100")
        settings.cache_clear()
        asked = build_sample(home / "sample")
        small, large = both(home / "sample", ExactEmbedder())
        assert large.index.graph.adjacency  # lies in that home
    settings.cache_clear()
    return small, large, asked


def told(steps):
    """Where something was offered or ranked, what it was and how much it scored."""
    for step in steps:
        if isinstance(step, Offered):
            yield (
                step.at,
                [(o.target, o.tie, o.taken, o.notes) for o in step.offers],
                [part.value for offer in step.offers for part in offer.parts],
            )
    yield "end", [hit.passage_id for hit in steps[-1].hits], [hit.score for hit in steps[-1].hits]


@pytest.mark.parametrize("spec", RETRIEVERS)
def test_what_is_offered_and_ranked_is_the_same(world, spec):
    small, large, asked = world
    for question in asked:
        there, here = (list(make(spec, bench).retrieve(question)) for bench in (small, large))
        for (place, one, scores), (at, other, near) in zip(told(there), told(here), strict=True):
            assert (at, other) == (place, one)
            assert near == pytest.approx(scores, abs=1e-6)


def test_names_are_found_where_no_space_is_between_words(tmp_path, large_from, monkeypatch):
    monkeypatch.setenv("HOPRAG_HOME", str(tmp_path))
    large_from(2)
    build(tmp_path / "large", languages.corpus("Chinese"), ExactEmbedder(), silent)
    small, large = both(tmp_path / "large", ExactEmbedder())
    for text in [passage.text for passage in small.index.passages]:
        assert large.get(KEYWORDS).mentions(text) == small.get(KEYWORDS).mentions(text)


def test_who_bears_a_name_is_looked_up_with_longer_names(world):
    small, large, _ = world
    names = [name for words in small.index.passage_keywords for name in words]
    shorter = [f"{name.split()[0]} {name.split()[-1]}" for name in names if name.count(" ") > 1]
    assert shorter
    for name in {*names, *shorter}:
        assert large.get(BEARERS).of(name) == small.get(BEARERS).of(name)


def test_words_weigh_the_same(world):
    small, large, asked = world
    for question in (*asked, "zzzz", "the of", "'; -- \" OR 1=1"):
        assert large.get(LEXICON).weights(question) == small.get(LEXICON).weights(question)
