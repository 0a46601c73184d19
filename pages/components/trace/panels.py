"""The panels beside the graph: queue, offers, ranking, visits and gold, all of one frame."""

from collections.abc import Sequence
from html import escape

from core.playback import Frame, Standing
from core.playback.rounds import Round
from core.ranking import IMPORTANCE
from core.steps import Judged, Offer, Seeded
from pages.components.trace.rows import (
    Names,
    bar,
    chip,
    chosen_for,
    gold_chip,
    head,
    highest,
    panel,
    parts_text,
    pick_row,
    share,
    tones,
)

LONG = 220
"""Characters of a sentence from which on it is written smaller, in the same room."""


def queue(now: Frame, whole: Round | None, names: Names) -> str:
    """Who waits, who joined (+) and who left (−) in this step, or in its round as a `whole`."""
    joined, left = (whole.new, whole.looked_at) if whole else (now.joined, now.left)
    gone = [chip(names, vertex, "−") for vertex in left]
    here = [chip(names, vertex, "+" if vertex in joined else "") for vertex in now.queue]
    change = f" · {len(joined)} joined, {len(left)} left" if joined or left else ""
    header = head("Queue", f"{len(now.queue)} waiting{change}")
    rows = here + gone if whole else gone + here
    return panel("queue", header, rows, "The queue is empty.")


def offers(now: Frame, whole: Round | None, names: Names) -> str:
    """Every edge on offer in this step, best first; with `whole` those its round followed."""
    why = ""
    if whole and isinstance(now.step, Judged):
        shown = [offer for _, offer in whole.followed]
        title, note = "Edges followed", f"{len(shown)} of {whole.considered} scored"
        origins = [f"{names.title(vertex)} → " for vertex, _ in whole.followed]
        nothing = "No edge was followed in this hop."
    else:
        shown, origins = list(now.offers), [""] * len(now.offers)
        title, note = "Edges on offer", _considered(now)
        nothing = "No edge is looked at in this step."
        if isinstance(now.step, Judged):
            why = nothing = _why(now.step)
    if isinstance(now.step, Seeded):
        title = "Entries"
    tone, top = tones(o.parts for o in shown), highest(o.parts for o in shown)
    taken = set(now.chosen) | ({o.edge_id for o in shown} if whole or not now.current else set())
    rows = [
        _offer(offer, offer.edge_id in taken, names, origin, bar(offer.parts, tone, top))
        for offer, origin in zip(shown, origins, strict=True)
    ]
    if why and rows:
        rows.insert(0, f"<p class='tr-why'>{escape(why)}</p>")
    return panel("offers", head(title, note, tone), rows, nothing)


def ranking_head(now: Frame) -> str:
    """Title of the ranking, with the names of the parts."""
    kept = sum(row.kept for row in now.helpfulness)
    note = f"{kept} of {len(now.helpfulness)} kept" if now.helpfulness else ""
    # Only the paper's Helpfulness (Eq. 2) counts visits.
    counted = any(part.name == IMPORTANCE for row in now.helpfulness for part in row.hit.parts)
    title = "Helpfulness" if counted or not now.helpfulness else "Score"
    return head(title, note, tones(row.hit.parts for row in now.helpfulness))


def ranking(now: Frame, names: Names) -> str:
    """All visited so far as stacked bars, with the cut-off line where pruning would cut now."""
    tone = tones(row.hit.parts for row in now.helpfulness)
    top = highest(row.hit.parts for row in now.helpfulness)
    kept = [row for row in now.helpfulness if row.kept]
    cut = [row for row in now.helpfulness if not row.kept]
    if not kept:
        return "<p class='tr-none'>Nothing has been visited yet.</p>"
    lines = [_standing(row, names, bar(row.hit.parts, tone, top)) for row in kept]
    lines.append(_cut(now))
    lines += [_standing(row, names, bar(row.hit.parts, tone, top)) for row in cut]
    return f"<div class='tr-list'>{''.join(lines)}</div>"


def visits(now: Frame, names: Names) -> str:
    """The visit counter as bars, most visited first, with the share of all visits (IMP)."""
    top = max(now.counter.values(), default=1)
    arrived = {visit.passage_id for visit in now.arrivals}
    rows = []
    for vertex, count in sorted(now.counter.items(), key=lambda item: -item[1]):
        fresh = " tr-fresh" if vertex in arrived else ""
        width = f"width:{share(count, top):.1f}%"
        inner = (
            f"<span class='tr-rank'>{'+1' if fresh else ''}</span>{names.html(vertex)}"
            f"<span class='tr-bar'><i class='tr-tone-a' style='{width}'></i></span>"
            f"<span class='tr-times'>×{count}</span>"
            f"<span class='tr-num'>{now.importance[vertex]:.3f}</span>"
        )
        name = f"tr-standing tr-visit{fresh}"
        rows.append(pick_row("node", vertex, inner, name=name, hint=names.title(vertex)))
    note = f"{now.visits} visits to {len(now.counter)} passages, and each one's importance"
    header = head("Visit counter", note if rows else "")
    return panel("visits", header, rows, "Nothing has been visited yet.")


def gold_line(rows: Sequence[tuple[str, str, str]]) -> str:
    """(passage id, title, where it stands now) of each gold passage, in one line."""
    none = "<span class='tr-none'>No gold passage is known; any passage can be marked.</span>"
    return f"<div class='tr-golds'>{''.join(gold_chip(*row) for row in rows) or none}</div>"


def _why(step: Judged) -> str:
    """The reason; with a model also its verdict, and the fallback."""
    verdict = f"{step.verdict.capitalize()}: " if step.verdict else ""
    fallback = f"Fallback: {step.fallback} " if step.fallback else ""
    return f"{fallback}{verdict}{step.reason}"


def _considered(now: Frame) -> str:
    step = now.step
    if isinstance(step, Seeded):
        what = "edges" if step.entry == "edge" else "passages"
        return f"{len(step.offers)} of {step.considered:,} {what} scored"
    if isinstance(step, Judged) and step.offers:
        scored = max(step.considered, len(step.offers))
        listed = f", best {len(step.offers)} listed" if scored > len(step.offers) else ""
        return f"{len(step.chosen)} chosen of {scored:,} scored{listed}"
    return ""


def _offer(offer: Offer, taken: bool, names: Names, origin: str, stack: str) -> str:
    back = "<span title='walked backwards'>⟵ </span>" if offer.backwards else ""
    words = " · ".join(f"{what} <b>{escape(one)}</b>" for what, one in chosen_for(offer))
    asked = f"<q dir='auto'>{escape(offer.question)}</q>" if offer.question else ""
    inner = (
        f"<span class='tr-mark'>{'✓' if taken else '✗'}</span><div class='tr-what'>"
        f"<div class='tr-line'>{back}<span class='tr-origin'>{escape(origin)}</span>"
        f"{names.html(offer.target)}</div>"
        f"<div class='tr-line tr-small'><div class='tr-words'>{words}</div>{asked}</div></div>"
        f"{stack}<span class='tr-num'>{offer.score:.3f}</span>"
    )
    end = names.title(offer.target)
    said = "".join(f"\n{what} {one}" for what, one in chosen_for(offer))
    score = f"{offer.score:.3f} = {parts_text(offer.parts)}"
    hint = f"{offer.question}\n{origin}{end}\n{score}{said}"
    state = "tr-offer tr-taken" if taken else "tr-offer tr-refused"
    if offer.edge_id:
        return pick_row("edge", offer.edge_id, inner, name=state, hint=hint)
    return pick_row("node", offer.target, inner, name=state, hint=hint)


def _standing(row: Standing, names: Names, stack: str) -> str:
    hit = row.hit
    times = f"×{row.visits}" if row.visits else ""
    inner = (
        f"<span class='tr-rank'>{row.rank}</span>{names.html(hit.passage_id)}{stack}"
        f"<span class='tr-times'>{times}</span><span class='tr-num'>{hit.score:.3f}</span>"
    )
    hint = f"{names.title(hit.passage_id)}\n{hit.score:.3f} = {parts_text(hit.parts)}"
    name = "tr-standing" if row.kept else "tr-standing tr-pruned"
    return pick_row("node", hit.passage_id, inner, name=name, hint=hint)


def _cut(now: Frame) -> str:
    ended = bool(now.hits or now.pruned)
    if now.cutoff is None:
        text = "nothing was pruned" if ended else "if pruned now: all are kept"
    else:
        text = f"{'pruned' if ended else 'if pruned now'}: cut-off {now.cutoff:.3f}"
    return f"<div class='tr-cut'><span>{text}</span></div>"


def story(text: str, t: int, last: int) -> str:
    """The sentence of the step, with its number."""
    size = " class='tr-long'" if len(text) > LONG else ""
    return (
        f"<div class='tr-story' aria-live='polite'><span class='tr-step'>{t} / {last}</span>"
        f"<p dir='auto'{size} title='{escape(text)}'>{escape(text)}</p></div>"
    )
