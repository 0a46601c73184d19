"""What is selected in a trace: a passage or an edge, and why it is where it is."""

from html import escape

import streamlit as st

from core.playback import Frame
from core.playback.reasons import Occasion, occasions
from core.steps import Offer
from core.store.index import Index
from core.types import Edge, PseudoQuery
from pages.components.graph.graph_view import Selection
from pages.components.passages.gold import GoldMarks
from pages.components.passages.passage import show_passage
from pages.components.trace.exchange import judged_at, show_exchange
from pages.components.trace.picture import Picture
from pages.components.trace.rows import chosen_for, parts_text, pick_line

ROLES = {
    "current": "looked at in this step",
    "retrieved": "retrieved",
    "pruned": "visited, then pruned",
    "seed": "a seed",
    "visited": "visited",
    "offered": "on offer, never taken",
}


def show_details(
    stage: Picture, now: Frame, picked: Selection | None, marks: GoldMarks, index: Index | None
) -> None:
    """The passage or edge that is selected, as things stand in step `now`; what a model said."""
    if picked and picked.kind == "node" and picked.id in stage.trace.passages:
        _passage(stage, now, picked.id, marks)
    elif picked and picked.kind == "edge" and picked.id in stage.trace.edges:
        _edge(stage, now, stage.trace.edges[picked.id], index)
    else:
        st.html("<p class='tr-none'>Click a passage or an edge, in the graph or in a panel.</p>")
    if judged := judged_at(stage, now, picked):
        show_exchange(judged, stage.title(judged.vertex))


def _passage(stage: Picture, now: Frame, passage_id: str, marks: GoldMarks) -> None:
    show_passage(stage, passage_id, key="trace_details", marks=marks, height=170)
    role = now.roles.get(passage_id)
    facts = [ROLES[role] if role else "not seen yet"]
    row = next((r for r in now.helpfulness if r.hit.passage_id == passage_id), None)
    if row:
        facts.append(f"rank {row.rank} of {len(now.helpfulness)}")
        facts.append(f"score {row.hit.score:.3f} = {parts_text(row.hit.parts)}")
    if count := now.counter.get(passage_id):
        facts.append(f"{count} visit{'s' * (count > 1)}")
    _facts("Now", " · ".join(facts))
    met = occasions(stage.trace.steps, now.t, passage_id=passage_id)
    lines = [_occasion(stage, one) for one in met]
    _list("Why it is here", lines or ["<p>No edge to it has been on offer so far.</p>"])


def _occasion(stage: Picture, one: Occasion) -> str:
    offer = one.offer
    taken = "✓" if one.chosen else "✗"
    where = f"hop {one.hop}, at {stage.title(one.vertex)}" if one.vertex else "as a seed"
    text = (
        f"<b>{taken}</b> {escape(where)}: place {one.place} of {one.of}, "
        f"score {offer.score:.3f} ({escape(parts_text(offer.parts))}){_words(offer)}"
        f"{f'<br><q dir=auto>{escape(offer.question)}</q>' if offer.question else ''}"
    )
    return pick_line(offer.edge_id, text) if offer.edge_id else f"<p>{text}</p>"


def _words(offer: Offer) -> str:
    """For which words of the question an edge was on offer, to be put behind its score."""
    said = "; ".join(f"{what} {words}" for what, words in chosen_for(offer))
    return f"; {escape(said)}" if said else ""


def _edge(stage: Picture, now: Frame, edge: Edge, index: Index | None) -> None:
    ends = f"{stage.title(edge.source)} → {stage.title(edge.target)}"
    st.html(f"<article class='hop-passage'><h3 dir='auto'>{escape(ends)}</h3></article>")
    _facts(
        "Similarity of its two questions",
        f"SIM {edge.similarity:.3f} = (Jaccard {edge.jaccard:.3f} + cosine {edge.cosine:.3f}) / 2",
    )
    out, into = _questions(edge, index)
    _question(f"Asked by {stage.title(edge.source)} (out-coming)", out)
    _question(f"Answered by {stage.title(edge.target)} (in-coming)", into, edge.question)
    if edge.keywords:
        _facts("Keywords of both", ", ".join(edge.keywords))
    met = occasions(stage.trace.steps, now.t, edge_id=edge.id)
    lines = [
        f"<p><b>{'✓ taken' if one.chosen else '✗ refused'}</b> in hop {one.hop}"
        f"{f' at {escape(stage.title(one.vertex))}' if one.vertex else ' as a seed'}"
        f"{', backwards' if one.offer.backwards else ''}: place {one.place} of {one.of}, score "
        f"{one.offer.score:.3f} = {escape(parts_text(one.offer.parts))}{_words(one.offer)}</p>"
        for one in met
    ]
    _list("In this trace, so far", lines or ["<p>It has not been on offer.</p>"])


def _questions(edge: Edge, index: Index | None) -> tuple[PseudoQuery | None, PseudoQuery | None]:
    # A trace from a file may name edges, and say things of them, that the index does not know.
    if index is None or edge.id not in index.edge_number or index.edge(edge.id) != edge:
        return None, None
    return index.pseudo_query(edge.out_query_id), index.pseudo_query(edge.in_query_id)


def _question(title: str, query: PseudoQuery | None, text: str = "") -> None:
    if query:
        evidence = f"<br><span class='tr-small'>from: {escape(query.evidence)}</span>"
        _list(title, [f"<p dir='auto'><q>{escape(query.text)}</q>{evidence}</p>"])
    elif text:
        _list(title, [f"<p dir='auto'><q>{escape(text)}</q></p>"])
    else:
        _list(title, ["<p>Its text is in the index of this trace, which is not open.</p>"])


def _facts(title: str, text: str) -> None:
    _list(title, [f"<p>{escape(text)}</p>"])


def _list(title: str, lines: list[str]) -> None:
    st.html(f"<div class='tr-facts'><h4>{escape(title)}</h4>{''.join(lines)}</div>")
