"""Random walks that keep the contract, on random small graphs, and the traces around them."""

from hypothesis import strategies as st

from core.ranking import prune, rank
from core.steps import (
    ROOT,
    Arrival,
    Asked,
    Began,
    Exchange,
    Offer,
    Offered,
    Ranked,
    Step,
    Told,
)
from core.traces import Trace
from core.types import Edge, Part, Passage

TEXT = st.text(max_size=12)
SHARE = st.floats(min_value=-1, max_value=1)
EXCHANGE = st.builds(
    Exchange,
    TEXT,
    TEXT,
    TEXT,
    replies=st.lists(TEXT, max_size=2).map(tuple),
    tokens_in=st.integers(0, 9),
    cached=st.booleans(),
    trouble=TEXT,
)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[str], dict[str, Edge]]:
    """Two to seven vertices and up to a dozen edges between different ones."""
    vertices = [f"v{number}" for number in range(draw(st.integers(2, 7)))]
    ends = st.tuples(st.sampled_from(vertices), st.sampled_from(vertices))
    pairs = draw(st.lists(ends.filter(lambda pair: pair[0] != pair[1]), unique=True, max_size=12))
    edges = {
        f"{source}>{target}": Edge(
            f"{source}>{target}",
            source,
            target,
            "o",
            "i",
            draw(TEXT),
            tuple(draw(st.lists(TEXT, max_size=2))),
            0.5,
            draw(SHARE),
            draw(SHARE),
        )
        for source, target in pairs
    }
    return vertices, edges


@st.composite
def walks(draw: st.DrawFn) -> tuple[tuple[Step, ...], list[str], dict[str, Edge]]:
    """A walk written as Algorithm 1 reads, with any choice at any vertex."""
    vertices, edges = draw(graphs())
    top_k, weight = draw(st.integers(1, 5)), draw(st.sampled_from([0.0, 0.5, 1.0]))
    seeds = draw(st.lists(st.sampled_from(vertices), unique=True, max_size=3))
    parts: dict[str, tuple[Part, ...]] = {}
    counter: dict[str, int] = {}

    def visit(vertex: str, tie: str = "") -> Arrival:
        parts[vertex] = (Part("keywords", draw(SHARE)), Part("dense", draw(SHARE)))
        counter[vertex] = counter.get(vertex, 0) + 1
        return Arrival(vertex, parts[vertex], tie)

    settings = {"n_hop": 3, "entry": draw(TEXT), "bonus": draw(SHARE), "both": draw(st.booleans())}
    terms = (draw(TEXT),)
    steps: list[Step] = [Asked("any", draw(TEXT), top_k, terms, settings, weight_of_visits=weight)]
    found = tuple(Offer(seed, draw(SHARE), taken=True) for seed in seeds)
    steps.append(Offered(ROOT, "passages", found, tuple(visit(seed) for seed in seeds), entry=True))
    queue = list(seeds)
    for hop in range(1, draw(st.integers(0, 3)) + 1):
        if not queue:
            break
        steps.append(Began("hop", hop, tuple(queue)))
        coming: list[str] = []
        for vertex in queue:
            offers = tuple(
                Offer(
                    end,
                    draw(SHARE),
                    taken=draw(st.booleans()),
                    tie=edge.id,
                    label=edge.question,
                    backwards=backwards,
                )
                for edge in edges.values()
                for start, end, backwards in (
                    (edge.source, edge.target, False),
                    (edge.target, edge.source, True),
                )
                if start == vertex
            )
            taken = [offer for offer in offers if offer.taken]
            coming += dict.fromkeys(o.target for o in taken if o.target not in counter)
            arrivals = tuple(visit(offer.target, offer.tie) for offer in taken)
            told = Told(reason=draw(TEXT), verdict="x", exchange=draw(st.none() | EXCHANGE))
            steps.append(Offered(vertex, "edges", offers, arrivals, told=told))
        queue = coming
    steps.append(Ranked(*prune(rank(parts, counter, weight), top_k)))
    return tuple(steps), vertices, edges


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    """A trace of a random walk, with any text in titles, texts and questions."""
    steps, vertices, edges = draw(walks())
    passages = {name: Passage(name, "d", 0, draw(TEXT), draw(TEXT)) for name in vertices}
    gold = tuple(draw(st.lists(TEXT, max_size=2)))
    created = draw(st.datetimes()).isoformat()
    return Trace(draw(TEXT), "any", "five", "g", steps, passages, edges, gold, created)
