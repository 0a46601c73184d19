"""Scores as stacked bars: which parts have which tone, and rows with their values."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.film.cast import Cast
from core.film.data import BoardData, KeyData, RowData
from core.film.words import rounded
from core.playback import Frame
from core.steps import Offered, Pooled, Ranked, Spread, Step
from core.text.scores import FEWEST, SEEN, by_turns, decimals
from core.types import Hit, Part

WORDS = "wv"
"""Tones of parts that no card knows, which are words of the question, in turn."""
SCORE, WORTH, BY_RANK = "score", "worth", "1/rank"
"""What a passage has, and an edge that leads to one; and what is given for a place in a list."""
Tones = Mapping[str, tuple[str, str]]
"""Tone and meaning of parts by name."""


@dataclass(frozen=True, slots=True)
class Bars:
    """How a list of scores is drawn: the keys of their parts, the longest stack, and how many
    decimals a score has (`core.text.scores`).
    """

    keys: list[KeyData]
    top: float
    places: int = FEWEST

    @staticmethod
    def of(rows: Iterable[Sequence[Part]], known: Tones, places: int = FEWEST) -> "Bars":
        """Those of the parts that are not 0 in all `rows`; those of a card, `known`, come first, in
        its order.
        """
        rows = list(rows)
        met = list(dict.fromkeys(part.name for parts in rows for part in parts if part.value))
        place = {name: number for number, name in enumerate(known)}
        names = sorted(met, key=lambda name: place.get(name, len(place)))
        keys: list[KeyData] = []
        for name in names:
            tone, meaning = known.get(name, (word_tone(met.index(name)), ""))
            keys.append({"tone": tone, "name": name, "meaning": meaning})
        top = max((sum(max(0.0, part.value) for part in parts) for parts in rows), default=0.0)
        return Bars(keys, rounded(top), places)

    def score(self, value: float) -> str:
        return f"{value:.{self.places}f}".replace("-", "−")

    def row(self, total: float, parts: Sequence[Part]) -> RowData:
        """The score and its parts, a value for each of the keys."""
        values = {part.name: part.value for part in parts}
        row: RowData = {"score": self.score(total)}
        if self.keys:
            row["parts"] = [rounded(values.get(key["name"], 0.0)) for key in self.keys]
        return row


def places_of(steps: Iterable[Step]) -> int:
    """How many decimals all scores of a film have: as many as the list that needs most of them."""
    return max((decimals(_scores(step)) for step in steps), default=FEWEST)


def _scores(step: Step) -> list[float]:
    """Of what it lists, as much as is seen."""
    match step:
        case Offered():
            return [offer.score for offer in step.offers]
        case Spread() | Pooled():
            return [hit.score for hit in step.hits[:SEEN]]
        case Ranked():
            return [hit.score for hit in (*step.hits, *step.pruned[:SEEN])]
        case _:
            return []


def measured(scores: Mapping[str, float], now: Frame, own: str = SCORE) -> str:
    """What the `scores` of a list are, by node in its order: given for a place alone, the shares of
    what spreads at `now`, or its `own`.
    """
    if by_turns([*scores.values()]):
        return BY_RANK
    held = (node in now.mass and now.mass[node].score == score for node, score in scores.items())
    return now.spread if scores and all(held) else own


def word_tone(at: int) -> str:
    """The tone of the word that stands `at` this place among the parts, from 0."""
    return WORDS[at % len(WORDS)]


def named(cast: Cast, node: str) -> RowData:
    """A row of a node; by its title where it does not play."""
    number = cast.number.get(node)
    return {"text": cast.title(node)} if number is None else {"node": number}


def ranked(cast: Cast, hit: Hit, bars: Bars) -> RowData:
    return {**named(cast, hit.passage_id), **bars.row(hit.score, hit.parts)}


def board(
    title: str,
    note: str = "",
    rows: Sequence[RowData] = (),
    bars: Bars | None = None,
    empty: str = "",
    more: int = 0,
    cut: int | None = None,
    cut_text: str = "",
    measure: str = SCORE,
    rest: str = "more",
) -> BoardData:
    return {
        "title": title,
        "note": note,
        "measure": measure,
        "keys": bars.keys if bars else [],
        "rows": list(rows),
        "top": bars.top if bars else 0.0,
        "cut": cut,
        "cut_text": cut_text,
        "empty": empty,
        "more": more,
        "rest": rest,
    }
