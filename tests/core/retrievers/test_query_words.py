"""Which passage must be first for words of many kinds, in an index of any size."""

import pytest

from core.artefacts.workbench import Workbench
from core.corpus.types import Corpus
from core.indexing.updates import build
from core.retrievers import make
from core.settings import settings
from core.store.index import Index
from core.types import Document
from tests.core.fakes import WordEmbedder
from tests.core.five import silent

LONG_WORD = "pneumono" + "ultramicroscopic" * 3  # 56 letters
DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
TEXTS = {
    "band": "The Who are a rock band. Who is who in the band?",
    "carrier": "AT&T is a carrier of telephone calls.",
    "training": "She trained for the race in Selby.",
    "train": "The train to Selby leaves at noon.",
    "trains": "Trains run to Orrin on Sundays.",
    "copper": "Copper is copper, and a copper kettle is copper.",
    "kettle": "A kettle of copper and tin.",
    "bridge": "The twenty-one-arch bridge is well-known.",
    "arch": "An arch of twenty stones and one.",
    "year": "The mill burned down in 1987.",
    "price": "It cost 1,250 crowns in the year of the fire.",
    "decimal": "The constant is 3.14159.",
    "code": "Call get_user_name(userId) before parseXml.",
    "flag": "The option --max-depth=12 limits a search.",
    "cafe": "The café serves crème brûlée.",
    "street": "Die Straße führt nach Zürich.",
    "hash": f"The digest is {DIGEST}.",
    "lung": f"A disease called {LONG_WORD}.",
    "owner": "The miller's daughter owns O'Brien's inn.",
    "empty": "…",
}
FIRST = {
    "The Who": "band",
    "who who who": "band",
    "AT&T": "carrier",
    "train": "train",
    "trained": "training",
    "trains": "trains",
    "tin copper": "kettle",
    "copper copper copper": "copper",
    "copper": "copper",
    "twenty-one-arch bridge": "bridge",
    "well known": "bridge",
    "1987": "year",
    "1,250": "price",
    "3.14159": "decimal",
    "get_user_name": "code",
    "PARSEXML": "code",
    "--max-depth": "flag",
    "CAFÉ": "cafe",
    "cafe\u0301": "cafe",  # the accent as a character of its own
    "STRASSE": "street",
    DIGEST: "hash",
    LONG_WORD: "lung",
    "O’Brien": "owner",
    "miller": "owner",
}
NOWHERE = ("cafe", "windmill", "pneumono", "…", "&")
"""Queries that share no word with any passage: without stemming, folding or prefixes."""


@pytest.fixture(scope="module")
def benches(tmp_path_factory):
    """The same passages in memory, and over the tables of a large index."""
    folder = tmp_path_factory.mktemp("words") / "index"
    documents = tuple(Document(key, "", text, f"{key}.txt") for key, text in TEXTS.items())
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOPRAG_HOME", str(folder.parent))
        patch.setenv("HOPRAG_LARGE_FROM", "5")
        settings.cache_clear()
        build(folder, Corpus(documents, ()), WordEmbedder(), silent)
        for size, least in (("large", "5"), ("small", "1000")):
            patch.setenv("HOPRAG_LARGE_FROM", least)
            settings.cache_clear()
            found[size] = Workbench(Index.open(folder), WordEmbedder())
    settings.cache_clear()
    assert {size: bench.index.large for size, bench in found.items()} == {
        "large": True,
        "small": False,
    }
    return found


def ranking(bench, retriever, query):
    return [(hit.passage_id, hit.score, hit.parts) for hit in _hits(bench, retriever, query)]


def _hits(bench, retriever, query):
    return list(make(retriever, bench).retrieve(query))[-1].hits


@pytest.mark.parametrize("query", FIRST)
def test_the_passage_with_the_words_is_first_at_every_size(benches, query):
    small, large = (ranking(benches[size], "bm25", query) for size in ("small", "large"))
    assert small[0][0] == FIRST[query]
    assert large == small


@pytest.mark.parametrize("query", NOWHERE)
def test_no_other_form_of_a_word_is_found_at_any_size(benches, query):
    for bench in benches.values():
        assert ranking(bench, "bm25", query) == []


@pytest.mark.parametrize("query", FIRST)
def test_a_passage_has_a_lexical_score_if_it_shares_a_word(benches, query):
    for bench in benches.values():
        sharing = {hit.passage_id for hit in _hits(bench, "bm25(top_k=100)", query)}
        for retriever in ("hybrid(top_k=100)", "hybrid-rrf(top_k=100)"):
            scored = {
                hit.passage_id
                for hit in _hits(bench, retriever, query)
                if {part.name: part.value for part in hit.parts}["lexical"] > 0
            }
            assert scored == sharing
