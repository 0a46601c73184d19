"""The complete ranking behind a truncated one, recomputed with the retriever's own settings."""

import pytest

from core.artefacts.workbench import Workbench
from core.funnel.lists import Lists
from core.retrievers import make

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
