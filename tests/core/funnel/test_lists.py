"""The complete ranking behind a truncated one, recomputed with the retriever's own settings."""

from pathlib import Path

import pytest

from core.artefacts.workbench import Workbench
from core.funnel.fates import fates
from core.funnel.lists import Lists
from core.retrievers import make
from core.steps import Offered
from core.types import Document
from tests.core.funnel.worlds import opened

QUERY = "In which town was the owner of Harbour Rovers born?"


@pytest.mark.parametrize("k0", [0, 1, 200])
def test_a_cut_passage_has_the_score_of_the_retriever_that_cut_it(asking: Workbench, k0: int):
    cut = next(iter(make("hybrid-rrf", asking, k0=k0, top_k=1).retrieve(QUERY)))
    (*_, full) = make("hybrid-rrf", asking, k0=k0, top_k=100).retrieve(QUERY)
    whole = Lists(asking).whole(cut)
    assert whole is not None
    assert dict(zip(whole.passages, whole.scores, strict=True)) == {
        hit.passage_id: hit.score for hit in full.hits
    }
    assert whole.scores[0] <= 2 / (k0 + 1)


CHAIN = ("Ada Finch", "Brackwater", "Cold Fen", "Dunmoor", "Oriel Works", "Port Selby")


def test_a_passage_that_is_no_seed_is_told_with_its_place_among_the_seeds(tmp_path: Path):
    """By the definition: its rank and score in the list that the seeds head, and the last seed."""
    texts = [f"{a} stands beside {b}." for a, b in zip(CHAIN, CHAIN[1:] + CHAIN[:1], strict=True)]
    documents = [Document(name, name, text) for name, text in zip(CHAIN, texts, strict=True)]
    bench = opened(tmp_path / "chain", tuple(documents))
    query = "What stands beside Ada Finch and Port Selby?"
    steps = tuple(
        make("hoprag-similarity", bench, top_k=2, n_hop=1, entry="hybrid").retrieve(query)
    )
    whole = Lists(bench).whole(steps[0])
    assert whole is not None
    seeds = next(s for s in steps if isinstance(s, Offered) and s.entry).taken
    found = fates(steps, bench.index.ids, bench.index, lists=Lists(bench))
    unreached = [fate for fate in found if fate.entry]
    assert unreached
    for fate in unreached:
        assert fate.entry is not None
        assert fate.entry.rank == whole.passages.index(fate.passage) + 1 > len(seeds)
        assert fate.entry.score == whole.scores[fate.entry.rank - 1]
        assert fate.entry.cut_off == min(seed.score for seed in seeds)
        assert fate.entry.taken == len(seeds)
