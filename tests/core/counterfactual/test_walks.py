"""Walks that are amended: what each amendment does to the walk over the five passages."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.counterfactual import Judge, Refuse, Seed, Take, outcomes, parse
from core.evaluation.kept import kept_passages
from core.playback import check
from core.retrievers import make
from core.steps import Asked, Offered, Ranked, result
from tests.core.five import QUESTION

WALKS = ["hoprag-similarity(top_k=2)", "hoprag-coverage(top_k=2)"]
NESTED = [
    "rerank(over=hoprag-similarity(top_k=2),depth=2)",
    "ircot(over=hoprag-similarity(top_k=2),thoughts=1)",
]


def steps_of(workbench, spec="hoprag-similarity(top_k=2)", amendments="", **wanted):
    some = parse(amendments) if isinstance(amendments, str) else amendments
    steps = tuple(make(spec, workbench.amended(some), **wanted).retrieve(QUESTION.text))
    check(steps)
    return steps


def timeless(steps):
    """Without seconds, and without what was to be chosen by hand."""
    return [
        replace(
            step,
            told=replace(step.told, cost=replace(step.told.cost, seconds=0)),
            **({"amendments": ()} if isinstance(step, Asked) else {}),
        )
        for step in steps
    ]


def looked(steps):
    return [step for step in steps if isinstance(step, Offered) and not step.entry and step.offers]


def at(steps, vertex):
    return next(s for s in steps if isinstance(s, Offered) and s.at == vertex and not s.entry)


def ties(step):
    return {offer.tie for offer in step.taken}


def other_edges(workbench, step):
    """Edges that leave a vertex and were not taken there."""
    leaving = workbench.index.graph.out_edges(step.at)
    return [edge for edge in leaving if edge.id not in ties(step)]


def forked(workbench, steps):
    """The first vertex with an edge that was refused, and that edge."""
    for step in looked(steps):
        for edge in other_edges(workbench, step):
            return step, edge
    raise AssertionError("no edge is refused")


def visited(steps):
    end = result(steps)
    return {hit.passage_id for hit in (*end.hits, *end.pruned)}


@pytest.mark.parametrize("spec", [*WALKS, *NESTED])
def test_no_amendment_is_the_plain_walk(workbench, spec):
    plain = list(make(spec, workbench).retrieve(QUESTION.text))
    assert timeless(steps_of(workbench, spec)) == timeless(plain)


@pytest.mark.parametrize("spec", [*WALKS, *NESTED])
def test_what_the_walk_does_anyway_changes_nothing(workbench, spec):
    plain = steps_of(workbench, spec)
    anyway = [Take(step.at, tie) for step in looked(plain) for tie in ties(step)]
    anyway += [
        Refuse(s.at, o.tie)
        for s in looked(plain)
        if s.at != "#1"
        for o in s.offers
        if o.tie and not o.taken
    ]
    anyway = [one for one in anyway if one.tie]
    amended = steps_of(workbench, spec, tuple(dict.fromkeys(anyway)))
    assert timeless(amended) == timeless(plain)
    assert all(one.made and not one.changed for one in outcomes(amended))


@pytest.mark.parametrize("spec", [*WALKS, *NESTED])
def test_an_edge_is_taken_and_the_walk_goes_on_from_its_end(workbench, spec):
    plain = steps_of(workbench, spec)
    step, edge = forked(workbench, plain)
    amended = steps_of(workbench, spec, (Take(step.at, edge.id),))
    changed = at(amended, step.at)
    assert ties(changed) == {*ties(step), edge.id}
    assert edge.target in {arrival.id for arrival in changed.arrivals}
    assert changed.told.by_hand == (str(Take(step.at, edge.id)),)
    before = plain.index(step)
    assert timeless(amended[:before]) == timeless(plain[:before])
    assert [one.changed for one in outcomes(amended)] == [True]
    if "n_hop" in spec:
        assert edge.target in visited(amended)


@pytest.mark.parametrize("spec", WALKS)
def test_a_refused_edge_is_not_followed(workbench, spec):
    plain = steps_of(workbench, spec)
    step = next(step for step in looked(plain) if step.taken)
    tie = step.taken[0].tie
    changed = at(steps_of(workbench, spec, (Refuse(step.at, tie),)), step.at)
    assert ties(changed) == ties(step) - {tie}
    assert next(o for o in changed.offers if o.tie == tie).notes[0] == ("by hand:", "refused")


@pytest.mark.parametrize("spec", WALKS)
def test_a_judgement_is_the_whole_choice(workbench, spec):
    plain = steps_of(workbench, spec)
    step, edge = forked(workbench, plain)
    one = at(steps_of(workbench, spec, (Judge(step.at, edge.id),)), step.at)
    none = at(steps_of(workbench, spec, (Judge(step.at, None),)), step.at)
    assert (ties(one), ties(none)) == ({edge.id}, set())
    assert one.told.reason == "The choice is made by hand."


@pytest.mark.parametrize("spec", WALKS)
def test_the_walk_starts_where_it_is_told_to(workbench, spec):
    plain = steps_of(workbench, spec)
    start = [arrival.id for arrival in plain[1].arrivals]
    new = next(p.id for p in workbench.index.passages if p.id not in start)
    amended = steps_of(workbench, spec, (Seed(new, True), Seed(start[0], False)))
    assert [arrival.id for arrival in amended[1].arrivals] == [*start[1:], new]
    assert len(amended[1].told.by_hand) == 2
    assert amended[1].considered == plain[1].considered


def test_a_walk_without_a_start_finds_nothing(workbench):
    start = [arrival.id for arrival in steps_of(workbench)[1].arrivals]
    amended = steps_of(workbench, amendments=tuple(Seed(one, False) for one in start))
    assert result(amended).hits == ()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("take(e@nowhere)", "never examines the edges of 'nowhere'"),
        ("judge(@nowhere)", "never examines the edges of 'nowhere'"),
        ("start(nowhere)", "no passage 'nowhere'"),
        ("take(none@{at})", "The edge cannot be followed from '{at}'"),
        ("judge(none@{at})", "The edge cannot be followed from '{at}'"),
        ("refuse(none@{at})", "The edge is not a candidate at '{at}'"),
    ],
)
def test_what_cannot_be_is_said(workbench, text, why):
    plain = steps_of(workbench)
    name = looked(plain)[0].at
    amended = steps_of(workbench, amendments=text.format(at=name))
    assert timeless(amended) == timeless(plain)
    (one,) = outcomes(amended)
    assert not one.made
    assert why.format(at=name) in one.why


def test_a_retriever_that_does_not_walk_says_so(workbench):
    steps = steps_of(workbench, "bm25", "start(town),take(e@town)")
    assert [one.made for one in outcomes(steps)] == [False, False]
    assert isinstance(steps[-1], Ranked)


def test_only_who_walks_backwards_takes_an_edge_from_its_end(workbench):
    graph = workbench.index.graph
    edges = [edge for passage in workbench.index.passages for edge in graph.out_edges(passage.id)]
    pairs = {(edge.source, edge.target) for edge in edges}
    edge = next(edge for edge in edges if (edge.target, edge.source) not in pairs)
    some = (Take(edge.target, edge.id), Seed(edge.target, True))
    along, both = (outcomes(steps_of(workbench, spec, some))[0] for spec in WALKS)
    assert (along.made, both.made) == (False, True)


def test_what_is_amended_is_not_taken_for_what_the_retriever_keeps(workbench):
    assert kept_passages(steps_of(workbench)) is not None
    assert kept_passages(steps_of(workbench, amendments="start(town)")) is None


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), spec=st.sampled_from(WALKS))
def test_any_amendments_keep_the_contract(workbench, data, spec):
    edges = [e for p in workbench.index.passages for e in workbench.index.graph.out_edges(p.id)]
    names = [passage.id for passage in workbench.index.passages]
    vertex, edge = st.sampled_from(names), st.sampled_from([e.id for e in edges])
    one = st.one_of(
        st.builds(Take, vertex, edge),
        st.builds(Judge, vertex, st.none() | edge),
        st.builds(Seed, vertex, st.booleans()),
    )
    some = tuple(data.draw(st.lists(one, max_size=5, unique_by=lambda a: (a.at, type(a)))))
    steps = steps_of(workbench, spec, some)
    told = outcomes(steps)
    assert [each.amendment for each in told] == list(some)
    for each in told:
        if each.made and isinstance(each.amendment, Take):
            assert each.amendment.tie in ties(at(steps, each.amendment.at))
        assert bool(each.why) != each.changed
