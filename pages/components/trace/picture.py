"""A trace as the graph draws it: places for the whole retrieval, looks for one step."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from core.drawing.layout import Band, Place, bands, field, layered
from core.playback import DrawnLine, Frame, columns, drawn_lines
from core.playback.layers import is_field, questions_drawn, reached_at, things
from core.playback.rounds import Round
from core.steps import ROOT, Began, Kind, Offered, Spread, Step, Thing
from core.traces import Trace
from core.types import Passage
from pages.components.graph.graph_view import Arrow, EdgeRole, Legend, Node, NodeRole, Paint
from pages.components.shell.words import cropped
from pages.components.trace.legend import legend_for

CAP = 150
"""Nodes drawn at most: gold and all that were reached, then those on offer in order of time."""
REFUSED = 2
"""Nodes drawn of those that were refused at one place, the best; the others are in the list."""
SNIPPET = 240
"""Characters of a text in the tooltip."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A trace and its drawing. `left_out` counts nodes that are not drawn.

    `lines` are drawn, `things` and `questions` name what is no passage, `top_mass` is the largest
    share that any node ever holds of what is spread.
    """

    trace: Trace
    nodes: tuple[Node, ...]
    arrows: tuple[Arrow, ...]
    bands: tuple[Band, ...]
    legend: Legend
    lines: Mapping[str, DrawnLine]
    things: Mapping[str, Thing]
    questions: Mapping[str, str]
    top_mass: float
    left_out: int

    def passage(self, passage_id: str) -> Passage:
        return self.trace.passages[passage_id]

    def title(self, node: str) -> str:
        """A passage's title, or its id where it has none; the text of anything else."""
        if passage := self.trace.passages.get(node):
            return passage.title or passage.id
        if thing := self.things.get(node):
            return thing.label
        return self.trace.query if node == ROOT else self.questions.get(node, node)


def make_picture(trace: Trace, gold: AbstractSet[str], *, everything: bool) -> Picture:
    """Give each node and line of `trace` its place.

    Drawn are the nodes that were reached, those in `gold`, and the best that were refused at each
    place; with `everything` all that was ever on offer, up to `CAP`. What spreads over lines is
    laid out by them, anything else in columns.
    """
    found = columns(trace.steps)
    shown = _shown(trace, found.of, gold, everything)
    column_of = {name: column for name, column in found.of.items() if name in shown}
    drawn = [
        line
        for line in drawn_lines(trace.steps)
        if {line.source, line.target} <= column_of.keys() and line.source != line.target
    ]
    if is_field(trace.steps):
        places = _field(trace, list(column_of), drawn)
        headings: tuple[Band, ...] = ()
    else:
        ways = [_direction(line) for line in sorted(drawn, key=_followed_first)]
        places = layered(column_of, ways)
        headings = bands(column_of, places, found.headings)
    spread = (step.hits[0].score for step in trace.steps if isinstance(step, Spread) and step.hits)
    names = _Names(things(trace.steps), questions_drawn(trace.steps))
    kinds = [names.kind(name) for name in column_of]
    return Picture(
        trace=trace,
        nodes=tuple(_node(trace, names, name, places[name]) for name in column_of),
        arrows=tuple(_arrow(line, trace) for line in drawn),
        bands=headings,
        legend=legend_for(trace.steps, drawn, kinds, gold & column_of.keys()),
        lines={line.id: line for line in drawn},
        things=names.things,
        questions=names.questions,
        top_mass=max(spread, default=0.0),
        left_out=len(found.of) - len(column_of),
    )


@dataclass(frozen=True, slots=True)
class _Names:
    things: Mapping[str, Thing]
    questions: Mapping[str, str]

    def kind(self, node: str) -> Kind:
        if thing := self.things.get(node):
            return thing.kind
        return "query" if node in self.questions else "passage"


def _shown(
    trace: Trace, column: Mapping[str, int], gold: AbstractSet[str], everything: bool
) -> set[str]:
    """The nodes to draw. What is only in the result, as a one-shot method has it, is too."""
    lists = [step for step in trace.steps if isinstance(step, Offered) and not step.entry]
    offered = {offer.target for step in lists for offer in step.offers}
    taken = {offer.target for step in lists for offer in step.taken}
    reached = {*reached_at(trace.steps), *taken}
    always = (reached | (set(column) - offered) | gold) & column.keys()
    if is_field(trace.steps):  # what is in the result alone is joined to nothing there
        always &= _spoken_of(trace.steps) | gold
    if everything:
        wanted = [name for name in column if name not in always]
    else:
        wanted = [
            name
            for step in lists
            for name in [offer.target for offer in step.offers if not offer.taken][:REFUSED]
            if name not in always
        ]
    first = [name for name in column if name in always][:CAP]
    return {*first, *list(dict.fromkeys(wanted))[: max(0, CAP - len(first))]} | (gold & set(column))


def _spoken_of(steps: Sequence[Step]) -> set[str]:
    """Every node of a list or an iteration, and what is no passage."""
    lists = (step.offers for step in steps if isinstance(step, Offered))
    spreads = (step.hits for step in steps if isinstance(step, Spread))
    found = {offer.target for offers in lists for offer in offers} | set(things(steps))
    return found | {hit.passage_id for hits in spreads for hit in hits}


def _field(trace: Trace, nodes: list[str], lines: list[DrawnLine]) -> dict[str, Place]:
    """Places by the lines between nodes, what holds most in the middle."""
    last = [step for step in trace.steps if isinstance(step, Spread)][-1]
    held = [hit.passage_id for hit in last.hits if hit.passage_id in set(nodes)]
    middle = (held or nodes)[0]
    return field(middle, nodes, [(line.source, line.target) for line in lines])


def paint(picture: Picture, now: Frame, gold: AbstractSet[str], whole: Round | None) -> Paint:
    """How step `now` looks; with `whole` all that its round did counts as done now."""
    nodes: dict[str, NodeRole] = dict.fromkeys(now.questions, "visited")
    for name, role in now.roles.items():
        nodes[name] = "refused" if role == "offered" else role
    looks = isinstance(now.step, Began) or (isinstance(now.step, Offered) and not now.step.entry)
    nodes |= {name: "queued" for name in now.queue if looks and nodes.get(name) == "visited"}
    if now.ended and now.depth == 1:
        kept = {hit.passage_id for hit in now.hits}
        nodes |= dict.fromkeys(gold - kept, "lost")
    if whole and now.current:
        # A round looks at many places; none of them is the one of now.
        nodes[now.current] = "seed" if now.current in now.entries else "visited"
    drawn = {node.id for node in picture.nodes}
    return Paint(
        nodes={name: role for name, role in nodes.items() if name in drawn},
        edges={
            name: role
            for name, role in _edges(picture, now, whole).items()
            if name in picture.lines
        },
        counts={name: count for name, count in now.counter.items() if count > 1},
        gold=gold & drawn,
        edge="unoffered",
        sizes=_sizes(picture, now),
    )


def _sizes(picture: Picture, now: Frame) -> dict[str, float]:
    """What holds the most of what is spread is twice as large as what holds none."""
    if not picture.top_mass:
        return {}
    return {
        name: 0.8 + 1.2 * (max(0.0, hit.score) / picture.top_mass) ** 0.5
        for name, hit in now.mass.items()
    }


def _edges(picture: Picture, now: Frame, whole: Round | None) -> dict[str, EdgeRole]:
    """Weakest role first, so that a stronger one overwrites it."""
    edges: dict[str, EdgeRole] = dict.fromkeys(now.ties, "plain")
    edges |= dict.fromkeys(now.refused, "refused")
    edges |= dict.fromkeys(now.walked, "walked")
    for line in picture.lines.values():
        if not line.of_graph and line.taken and line.taken <= now.t:
            edges[line.id] = "chosen" if line.taken == now.t else "walked"
    if isinstance(now.step, Offered) and not now.step.entry:
        if not whole:
            edges |= {offer.tie: "offered" for offer in now.offers}
        edges |= {offer.tie: "chosen" for offer in now.step.taken}
    if whole:
        edges |= {offer.tie: "chosen" for _, offer in whole.followed}
    return edges


def _followed_first(line: DrawnLine) -> tuple[bool, int]:
    return line.taken is None, line.taken or line.offered


def _direction(line: DrawnLine) -> tuple[str, str]:
    """From where it was looked at to where following it leads."""
    return (line.target, line.source) if line.backwards else (line.source, line.target)


def _node(trace: Trace, names: _Names, name: str, place: Place) -> Node:
    if passage := trace.passages.get(name):
        label, detail = passage.title or passage.id, passage.text
    elif thing := names.things.get(name):
        label, detail = thing.label, thing.detail
    else:
        label, detail = names.questions.get(name, name), ""
    return Node(name, label, *place, detail=cropped(detail, SNIPPET), kind=names.kind(name))


def _arrow(line: DrawnLine, trace: Trace) -> Arrow:
    edge = trace.edges.get(line.id)
    detail = ""
    if edge:
        detail = (
            f"SIM {edge.similarity:.3f} · Jaccard {edge.jaccard:.3f} · cosine {edge.cosine:.3f}"
        )
    directed = line.of_graph or line.taken is not None
    return Arrow(line.id, line.source, line.target, line.label, detail, directed)
