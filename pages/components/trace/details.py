"""What is selected in a trace: a passage or an edge, and why it is where it is."""

from html import escape

import streamlit as st

from core.playback import Frame
from core.playback.reasons import Occasion, occasions
from core.steps import Thing, Tie
from core.store.index import Index
from core.types import Edge, PseudoQuery
from pages.components.graph.graph_view import Selection
from pages.components.passages.gold import GoldMarks
from pages.components.passages.passage import show_passage
from pages.components.trace.exchange import exchange_at, show_exchange
from pages.components.trace.picture import Picture
from pages.components.trace.rows import notes_html, parts_text, pick_line

_MOST = 12  # lines of a thing that are listed
ROLES = {
    "current": "looked at in this step",
    "retrieved": "retrieved",
    "pruned": "reached, then pruned",
    "seed": "a seed",
    "visited": "reached",
    "offered": "on offer, never taken",
}


def show_details(
    stage: Picture, now: Frame, picked: Selection | None, marks: GoldMarks, index: Index | None
) -> None:
    """The node or line that is selected, as things stand in step `now`; what a model said."""
    if picked and picked.kind == "node" and picked.id in stage.trace.passages:
        _passage(stage, now, picked.id, marks)
    elif picked and picked.kind == "edge" and picked.id in stage.trace.edges:
        _edge(stage, now, stage.trace.edges[picked.id], index)
    elif picked and picked.kind == "node" and picked.id in stage.things:
        _thing(stage, now, stage.things[picked.id])
    elif picked and picked.kind == "edge" and picked.id in now.ties:
        _tie(stage, now.ties[picked.id])
    else:
        st.html("<p class='tr-none'>Click a node or a line, in the graph or in a panel.</p>")
    if t := exchange_at(stage, now, picked):
        show_exchange(stage, t)


def _passage(stage: Picture, now: Frame, passage_id: str, marks: GoldMarks) -> None:
    show_passage(stage, passage_id, key="trace_details", marks=marks, height=170)
    _standing(now, passage_id)
    _occasions(stage, now, passage_id)


def _thing(stage: Picture, now: Frame, thing: Thing) -> None:
    """What is no passage: its text, how it stands, and the lines that join it."""
    st.html(
        f"<article class='hop-passage'><h3 dir='auto'>{escape(thing.label)}</h3>"
        f"<p class='tr-small'>{escape(thing.kind)}</p><p dir='auto'>{escape(thing.detail)}</p>"
        "</article>"
    )
    _standing(now, thing.id)
    _occasions(stage, now, thing.id)
    joined = [tie for tie in now.ties.values() if thing.id in (tie.source, tie.target)]
    if joined:
        _list("Joined to", [f"<p dir='auto'>{_joined(stage, tie)}</p>" for tie in joined[:_MOST]])


def _tie(stage: Picture, tie: Tie) -> None:
    _list("A line", [f"<p dir='auto'>{_joined(stage, tie)}</p>"])


def _joined(stage: Picture, tie: Tie) -> str:
    source, target = escape(stage.title(tie.source)), escape(stage.title(tie.target))
    return f"{source} <b>{escape(tie.label) or '—'}</b> {target}"


def _standing(now: Frame, node: str) -> None:
    role = now.roles.get(node)
    facts = [ROLES[role] if role else "not seen yet"]
    row = next((r for r in now.standings if r.hit.passage_id == node), None)
    if row:
        facts.append(f"rank {row.rank} of {len(now.standings)}")
        facts.append(f"score {row.hit.score:.3f} = {parts_text(row.hit.parts)}")
    if held := now.mass.get(node):
        facts.append(f"holds {held.score:.4f} = {parts_text(held.parts)}")
    if count := now.counter.get(node):
        facts.append(f"{count} visit{'s' * (count > 1)}")
    _facts("Now", " · ".join(facts))


def _occasions(stage: Picture, now: Frame, node: str) -> None:
    met = occasions(stage.trace.steps, now.t, node=node)
    lines = [_occasion(stage, one) for one in met]
    _list("Why it is here", lines or ["<p>It has not been on offer so far.</p>"])


def _occasion(stage: Picture, one: Occasion) -> str:
    offer = one.offer
    taken = "✓" if offer.taken else "✗"
    text = (
        f"<b>{taken}</b> {escape(_where(stage, one))}: place {one.place} of {one.step.scored:,}, "
        f"score {offer.score:.3f} ({escape(parts_text(offer.parts))}){_words(one)}"
        f"{f'<br><q dir=auto>{escape(offer.label)}</q>' if offer.label else ''}"
    )
    return pick_line(offer.tie, text) if offer.tie in stage.lines else f"<p>{text}</p>"


def _where(stage: Picture, one: Occasion) -> str:
    """In which round and at which place something was on offer."""
    if one.step.entry:
        return "as a seed"
    round_ = f"{one.round.name} {one.round.number}, " if one.round else ""
    return f"{round_}at {stage.title(one.step.at)}"


def _words(one: Occasion) -> str:
    """What speaks for an offer, to be put behind its score."""
    said = notes_html(one.offer)
    return f"; {said}" if said else ""


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
    met = occasions(stage.trace.steps, now.t, line=edge.id)
    lines = [
        f"<p><b>{'✓ taken' if one.offer.taken else '✗ refused'}</b> {escape(_where(stage, one))}"
        f"{', backwards' if one.offer.backwards else ''}: place {one.place} of "
        f"{one.step.scored:,}, score {one.offer.score:.3f} = "
        f"{escape(parts_text(one.offer.parts))}{_words(one)}</p>"
        for one in met
    ]
    _list("In this trace, so far", lines or ["<p>It has not been on offer.</p>"])


def _questions(edge: Edge, index: Index | None) -> tuple[PseudoQuery | None, PseudoQuery | None]:
    # A trace from a file may name edges, and say things of them, that the index does not know.
    if index is None or edge.id not in index.graph.edge_number or index.graph.edge(edge.id) != edge:
        return None, None
    return index.graph.pseudo_query(edge.out_query_id), index.graph.pseudo_query(edge.in_query_id)


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
