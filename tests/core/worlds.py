"""A five-passage world and one walk through it, made by hand.

    club --owned--> owner --born--> town
    club --plays--> stadium --lies--> town
    owner --married--> singer

The walk starts at `club`. Round 1 takes `club`: its edge to `owner` is followed, the one to
`stadium` refused. Round 2 takes `owner`: both its edges are followed. Round 3 takes `town`, which
has no edge, and `singer`, whose edge leads backwards to `owner`, seen before.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace

from core.ranking import prune, rank
from core.steps import ROOT, Arrival, Asked, Began, Offer, Offered, Ranked, Step, Told
from core.types import Edge, Part, Passage

TITLES = {
    "club": "Harbour Rovers",
    "owner": "Mara Quist",
    "singer": "Ilo Venn",
    "stadium": "Lantern Ground",
    "town": "Port Selby",
}
PASSAGES = {key: Passage(key, key, 0, title, f"{title}.") for key, title in TITLES.items()}
QUERY = "In which town was the owner of Harbour Rovers born?"


def _edge(name: str, source: str, target: str, question: str) -> Edge:
    return Edge(name, source, target, f"{name}+", f"{name}-", question, ("x",), 0.25, 0.75, 0.5)


EDGES = {
    edge.id: edge
    for edge in (
        _edge("owned", "club", "owner", "Who owns the club?"),
        _edge("plays", "club", "stadium", "Where does the club play?"),
        _edge("born", "owner", "town", "Where was she born?"),
        _edge("married", "owner", "singer", "Whom did she marry?"),
        _edge("lies", "stadium", "town", "Where does the stadium lie?"),
    )
}
PARTS = {
    "club": (Part("keywords", 0.5 / 4), Part("dense", 0.6 / 4)),
    "owner": (Part("keywords", 0.2 / 4), Part("dense", 0.4 / 4)),
    "town": (Part("keywords", 0.1 / 4), Part("dense", 0.3 / 4)),
    "singer": (Part("keywords", 0.0), Part("dense", 0.1 / 4)),
}


def offer(edge_id: str, score: float, *, taken: bool = False, backwards: bool = False) -> Offer:
    edge = EDGES[edge_id]
    target = edge.source if backwards else edge.target
    parts = (Part("dense", score),)
    return Offer(target, score, parts, taken, tie=edge_id, label=edge.question, backwards=backwards)


def arrival(passage_id: str, edge_id: str = "") -> Arrival:
    return Arrival(passage_id, PARTS[passage_id], edge_id)


def seeds(*passage_ids: str) -> Offered:
    """The passages with which a walk starts, of the five there are."""
    found = tuple(
        Offer(name, sum(p.value for p in PARTS[name]), PARTS[name], taken=True)
        for name in passage_ids
    )
    arrivals = tuple(arrival(name) for name in passage_ids)
    why = Told(reason="The walk starts at the passages most similar to the question.")
    return Offered(ROOT, "passages", found, arrivals, considered=5, entry=True, told=why)


def judged(at: str, *offers: Offer, reason: str = "") -> Offered:
    """The edges of a passage, with a visit to the end of each that is taken."""
    arrivals = tuple(arrival(one.target, one.tie) for one in offers if one.taken)
    return Offered(at, "edges", offers, arrivals, told=Told(reason=reason))


COUNTS = {"club": 1, "owner": 2, "town": 1, "singer": 1}
HITS, PRUNED = prune(rank(PARTS, COUNTS, 1 / 2), 3)

WALK: tuple[Step, ...] = (
    Asked("hoprag-similarity", QUERY, 3, ("harbour rovers",), {"n_hop": 3}, weight_of_visits=1 / 2),
    seeds("club"),
    Began("hop", 1, ("club",)),
    judged("club", offer("owned", 0.8, taken=True), offer("plays", 0.3), reason="the most similar"),
    Began("hop", 2, ("owner",)),
    judged(
        "owner",
        offer("born", 0.7, taken=True),
        offer("married", 0.2, taken=True),
        reason="both are similar",
    ),
    Began("hop", 3, ("town", "singer")),
    judged("town", reason="It has no edge."),
    judged("singer", offer("married", 0.1, taken=True, backwards=True), reason="the only one"),
    Ranked(HITS, PRUNED, "memory"),
)

ONE_SHOT: tuple[Step, ...] = (
    Asked("bm25", QUERY, 2),
    Ranked((*rank({"club": PARTS["club"], "town": PARTS["town"]}, {"club": 1, "town": 1}, 0),)),
)


@dataclass(frozen=True)
class ScriptedRetriever:
    """Yields the steps it was given, whatever is asked."""

    steps: tuple[Step, ...] = WALK
    card: SimpleNamespace = field(default_factory=lambda: SimpleNamespace(key="hoprag-similarity"))

    def retrieve(self, query: str) -> Iterator[Step]:
        yield from self.steps


@dataclass(frozen=True)
class WorldIndex:
    """The five passages behind the reading side of an index."""

    name: str = "five"
    meta: SimpleNamespace = field(default_factory=lambda: SimpleNamespace(graph_version="g1"))

    def passage(self, passage_id: str) -> Passage:
        return PASSAGES[passage_id]

    @property
    def graph(self) -> "WorldIndex":
        return self

    def edges_of(self, edge_ids: Iterable[str]) -> list[Edge]:
        return [EDGES[name] for name in edge_ids]
