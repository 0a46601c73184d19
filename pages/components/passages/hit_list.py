"""Ranked passages as one-line rows, aligned across columns."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from types import MappingProxyType

import streamlit as st

from core.compare.contract import Move
from core.marks.gold_signs import Marked
from core.playback.wording import cropped
from core.retrievers.base import Card
from core.text.display.plurals import number
from core.text.display.scores import addends, decimals
from core.types import Hit, Part, Passage
from pages.components.passages.gold import star
from pages.components.passages.highlighting import fact
from pages.components.shell.widgets.card import card

SNIPPET = 160  # characters of a text that is shown in a line, or where the pointer rests
FACT = 64  # characters of evidence in two lines of a narrow column
MOST_NAMES = 4  # parts of a score that a key can still name
WORD_TONES = "wv"
"""Tones of parts that no card knows, which are words of the question, in turn."""
NEW, ONLY = "+", "◆"
"""Beside the rank of what the ranking compared with has not, and of what no other one has."""
NO_MARKS: Mapping[str, Marked] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class HitRow:
    """A hit with its notes.

    `move` is None when the ranking it is `compared` with has no such passage.
    """

    hit: Hit
    rank: int
    passage: Passage
    gold: Marked = ""
    only_here: bool = False
    compared: bool = False
    move: int | None = None

    @property
    def title(self) -> str:
        return self.passage.title or self.passage.id


@dataclass(frozen=True, slots=True)
class Lost:
    """Lost gold: its `rank` below the ranking, if known, and its fate in `told`.

    `passage_id` is empty if the passage is not in the index. `evidence` is its text.
    """

    passage_id: str
    title: str
    gold: Marked
    rank: int | None
    told: str
    evidence: str = ""


def rows(
    titled: Callable[[str], Passage],
    hits: Sequence[Hit],
    *,
    gold: Mapping[str, Marked] = NO_MARKS,
    only: frozenset[str] = frozenset(),
    moves: Sequence[int | None] | None = None,
) -> list[HitRow]:
    """Return the hits of one ranking, with their moves against another one.

    The reference ranking has no `moves`. `titled` returns a passage with its display title. `gold`
    says who marked each gold passage.
    """
    return [
        HitRow(
            hit=hit,
            rank=rank,
            passage=titled(hit.passage_id),
            gold=gold.get(hit.passage_id, ""),
            only_here=hit.passage_id in only,
            compared=moves is not None,
            move=moves[rank - 1] if moves is not None else None,
        )
        for rank, hit in enumerate(hits, 1)
    ]


def hit_list(
    listed: Sequence[HitRow], by: Card, lost: Sequence[Lost], *, key: str, against: str
) -> str | None:
    """Draw the rows, and below them the `lost` gold; return the id of the pressed passage.

    `against` is what the ranking compared with is called.
    """
    top = max((row.hit.score for row in listed), default=0.0)
    looks = _part_classes([row.hit for row in listed], by)
    places = decimals([row.hit.score for row in listed])
    pressed = None
    with st.container(gap=None, key=f"{key}_column"):
        for row in listed:
            if card(
                _hit_html(row, top, looks, places),
                f"{row.rank}. {row.title}",
                key=f"{key}_{row.rank}",
                hint=_hint(row, places, against),
            ):
                pressed = row.hit.passage_id
        for number, one in enumerate(lost):
            told = ": ".join(filter(None, (one.title, one.told, one.evidence)))
            if not one.passage_id:
                st.html(_lost_html(one))
            elif card(
                _lost_html(one), told, key=f"{key.replace('hit', 'lost')}_{number}", hint=told
            ):
                pressed = one.passage_id
    return pressed


def _hint(row: HitRow, places: int, against: str) -> str:
    text = cropped(row.passage.text, SNIPPET)
    told = (row.title, score_in_words(row.hit, places), in_words(row, against), text)
    return " | ".join(filter(None, told))


def score_in_words(hit: Hit, places: int) -> str:
    """Return `score 0.610 = lexical 0.400 + dense 0.210`, with `places` decimals."""
    if not hit.score and not hit.parts:
        return "score unknown"
    if len(hit.parts) < 2:
        return f"score {hit.score:.{places}f}"
    added = [part for part in hit.parts if part.value] or hit.parts
    values = addends([part.value for part in added], hit.score, places)
    told = " + ".join(f"{part.name} {value}" for part, value in zip(added, values, strict=True))
    return f"score {hit.score:.{places}f} = {told}"


def part_key(hits: Sequence[Hit], by: Card) -> str:
    """Return the legend of the bar segments, as HTML."""
    looks = _part_classes(hits, by)
    if len(looks) > MOST_NAMES:
        return "<span class='hop-partkey'>bar segments are query terms</span>"
    entries = "".join(
        f"<span title='{escape(_meaning(by, name))}'><i class='{look}'></i>{escape(name)}</span>"
        for name, look in looks.items()
    )
    return f"<span class='hop-partkey'>{entries}</span>"


def bar(parts: Iterable[Part], top: float, looks: Mapping[str, str]) -> str:
    """Return a stacked bar as HTML; `top` is the score that fills it."""
    segments = "".join(
        f"<i class='{looks[part.name]}' style='width:{100 * part.value / top:.2f}%'></i>"
        for part in parts
        if part.value > 0 and top > 0
    )
    return f"<span class='hop-bar'>{segments}</span>"


def _hit_html(row: HitRow, top: float, looks: Mapping[str, str], places: int) -> str:
    """Return a hit as HTML: rank, star, title, score and the bar of its parts."""
    parts = row.hit.parts or (Part("score", row.hit.score),)
    score = f"{row.hit.score:.{places}f}" if top or row.hit.parts else ""  # unknown ones are 0
    return (
        f"<div class='hop-hit{' hop-hit-gold' if row.gold else ''}'>"
        f"<div class='hop-hit-head'><b>{row.rank}</b>{star(row.gold)}"
        f"<div class='hop-hit-title' dir='auto'>{escape(row.title)}</div>{_arrow(row)}"
        f"<span class='hop-score'>{score}</span></div>"
        f"{bar(parts, top, looks)}</div>"
    )


def _lost_html(one: Lost) -> str:
    """Return a lost gold passage as HTML, with its rank or the reason."""
    rank = f"<b>{one.rank:,}</b>" if one.rank else ""
    held = f"<p dir='auto'>{fact(one.evidence, FACT)}</p>" if one.evidence else ""
    why = "" if one.rank else f"<span class='hop-miss' dir='auto'>{escape(one.told)}</span>"
    return (
        f"<div class='hop-hit hop-hit-lost'><div class='hop-hit-head'>{rank}{star(one.gold)}"
        f"<div class='hop-hit-title' dir='auto'>{escape(one.title)}</div>{why}</div>{held}</div>"
    )


def move_of(row: HitRow) -> tuple[str, Move]:
    """Return the sign beside a rank that shows how it changed, and the kind of change.

    Empty if it has none.
    """
    # What no other column has is new as a matter of course.
    if row.only_here:
        return ONLY, "only"
    if not row.compared:
        return "", ""
    if row.move is None:
        return NEW, "new"
    if row.move == 0:
        return "=", "same"
    return (f"▲{row.move}", "up") if row.move > 0 else (f"▼{-row.move}", "down")


def key_of_moves(against: str) -> str:
    """Return the legend of the signs beside a rank."""
    return (
        f"▲ ▼ rank compared with {against} · = same · {NEW} not there · {ONLY} in one column only"
    )


def in_words(row: HitRow, against: str) -> str:
    """Describe the move of a passage in a sentence, for screen readers and tooltips.

    `against` is what it is compared with.

    >>> passage = Passage("a", "d", 0, "A", "")
    >>> in_words(HitRow(Hit("a", 1.0), 3, passage, compared=True, move=-2), "BM25")
    '2 ranks lower than in BM25'
    """
    if row.only_here:
        return "in this column only"
    if not row.compared:
        return ""
    if row.move is None:
        return f"not in {against}"
    if row.move == 0:
        return f"same rank as in {against}"
    way = "higher" if row.move > 0 else "lower"
    return f"{number(abs(row.move), 'rank')} {way} than in {against}"


def _arrow(row: HitRow) -> str:
    told, kind = move_of(row)
    looks = "hop-only" if kind == "only" else f"hop-move hop-move-{kind}"
    return f"<span class='{looks}'>{told}</span>" if told else ""


def _part_classes(hits: Sequence[Hit], by: Card) -> dict[str, str]:
    """Return the classes of each part that is not 0 in all `hits`: of the card's tone, or that of a
    word, and hatched if it is importance.
    """
    parts = (part for hit in hits for part in hit.parts)
    names = dict.fromkeys(part.name for part in parts if part.value)
    tones = {
        name: by.parts[name][0] if name in by.parts else WORD_TONES[i % len(WORD_TONES)]
        for i, name in enumerate(names)
    } or {"score": "a"}
    half = by.helpfulness.half if by.helpfulness else lambda _: ""
    return {
        name: f"tone-{tone}{' hatched' * (half(name) == 'importance')}"
        for name, tone in tones.items()
    }


def _meaning(by: Card, name: str) -> str:
    return by.parts[name][1] if name in by.parts else ""
