"""The panels beside the graph, as HTML with escaped texts: cheap to draw, of fixed height.

An element with `data-kind` and `data-id` selects that passage or edge when it is clicked
(`pages.components.picking`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape

from core.playback import Frame, Standing
from core.playback.rounds import Round
from core.steps import Judged, Offer, Seeded
from core.types import Part

Title = Callable[[str], str]
TONES = ("a", "b", "c", "d")
"""Classes of the parts of a score, in order of their first appearance."""


def pick(kind: str, id_: str, inner: str, *, name: str = "", hint: str = "") -> str:
    """`inner` as something to click that selects a passage (`node`) or an `edge`."""
    return (
        f"<div class='hop-pick {name}' role='button' tabindex='0' data-kind='{kind}' "
        f"data-id='{escape(id_)}' title='{escape(hint)}'>{inner}</div>"
    )


def queue(now: Frame, title: Title, gold: frozenset[str]) -> str:
    """Who waits, who joined (+) and who left (−) in this step."""
    rows = [
        _chip(vertex, title, gold, "+" if vertex in now.joined else "")
        for vertex in now.queue
    ]
    gone = [_chip(vertex, title, gold, "−") for vertex in now.left]
    body = "".join((*gone, *rows)) or "<span class='hop-none'>The queue is empty.</span>"
    change = f" · +{len(now.joined)} −{len(now.left)}" if now.joined or now.left else ""
    return _panel("Queue", f"{len(now.queue)} waiting{change}", f"<div class='hop-chips'>{body}</div>")


def offers(now: Frame, whole: Round | None, title: Title, gold: frozenset[str]) -> str:
    """Every edge on offer in this step, best first; with `whole` those its round followed."""
    if whole and isinstance(now.step, Judged):
        rows = [_offer(o, True, title, gold, f"{title(v)} → ") for v, o in whole.followed]
        note = f"{len(rows)} followed of {whole.considered} scored in hop {whole.hop}"
        shown = [offer for _, offer in whole.followed]
        return _panel("Edges followed", note, _rows(rows, "No edge was followed."), legend(shown))
    rows = [_offer(o, _taken(now, o), title, gold) for o in now.offers]
    body = _rows(rows, _why_no_offers(now))
    return _panel("Edges on offer", _considered(now, title), body, legend(now.offers))


def helpfulness(now: Frame, title: Title, gold: frozenset[str]) -> str:
    """The ranking of all visited so far, with its cut-off."""
    ended = bool(now.hits or now.pruned)
    top = max((_sum(row.hit.parts) for row in now.helpfulness), default=0.0)
    tones = _tones(row.hit.parts for row in now.helpfulness)
    rows: list[str] = []
    for before, row in zip((None, *now.helpfulness), now.helpfulness, strict=False):
        if before and before.kept and not row.kept:
            rows.append(_cut(now, ended))
        rows.append(_standing(row, title, gold, tones, top))
    if rows and now.cutoff is None:
        rows.append(_cut(now, ended))
    return _rows(rows, "Nothing has been visited yet.")


def helpfulness_head(now: Frame) -> str:
    """Title of the ranking with the names of its parts."""
    count = len(now.helpfulness)
    note = f"{count} visited so far, as if pruned now" if now.helpfulness else ""
    if now.hits or now.pruned:
        note = f"{len(now.hits)} kept, {len(now.pruned)} pruned"
    return _head("Helpfulness", note, _legend(_tones(row.hit.parts for row in now.helpfulness)))


def visits(now: Frame, title: Title, gold: frozenset[str]) -> str:
    """The visit counter as bars, most visited first, with the share of all visits."""
    top = max(now.counter.values(), default=1)
    arrived = {visit.passage_id for visit in now.arrivals}
    rows = []
    for vertex, count in sorted(now.counter.items(), key=lambda item: -item[1]):
        fresh = " hop-fresh" if vertex in arrived else ""
        inner = (
            f"{_name(vertex, title, gold)}<span class='hop-bar'><i class='hop-tone-v{fresh}' "
            f"style='width:{100 * count / top:.1f}%'></i></span><b>{count}</b>"
            f"<span class='hop-num'>{now.importance[vertex]:.3f}</span>"
        )
        rows.append(pick("node", vertex, inner, name="hop-row hop-visit", hint=title(vertex)))
    return _rows(rows, "Nothing has been visited yet.")


def visits_head(now: Frame) -> str:
    note = f"{now.visits} visits to {len(now.counter)} passages; right, the importance"
    return _head("Visit counter", note if now.counter else "")


def gold_line(rows: Sequence[tuple[str, str, str]]) -> str:
    """(passage id, title, where it stands now) of each gold passage, in one line."""
    chips = [
        pick(
            "node",
            id_,
            f"<span class='hop-star'>★</span><span class='hop-name' dir='auto'>{escape(title)}</span>"
            f"<b>{escape(standing)}</b>",
            name="hop-chip hop-gold",
            hint=f"{title}: {standing}",
        )
        for id_, title, standing in rows
    ]
    none = "<span class='hop-none'>No gold passage is known. Mark one in its details.</span>"
    return f"<div class='hop-golds'>{''.join(chips) or none}</div>"


def legend(shown: Sequence[Offer]) -> str:
    return _legend(_tones(offer.parts for offer in shown))


def parts_text(parts: Sequence[Part]) -> str:
    """The addends of a score in plain text."""
    return " + ".join(f"{part.name} {part.value:.3f}" for part in parts)


def _taken(now: Frame, offer: Offer) -> bool:
    return isinstance(now.step, Seeded) or offer.edge_id in now.chosen


def _why_no_offers(now: Frame) -> str:
    if isinstance(now.step, Judged):
        return "This passage has no edge."
    return "No edge is looked at in this step."


def _considered(now: Frame, title: Title) -> str:
    step = now.step
    if isinstance(step, Seeded):
        what = "edges" if step.entry == "edge" else "passages"
        return f"{len(step.offers)} entries of {step.considered} {what} scored"
    if isinstance(step, Judged) and step.offers:
        of = f"{step.considered} scored" if step.considered > len(step.offers) else "all scored"
        return f"{len(step.offers)} listed, {of}, {len(step.chosen)} chosen"
    return ""


def _offer(
    offer: Offer, taken: bool, title: Title, gold: frozenset[str], origin: str = ""
) -> str:
    mark = "✓" if taken else "✗"
    back = "<span title='walked backwards'>← </span>" if offer.backwards else ""
    covers = f" · covers {', '.join(offer.covers)}" if offer.covers else ""
    question = f"<q dir='auto'>{escape(offer.question)}</q>" if offer.question else ""
    bar = _bar(offer.parts, _tones([offer.parts]), 1.0)
    inner = (
        f"<span class='hop-mark'>{mark}</span><div class='hop-what'>"
        f"<div class='hop-line'>{escape(origin)}{back}{_name(offer.target, title, gold)}</div>"
        f"<div class='hop-line hop-small'>{question}{escape(covers)}</div></div>"
        f"<span class='hop-bar'>{bar}</span><span class='hop-num'>{offer.score:.3f}</span>"
    )
    hint = f"{offer.question}\n{title(offer.target)}\n{parts_text(offer.parts)}{covers}"
    kind, id_ = ("edge", offer.edge_id) if offer.edge_id else ("node", offer.target)
    state = "hop-taken" if taken else "hop-left"
    return pick(kind, id_, inner, name=f"hop-row hop-offer {state}", hint=hint)


def _standing(
    row: Standing, title: Title, gold: frozenset[str], tones: Mapping[str, str], top: float
) -> str:
    hit = row.hit
    inner = (
        f"<span class='hop-rank'>{row.rank}</span>{_name(hit.passage_id, title, gold)}"
        f"<span class='hop-times'>{f'×{row.visits}' if row.visits else ''}</span>"
        f"<span class='hop-bar'>{_bar(hit.parts, tones, top)}</span>"
        f"<span class='hop-num'>{hit.score:.3f}</span>"
    )
    hint = f"{title(hit.passage_id)}\n{parts_text(hit.parts)}"
    state = "hop-kept" if row.kept else "hop-cut-off"
    return pick("node", hit.passage_id, inner, name=f"hop-row hop-standing {state}", hint=hint)


def _cut(now: Frame, ended: bool) -> str:
    text = "pruned below" if ended else "if pruned now"
    if now.cutoff is None:
        text = "nothing was pruned" if ended else "if pruned now: all are kept"
    else:
        text = f"{text} · cut-off {now.cutoff:.3f}"
    return f"<div class='hop-cut'><span>{text}</span></div>"


def _chip(vertex: str, title: Title, gold: frozenset[str], sign: str) -> str:
    state = {"+": "hop-in", "−": "hop-out"}.get(sign, "")
    inner = f"{f'<b>{sign}</b>' if sign else ''}{_name(vertex, title, gold)}"
    return pick("node", vertex, inner, name=f"hop-chip {state}", hint=title(vertex))


def _name(vertex: str, title: Title, gold: frozenset[str]) -> str:
    star = "<span class='hop-star'>★</span>" if vertex in gold else ""
    return f"{star}<span class='hop-name' dir='auto'>{escape(title(vertex))}</span>"


def _bar(parts: Sequence[Part], tones: Mapping[str, str], top: float) -> str:
    """Stacked, as wide as its share of `top`; an addend below 0 has no width."""
    return "".join(
        f"<i class='hop-tone-{tones[part.name]}' "
        f"style='width:{100 * min(1.0, max(0.0, part.value) / top):.1f}%'></i>"
        for part in parts
        if top > 0
    )


def _sum(parts: Sequence[Part]) -> float:
    return sum(max(0.0, part.value) for part in parts)


def _tones(rows: Iterable[Sequence[Part]]) -> dict[str, str]:
    """A tone for every name of a part."""
    names = dict.fromkeys(part.name for parts in rows for part in parts)
    return {name: TONES[min(i, len(TONES) - 1)] for i, name in enumerate(names)}


def _legend(tones: Mapping[str, str]) -> str:
    return "".join(
        f"<span><i class='hop-tone-{tone}'></i>{escape(name)}</span>"
        for name, tone in tones.items()
    )


def _rows(rows: Sequence[str], nothing: str) -> str:
    return "".join(rows) or f"<p class='hop-none'>{escape(nothing)}</p>"


def _head(title: str, note: str, key: str = "") -> str:
    return (
        f"<div class='hop-head'><b>{title}</b><span>{escape(note)}</span>"
        f"<span class='hop-key'>{key}</span></div>"
    )


def _panel(title: str, note: str, body: str, key: str = "") -> str:
    return f"{_head(title, note, key)}<div class='hop-body'>{body}</div>"
