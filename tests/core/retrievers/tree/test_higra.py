"""HiGraRetriever: seeds, and ranks of relations and passages against a slow reading."""

from collections import defaultdict

import numpy as np
import pytest

from core.artefacts.entity_graph.graph import ENTITIES, FACTS, is_linkable
from core.artefacts.lexical.bm25 import LEXICAL
from core.artefacts.ontology.ontology import ONTOLOGY, UNALIGNED
from core.artefacts.ontology.sizes import ontology_sizes
from core.indexing.updates import build
from core.retrievers import make
from core.retrievers.cost_forecast import forecast
from core.retrievers.entity_graph.higra.seeding import gap
from core.steps import Offered, Pooled, Spread
from core.types import Document
from tests.core.artefacts.demonstration import bench_on
from tests.core.fakes import WordEmbedder
from tests.core.five import corpus, silent
from tests.core.retrievers.scripted import Q, found, saying, walked
from tests.llm.server import Answer

SAME_PLACE = {"entity:county honolulu", "entity:honolulu county"}


def listed(steps, of):
    return next(step for step in steps if isinstance(step, Offered) and step.of == of)


def ranks(values):
    """The rank of each number, the highest value first; equal ones in order."""
    order = sorted(values, key=lambda n: (-round(values[n], 7), n))
    return {n: place for place, n in enumerate(order, start=1)}


def fused(*lists):
    """1/(10 + rank), summed over rankings."""
    return {n: sum(1 / (10 + one[n]) for one in lists if n in one) for n in set().union(*lists)}


def spread(weights, seeds, damping=0.85):
    """PageRank from the seeds, dictionary by dictionary, until less than 1% of it moves."""
    reset = {name: 1 / len(seeds) for name in seeds}
    mass = dict(reset)
    for _ in range(30):
        then = {name: (1 - damping) * share for name, share in reset.items()}
        lost = sum(mass[name] for name in mass if not weights[name])
        for name in reset:
            then[name] += damping * lost * reset[name]
        for name, share in mass.items():
            total = sum(weights[name].values())
            for other, weight in weights[name].items():
                then[other] = then.get(other, 0.0) + damping * share * weight / total
        moved = sum(abs(then.get(n, 0) - mass.get(n, 0)) for n in {*then, *mass})
        mass = then
        if moved < 1e-2:
            break
    return mass


def graph_of(bench, seeds):
    """What is told together with a seed, and the passages that name any of it, joined."""
    edges = defaultdict(float)
    for fact in bench.get(FACTS).facts:
        for name in fact.objects:
            if fact.subject and is_linkable(name):
                edges[fact.subject, name] += 1
    near = set(seeds)
    near |= {b for a, b in edges if a in seeds} | {a for a, b in edges if b in seeds}
    upper, lower = (defaultdict(lambda: defaultdict(float)) for _ in range(2))
    for (one, other), weight in edges.items():
        if {one, other} <= near:
            for graph in (upper, lower):
                graph[one][other] += weight
                graph[other][one] += weight
    for number, names in enumerate(bench.index.passage_keywords):
        for name in near.intersection(names):
            lower[number][name] = lower[name][number] = 1.0
    return upper, lower


@pytest.mark.parametrize("question", [Q, "Who married Ilo Venn?"])
def test_passages_and_relations_rank_as_a_slow_reading_has_them(workbench, question):
    steps = walked(workbench, "higra", question)
    seeds = [o.target.removeprefix("entity:") for o in listed(steps, "entities").taken]
    upper, lower = graph_of(workbench, seeds)
    index, facts = workbench.index, workbench.get(FACTS)
    asked = workbench.embedder.encode([question])[0]
    lexical = workbench.get(LEXICAL).scored(question)
    every = np.arange(len(index.ids))
    words = {n: lexical.of(every)[n] for n in np.flatnonzero(lexical.matched(every)).tolist()}
    cosine = dict(enumerate((index.vectors @ asked).tolist()))
    similar = fused(ranks(words), ranks(cosine))
    held = {n: mass for n, mass in spread(lower, seeds).items() if isinstance(n, int)}
    wanted = fused(ranks(held), ranks(similar))
    hits = {hit.passage_id: hit.score for hit in (*steps[-1].hits, *steps[-1].pruned)}
    assert hits == pytest.approx({index.passages[n].id: s for n, s in wanted.items()})
    mass = spread(upper, seeds)
    ends = {}
    for number, fact in enumerate(facts.facts):
        names = [n for n in fact.names if is_linkable(n) or n == fact.subject]
        worth = sum(mass.get(name, 0) for name in names) / max(1, len(names))
        if worth:
            ends[number] = worth
    place = ranks(ends)
    for offer in listed(steps, "relations").offers:
        graph = next(part.value for part in offer.parts if part.name == "graph")
        assert graph == pytest.approx(1 / (10 + place[int(offer.target[5:])]))


def test_what_the_graph_ranks_is_joined_to_what_gave_most_to_it(workbench):
    steps = walked(workbench, "higra", Q)
    (pooled,) = (step for step in steps if isinstance(step, Pooled))
    joined = {tie.target for tie in pooled.ties}
    by_graph = {
        hit.passage_id for hit in pooled.hits if "graph" in {part.name for part in hit.parts}
    }
    assert joined == by_graph != set()
    stated = {tie.target for tie in pooled.ties if tie.source.startswith("fact:")}
    for tie in pooled.ties:
        if tie.label == "is named in":
            assert tie.target not in stated
            assert (
                tie.source.removeprefix("entity:")
                in workbench.index.passages[workbench.index.number[tie.target]].text.casefold()
            )


def test_unaligned_every_name_is_an_entity_of_its_own(tmp_path):
    """Ladybird is Ada Birch once aligned; her other passages are near only then."""
    documents = (
        Document("ada", "Ada Birch", "Ada Birch, known as Ladybird, is a potter in Selby."),
        Document("bo", "Bo Marsh", "Bo Marsh is a singer. He wrote of Ladybird and Ada Birch."),
    )
    build(tmp_path / "i", corpus(*documents), WordEmbedder(), silent)
    bench = bench_on(tmp_path / "i", WordEmbedder())
    seeds = {
        spec: {
            o.target for o in listed(walked(bench, spec, "Where is Ladybird?"), "entities").taken
        }
        for spec in ("higra", "higra(unaligned=true)")
    }
    assert seeds["higra"] == {"entity:ada birch"}
    assert seeds["higra(unaligned=true)"] == {"entity:ladybird"}
    entities, ontology = bench.get(ENTITIES), bench.get(UNALIGNED)
    assert ontology.things.names == entities.names
    assert ontology_sizes(ontology, entities).links == 0


def test_what_the_question_names_is_a_seed_by_any_of_its_names(tmp_path):
    documents = (
        Document("ada", "Ada Birch", "Ada Birch, known as Ladybird, is a potter in Selby."),
        Document("bo", "Bo Marsh", "Bo Marsh is a singer. He wrote of Ladybird and Ada Birch."),
    )
    build(tmp_path / "i", corpus(*documents), WordEmbedder(), silent)
    steps = walked(bench_on(tmp_path / "i", WordEmbedder()), "higra", "Where is Ladybird?")
    (seed,) = listed(steps, "entities").taken
    assert seed.target == "entity:ada birch"
    assert dict(seed.notes) == {
        "named": "ladybird",
        "also called": "ladybird",
        "is": "potter",
    }


def test_without_a_name_seeds_stand_above_the_widest_gap(workbench):
    assert [gap(np.array(s)) for s in ([0.5], [0.5, 0.4, 0.1], [3, 1, 0.9], [])] == [1, 2, 1, 0]
    entities = listed(walked(workbench, "higra", "who was the brewer?"), "entities")
    assert len(entities.taken) == gap(np.array([offer.score for offer in entities.offers]))


def test_passages_kept_are_of_both_ranks_or_similar(workbench):
    whole = walked(workbench, "higra")[-1].hits
    some = walked(workbench, "higra(linked=1,similar=2)")[-1]
    like = sorted(whole, key=lambda hit: -hit.parts[-1].value)[:2]
    kept = {whole[0].passage_id, *(hit.passage_id for hit in like)}
    assert [hit.passage_id for hit in some.hits] == [h for h in found([_end(whole)]) if h in kept]
    assert {hit.passage_id for hit in (*some.hits, *some.pruned)} == {h.passage_id for h in whole}


def _end(hits):
    return type("End", (), {"hits": hits})()


def test_the_model_picks_the_seeds(workbench):
    def pick(data):
        names = [one["name"] for one in data["entities"]]
        return {"seeds": [names.index("ilo venn") + 1]}

    with saying(workbench, pick) as (bench, server):
        bench.oracle, oracle = None, bench.oracle
        bench.get(ONTOLOGY)
        bench.oracle = oracle
        told = forecast(make("higra", bench.with_leave(None)), Q)
        assert (told.calls, told.likely, server.requests) == (1, 1, [])
        steps = walked(bench, "higra")
    entities = listed(steps, "entities")
    assert [offer.target for offer in entities.taken] == ["entity:ilo venn"]
    assert entities.told.cost.calls == len(server.requests) == 1


@pytest.mark.parametrize("reply", [{"seeds": []}, {"seeds": [99]}, Answer("I cannot.")], ids=str)
def test_no_seed_ranks_by_cosine_and_a_wrong_one_is_replaced(workbench, reply):
    alone = walked(workbench, "higra")
    with saying(workbench, lambda _: reply) as (bench, _):
        steps = walked(bench, "higra")
    if reply == {"seeds": []}:
        assert not any(isinstance(step, Spread) for step in steps)
        assert "No entity is a seed" in steps[-1].told.fallback
    else:
        assert listed(steps, "entities").told.fallback
        assert found(steps) == found(alone)


def test_ranks_in_the_graph_may_have_their_own_constant(workbench):
    question = "Who owns the club that plays at the Lantern Ground?"
    steps = {
        k0: tuple(make(f"higra(k0=10,k0_graph={k0})", workbench).retrieve(question))
        for k0 in (0, 10, 60)
    }
    assert steps[0][-1].hits == steps[10][-1].hits
    graph = [
        {part.name: part.value for hit in steps[k0][-1].hits for part in hit.parts}.get("graph", 0)
        for k0 in (10, 60)
    ]
    assert graph[0] > graph[1] > 0


def test_without_relations_a_reader_gets_passages_only(workbench):
    """The paper's ablation of Table 12: the passages are the same, and nothing is beside them."""
    both, alone = (walked(workbench, name) for name in ("higra", "higra(relations=0)"))
    assert both[-1].findings
    assert alone[-1].findings == ()
    assert (alone[-1].hits, alone[-1].pruned) == (both[-1].hits, both[-1].pruned)
    assert not any(isinstance(step, Offered) and step.of == "relations" for step in alone)


def test_similar_entities_have_the_same_edge_in_the_neighbourhood_and_in_the_spread(tmp_path):
    documents = (
        Document("a", "Honolulu County", "Honolulu County lies on Oahu, beside Waikiki Beach."),
        Document("b", "County Honolulu", "County Honolulu lies on Oahu, as Kailua Town does."),
    )
    build(tmp_path / "i", corpus(*documents), WordEmbedder(), silent)
    bench = bench_on(tmp_path / "i", WordEmbedder())
    steps = walked(bench, "higra", "Where is Honolulu County?")
    ties = [tie for step in steps for tie in getattr(step, "ties", ())]
    of_both = {tie for tie in ties if {tie.source, tie.target} == SAME_PLACE}
    assert [tie.label for tie in of_both] == ["similar"]
