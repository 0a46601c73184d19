"""An edge tells both of its questions, their sentences, and the halves of its similarity."""

import pytest

from core.film import make_film
from tests.core.film.decoding import by_id


@pytest.mark.parametrize("key", ["hoprag-coverage", "hoprag-similarity", "rerank"])
def test_each_edge_is_told_from_within(five, key):
    index, traces = five
    film = make_film(traces[key], index=index)
    told = by_id(film, film["xrays"], "lines")
    edges = {line["id"]: traces[key].edges.get(line["id"]) for line in film["lines"]}
    assert told.keys() == {name for name, edge in edges.items() if edge}
    assert told
    for name, within in told.items():
        edge = edges[name]
        raised = index.graph.pseudo_query(edge.out_query_id)
        answered = index.graph.pseudo_query(edge.in_query_id)
        assert within["raised"] == index.graph.spoken(raised)
        assert within["answered"] == index.graph.spoken(answered)
        assert (within["raised_from"], within["answered_from"]) == (
            raised.evidence,
            answered.evidence,
        )
        assert within["shared"] == sorted({*raised.keywords} & {*answered.keywords})
        assert within["similarity"] == pytest.approx(
            (within["jaccard"] + within["cosine"]) / 2, abs=2e-3
        )


def test_without_the_index_the_figures_are_left(five):
    _, traces = five
    film = make_film(traces["hoprag-similarity"])
    assert film["xrays"]
    assert all(one.keys() == {"similarity", "jaccard", "cosine"} for one in film["xrays"].values())
