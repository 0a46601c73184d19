"""A trace as a walkthrough."""

from collections.abc import Collection, Mapping, Sequence

from core.colours import tint
from core.funnel.lists import Lists
from core.lost_gold.gold_distance import IndexView
from core.marks import Gold
from core.playback.decided import unjudged
from core.steps import ROOT, Offered, Said, Step
from core.trace_analysis.cost_summary import footer
from core.trace_analysis.node_columns import make_plot
from core.trace_analysis.trace_frames import Played, play, way_of
from core.traces import Trace
from core.walkthroughs.audience_stops import AudienceStops
from core.walkthroughs.candidates import Candidates, shown_offers
from core.walkthroughs.cards import Cards, cards_of, glossary, legend
from core.walkthroughs.chain import Chain
from core.walkthroughs.contract import (
    NodeData,
    StatementData,
    StopData,
    WalkthroughData,
)
from core.walkthroughs.edges import Edges
from core.walkthroughs.exchanges import exchanges
from core.walkthroughs.folded_stops import Folds
from core.walkthroughs.gold import NOUNS, GoldTexts, level, pieces
from core.walkthroughs.headlines import Headlines, speaker
from core.walkthroughs.nodes import Nodes, origins
from core.walkthroughs.query_words import QueryWords
from core.walkthroughs.score import scores_of
from core.walkthroughs.stops import Stops

EXCHANGES = 300_000
"""Characters of all that a model was asked and replied; the longest texts are shortened."""


def make_walkthrough(
    trace: Trace,
    gold: Gold | None = None,
    index: IndexView | None = None,
    lists: Lists | None = None,
) -> WalkthroughData:
    """Return the walkthrough of a trace.

    Parameters
    ----------
    gold : what is gold now; that of the trace if left out.
    index : the one that the trace was made from, if it is open: it has the pseudo-queries of edges,
        and gold that no step named.
    lists : the whole rankings of the retriever, if it can be asked.
    """
    gold = trace.kept_gold if gold is None else gold
    trace, gold = trace.measured(gold)
    played = play(trace, gold.authors(trace.ranking), index, lists)
    return walkthrough_of(played, gold, index)


def walkthrough_of(played: Played, gold: Gold, index: IndexView | None = None) -> WalkthroughData:
    """Return the walkthrough of a trace that was played with `gold`."""
    trace, spec, steps = played.trace, played.spec, played.trace.steps
    plot = make_plot(trace, played.last, played.missed, played.called)
    words = QueryWords(trace.query)
    query = index.question(trace.query) if index else None
    answers = query.answers if query else ()
    reached = origins(steps, plot.cast.lines, plot.cast.questions)
    nodes = Nodes(plot, words, gold, reached, answers)
    places = {number: at for at, number in enumerate(sorted({*plot.columns.of.values()}))}
    column = {node: places[number] for node, number in plot.columns.of.items()}
    gold_pieces = pieces(played, gold, index, nodes)
    scores = scores_of(spec, steps)
    holding = frozenset(nodes.gold_numbers)
    edges = Edges(nodes, _edges_shown(played, holding), index)
    cards = Cards(
        nodes, {node for piece in gold_pieces if not piece.retrieved for node in piece.nodes}
    )
    said = exchanges(steps, plot.cast, played.names, EXCHANGES)
    asked: dict[int, list[int]] = {}
    for number, one in enumerate(said):
        asked.setdefault(one["t"], []).append(number)
    positions: dict[str, list[str]] = {}
    for piece in gold_pieces:
        for node in piece.nodes:
            positions.setdefault(node, []).append(piece.position.partition(" (")[0])
    stops = Stops(
        played,
        nodes,
        edges,
        cards,
        Candidates(cards, edges, scores, holding),
        scores,
        Headlines(nodes, positions, level(gold, nodes)),
        gold_pieces,
        NOUNS[level(gold, nodes)],
        asked,
        column,
    )
    every = [stops.stop(t) for t in stops.every()]
    result = {hit.passage_id: rank for rank, hit in enumerate(played.last.hits, start=1)}
    at = {stop["t"]: number for number, stop in enumerate(every)}
    arc = AudienceStops(steps, played.at, [*at], holding, result, played.falls)
    folds = Folds(stops, every)
    told, audience = list(every), list[int]()
    for group in arc.groups():
        shown = [t for t in group if not arc.is_double(t)]
        if len(group) == 1:
            audience.append(at[group[0]])
        elif len(shown) == 1:
            audience.append(len(told))
            told.append(folds.one([at[t] for t in group], at[shown[0]]))
        else:
            audience.append(len(told))
            told.append(folds.fold([at[t] for t in group]))
    texts = GoldTexts(nodes, gold)
    chain = Chain(stops, gold_pieces, texts, answers)
    told.append(chain.stop(every[-1]))
    last = len(told) - 1
    numbers = _used(told, edges)
    made = scores.data()
    return WalkthroughData(
        query=trace.query,
        query_words=words.pieces,
        retriever=trace.retriever,
        title=played.title,
        badge=spec.card.badge if spec else "",
        tint=tint(spec.key, spec.card.family) if spec else "",
        summary=spec.card.summary if spec else "",
        footer=footer(trace, played.title, spec, gold.authors(trace.ranking), index),
        score=made,
        has_queue=any(isinstance(step, Offered) and step.arrivals for step in steps),
        columns=[plot.columns.headings[number] for number in places],
        nodes=_nodes(nodes, told, stops, column),
        edges={name: edges.data(name) for name in numbers},
        stops=told,
        every=[*range(len(every)), last],
        audience=[*audience, last],
        rankings=[*stops.rankings],
        queues=[*stops.queues],
        states=[*stops.states],
        gold=[texts.data(piece) for piece in gold_pieces],
        exchanges=said,
        statements=_statements(steps),
        judged=_judged(played),
        legend=legend(
            stops.states,
            made,
            gold=bool(gold_pieces),
            visits=any(now.counter for now in played.at),
            unjudged=bool(unjudged(steps)),
        ),
        glossary=glossary(),
    )


def with_fix(walkthrough: WalkthroughData, fix: str) -> WalkthroughData:
    """Return a walkthrough whose last stop also has the sentences of `fix`."""
    if not fix:
        return walkthrough
    *stops, last = walkthrough["stops"]
    notes = [*last["notes"], fix]
    return {**walkthrough, "stops": [*stops, {**last, "notes": notes}]}


def _edges_shown(played: Played, gold: Collection[str]) -> tuple[str, ...]:
    """Return the edges that some stop shows: those followed, candidates, and those to lost gold."""
    steps = played.trace.steps
    looked = [step for step in steps if isinstance(step, Offered)]
    shown = (offer.tie for step in looked for offer in shown_offers(step, gold) if offer.tie)
    to_gold = (one.tie for step in looked for one in step.offers if one.tie and one.target in gold)
    names = (*played.last.walked, *shown, *to_gold, *played.missed.edges)
    return tuple(dict.fromkeys(names))


def _used(stops: Sequence[StopData], edges: Edges) -> list[str]:
    """Return the edges that stops refer to, and those that the overview draws."""
    shown = (one["edge"] for stop in stops for one in stop["candidates"])
    arrived = (stop["arrived_by"] for stop in stops)
    chained = (link["edge"] for stop in stops if stop["chain"] for link in stop["chain"]["links"])
    return edges.known(dict.fromkeys((*edges.wanted, *shown, *arrived, *chained)))


def _nodes(
    nodes: Nodes, told: Sequence[StopData], stops: Stops, column: Mapping[str, int]
) -> dict[str, NodeData]:
    """Return every node that is shown; those that are only listed with one sentence each."""
    cards = dict.fromkeys(card["node"] for stop in told for card in cards_of(stop))
    gold = [node for node in nodes.gold_numbers if nodes.is_passage(node)]
    kept = [hit.passage_id for hit in stops.played.last.hits]
    whole = {*cards, *gold, *kept}
    listed = [row["node"] for ranking in stops.rankings for row in ranking["rows"]]
    waiting = [node for one in stops.queues for node in (*one["nodes"], *one["left"])]
    drawn = [node for states in stops.states for node in states["nodes"]]
    ends = [end for name in stops.edges.wanted for end in stops.edges.ends(name)]
    every = dict.fromkeys((ROOT, *cards, *gold, *listed, *waiting, *drawn, *ends))
    return {node: nodes.data(node, column.get(node, -1), whole=node in whole) for node in every}


def _statements(steps: Sequence[Step]) -> list[StatementData]:
    """Return the texts that a model or a rule wrote, with the number of their step, from 1."""
    return [
        StatementData(t=t, speaker=speaker(step), text=step.text, ends=step.ends)
        for t, step in enumerate(steps, start=1)
        if isinstance(step, Said)
    ]


def _judged(played: Played) -> list[str]:
    """Return the nodes whose candidates can be chosen otherwise, of a walk over the hop graph."""
    spec, steps = played.spec, played.trace.steps
    looked = [step for step in steps if isinstance(step, Offered)]
    if not spec or not way_of(spec) or not any(step.entry for step in looked):
        return []
    passages = played.trace.passages
    judged = (step.at for step in looked if not step.entry and step.at in passages)
    return list(dict.fromkeys(judged))
