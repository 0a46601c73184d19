"""The pieces of the panels of a trace: HTML with escaped texts, cheap to draw.

Every row that names a passage or an edge can be clicked (`pages.components.shell.picking`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from html import escape
from typing import Literal

from core.steps import Offer
from core.types import Hit, Part
from pages.components.shell.picking import pick

GRAPH = "trace"
"""Name of the graph in which a click selects."""
TONES = "abcd"
"""Classes of the parts of a score, in order of their first appearance, but for those of a card."""
Tones = Mapping[str, tuple[str, str]]
"""Tone and meaning of parts by name; the meaning may be empty."""


@dataclass(frozen=True, slots=True)
class Names:
    """How nodes are called: by their titles, with a star for gold. `lines` can be selected.

    `parts` are those that the retriever's card knows.
    """

    title: Callable[[str], str]
    gold: AbstractSet[str]
    lines: AbstractSet[str] = frozenset()
    parts: Tones = field(default_factory=dict)

    def is_line(self, tie: str) -> bool:
        """Whether there is a line of that id to select."""
        return tie in self.lines

    def html(self, passage_id: str) -> str:
        star = "<span class='hop-star'>★</span>" if passage_id in self.gold else ""
        return f"{star}<span class='tr-name' dir='auto'>{escape(self.title(passage_id))}</span>"


def pick_row(
    kind: Literal["node", "edge"], id_: str, inner: str, *, name: str, hint: str = ""
) -> str:
    return pick(GRAPH, kind, id_, inner, name=f"tr-row {name}", hint=hint)


def pick_line(edge_id: str, inner: str) -> str:
    """A line of running text that selects an edge."""
    return pick(GRAPH, "edge", edge_id, inner, name="tr-line-pick", hint="Show this edge")


def chip(names: Names, passage_id: str, sign: str = "") -> str:
    """A passage in a queue; `sign` is + when it came and − when it went."""
    state = {"+": "tr-in", "−": "tr-out"}.get(sign, "")
    mark = f"<b>{sign}</b>" if sign else ""
    inner = mark + names.html(passage_id)
    hint = names.title(passage_id)
    return pick(GRAPH, "node", passage_id, inner, name=f"tr-chip {state}", hint=hint)


def gold_chip(passage_id: str, title: str, standing: str) -> str:
    inner = (
        f"<span class='hop-star'>★</span><span class='tr-name' dir='auto'>{escape(title)}</span>"
        f"<b>{escape(standing)}</b>"
    )
    hint = f"{title}: {standing}"
    return pick(GRAPH, "node", passage_id, inner, name="tr-chip tr-gold", hint=hint)


def ranked_row(rank: int, hit: Hit, names: Names, stack: str) -> str:
    """A hit with its place in a list."""
    inner = (
        f"<span class='tr-rank'>{rank}</span>{names.html(hit.passage_id)}{stack}"
        f"<span class='tr-times'></span><span class='tr-num'>{hit.score:.3f}</span>"
    )
    hint = f"{names.title(hit.passage_id)}\n{hit.score:.3f} = {parts_text(hit.parts)}"
    return pick_row("node", hit.passage_id, inner, name="tr-standing", hint=hint)


def tones(rows: Iterable[Sequence[Part]], known: Tones) -> Tones:
    """Tone and meaning of every part that is not 0 in all `rows`; `known` are those of a card."""
    names = dict.fromkeys(part.name for parts in rows for part in parts if part.value)
    return {
        name: known.get(name, (TONES[min(i, len(TONES) - 1)], "")) for i, name in enumerate(names)
    }


def bar(parts: Sequence[Part], tone: Tones, top: float) -> str:
    """Stacked, as wide as its share of `top`; an addend below 0 has no width."""
    pieces = [
        f"<i class='tr-tone-{tone[part.name][0]}' style='width:{share(part.value, top):.1f}%'></i>"
        for part in parts
        if part.name in tone
    ]
    return f"<span class='tr-bar'>{''.join(pieces)}</span>"


def share(value: float, top: float) -> float:
    """Percent of `top`, from 0 to 100."""
    return 100 * min(1.0, max(0.0, value) / top) if top > 0 else 0.0


def highest(rows: Iterable[Sequence[Part]]) -> float:
    """The longest stack among `rows`."""
    return max((sum(max(0.0, part.value) for part in parts) for parts in rows), default=0.0)


def parts_text(parts: Sequence[Part]) -> str:
    """The addends of a score in plain text, without those that are 0."""
    added = [part for part in parts if part.value] or parts
    return " + ".join(f"{part.name} {part.value:.3f}" for part in added)


def notes_html(offer: Offer) -> str:
    """What speaks for an offer or against it, for a row."""
    return " · ".join(f"{escape(what)} <b>{escape(text)}</b>" for what, text in offer.notes)


def notes_text(offer: Offer) -> str:
    """The same in plain text, a line each."""
    return "".join(f"\n{what} {text}" for what, text in offer.notes)


def head(title: str, note: str, tone: Tones | None = None) -> str:
    """A panel's title, a note, and the names of its tones."""
    keys = "".join(_key(name, *one) for name, one in (tone or {}).items())
    return (
        f"<div class='tr-head'><b>{escape(title)}</b><span>{escape(note)}</span>"
        f"<span class='tr-key'>{keys}</span></div>"
    )


def _key(name: str, tone: str, meaning: str) -> str:
    hint = f" title='{escape(meaning)}'" if meaning else ""
    return f"<span{hint}><i class='tr-tone-{tone}'></i>{escape(name)}</span>"


def panel(name: str, header: str, rows: Sequence[str], nothing: str) -> str:
    """A panel of fixed height (`assets/trace.css`), with what to say when it has no rows."""
    body = "".join(rows) or f"<p class='tr-none'>{escape(nothing)}</p>"
    return (
        f"<section class='tr-panel'>{header}<div class='tr-body tr-{name}'>{body}</div></section>"
    )
