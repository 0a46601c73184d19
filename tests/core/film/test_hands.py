"""What can be chosen otherwise by hand in a film."""

from core.counterfactual import Take, parse
from core.film import make_film
from core.retrievers import make
from core.steps import Offered
from core.traces import record
from tests.core.five import QUESTION


def film_of(workbench, spec, amendments=()):
    retriever = make(spec, workbench.amended(amendments))
    trace = record(retriever, QUESTION.text, workbench.index)
    return trace, make_film(trace, index=workbench.index)


def test_it_says_where_a_walk_starts_looks_and_follows(workbench):
    trace, film = film_of(workbench, "hoprag-similarity(top_k=2)")
    ids = [node["id"] for node in film["nodes"]]
    looked = [step for step in trace.steps if isinstance(step, Offered)]
    assert {ids[n] for n in film["hands"]["starts"]} == {a.id for a in looked[0].arrivals}
    assert {ids[n] for n in film["hands"]["judged"]} == {step.at for step in looked[1:]}
    taken = {
        (film["lines"][int(line)]["id"], ids[at])
        for line, places in film["hands"]["taken"].items()
        for at in places
    }
    assert taken == {(offer.tie, step.at) for step in looked[1:] for offer in step.taken}
    assert not film["hands"]["both"]
    assert film_of(workbench, "hoprag-coverage")[1]["hands"]["both"]


def test_what_does_not_walk_the_graph_has_nothing_to_choose(workbench):
    for spec in ("bm25", "hipporag2", "rerank(over=dense)"):
        assert film_of(workbench, spec)[1]["hands"] is None


def test_walks_inside_of_others_can_be_changed(workbench):
    _, film = film_of(workbench, "rerank(over=hoprag-similarity,depth=2)")
    assert film["hands"]["starts"]


def test_the_film_says_that_it_was_changed(workbench):
    plain, film = film_of(workbench, "hoprag-similarity(top_k=2)")
    step = next(s for s in plain.steps if isinstance(s, Offered) and not s.entry and s.taken)
    amended = (Take(step.at, step.taken[0].tie),)
    assert film["title"] == "HopRAG (similarity)"
    assert film_of(workbench, "hoprag-similarity(top_k=2)", amended)[1]["title"].endswith(
        "changed by hand"
    )
    assert parse(str(amended[0])) == amended
