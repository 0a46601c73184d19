from core.artefacts.workbench import Workbench
from core.ceiling.hubs import hubs


def test_hubs_are_the_passages_with_most_edges(workbench: Workbench) -> None:
    index = workbench.index
    found = hubs(index)
    assert {hub.passage_id: (hub.arriving, hub.leaving) for hub in found} == {
        p.id: edges
        for p in index.passages
        if any(edges := (len(index.graph.in_edges(p.id)), len(index.graph.out_edges(p.id))))
    }
    degrees = [hub.arriving + hub.leaving for hub in found]
    assert degrees == sorted(degrees, reverse=True)
    assert hubs(index, 2) == found[:2]
    assert found[0].title == index.passage(found[0].passage_id).title
