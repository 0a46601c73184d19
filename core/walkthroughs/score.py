"""Rankings of a walkthrough, and how their scores are made up.

Which part belongs to which half of Helpfulness is said by a retriever's card
(`core.retrievers.base.Helpfulness`).
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isclose

from core.playback import Frame, RankingRow
from core.retrievers import Spec
from core.retrievers.base import Helpfulness
from core.steps import Asked, Offered, Pooled, Ranked, Spread, Step, result
from core.types import Part
from core.walkthroughs.contract import RankingData, RankingRowData, ScoreData, ScorePartData

BELOW = 4
"""Rows of a ranking shown below the cut-off."""
TONES = "abcdwv"
WORDS = 4
"""Words of the query that have a part and a tone of their own, the last one for all others."""
OTHERS = "others"
PAPER_WEIGHT = 0.5
"""Weight of importance in Eq. 2 of HopRAG."""


def rounded(value: float) -> float:
    """Return a number with 6 significant digits."""
    return float(f"{value:.6g}")


@dataclass(frozen=True)
class Scores:
    """The parts of all scores of a retrieval, in the order in which they are drawn.

    Parameters
    ----------
    place : of each part of a score, its number among `keys`.
    """

    spec: Spec | None
    steps: Sequence[Step]
    keys: Sequence[str]
    place: Mapping[str, int]

    @property
    def helpfulness(self) -> Helpfulness | None:
        """How the score parts form Helpfulness, by the card of the retriever or of an inner one."""
        made_of = self.spec.all_of_it() if self.spec else ()
        return next((one.card.helpfulness for one in made_of if one.card.helpfulness), None)

    def values(self, parts: Sequence[Part]) -> list[float]:
        """Return the values of parts in the order of `keys`."""
        values = [0.0] * len(self.keys)
        for part in parts:
            values[self.place[part.name]] += part.value
        return [rounded(value) for value in values]

    def row(self, row: RankingRow) -> RankingRowData:
        """Return a row of a ranking for the browser."""
        return RankingRowData(
            node=row.hit.passage_id,
            rank=row.rank,
            score=rounded(row.hit.score),
            parts=self.values(row.hit.parts),
            kept=row.kept,
        )

    def ranking(self, now: Frame, gold: Collection[str]) -> RankingData:
        """Return the ranking at a step: all rows above the cut-off, the next few, and all gold."""
        kept = sum(row.kept for row in now.ranking_rows)
        return RankingData(
            rows=[
                self.row(row)
                for row in now.ranking_rows
                if row.rank <= kept + BELOW + 1 or row.hit.passage_id in gold
            ],
            total=len(now.ranking_rows),
            cut_off=kept,
            cut_off_score=None if now.cutoff is None else rounded(now.cutoff),
        )

    def data(self) -> ScoreData:
        """Return the legend of the scores, for the browser."""
        made = self.helpfulness
        return ScoreData(
            name="Helpfulness" if made else self._ranked_by(),
            formula=self._formula(made) if made else "",
            note=made.note if made else "",
            parts=[self._score_part(key, made) for key in self.keys],
        )

    def _ranked_by(self) -> str:
        """Return the name of the final scores.

        They are what was spread last, if the best passage has that score.
        """
        spread = next((one for one in reversed(self.steps) if isinstance(one, Spread)), None)
        first = next(iter(result(self.steps).hits), None)
        mass = {hit.passage_id: hit.score for hit in spread.hits} if spread else {}
        if spread and first and isclose(mass.get(first.passage_id, -1.0), first.score):
            return spread.of
        return "score"

    def _formula(self, made: Helpfulness) -> str:
        """Return the formula of the card, with the weight of importance that was set."""
        asked = (step for step in self.steps if isinstance(step, Asked))
        weight = next((one.weight_of_visits for one in asked if one.weight_of_visits), 0.0)
        if weight in (0.0, PAPER_WEIGHT):
            return made.formula
        return f"H = SIM / 2 + {weight:g} IMP"

    def _free_tone(self, word: str) -> str:
        known = self.spec.parts if self.spec else {}
        words = [key for key in self.keys if key not in known]
        return _free_tones(self.spec, self.keys)[words.index(word)]

    def _score_part(self, key: str, formula: Helpfulness | None) -> ScorePartData:
        """Return the legend entry of a score part: label, meaning, and colour number."""
        declared = self.spec.parts if self.spec else {}
        tone, meaning = declared.get(key, ("", ""))
        asked = {step.id: step.query for step in self.steps if isinstance(step, Asked)}
        return ScorePartData(
            label=key,
            meaning=asked.get(key, meaning),
            tone=TONES.index(tone or self._free_tone(key)),
            half=formula.half(key) if formula else "",
        )


def _free_tones(spec: Spec | None, keys: Sequence[str]) -> str:
    """Return the tones that no part of the card among `keys` has."""
    known = spec.parts if spec else {}
    taken = {known[key][0] for key in keys if key in known}
    return "".join(tone for tone in TONES if tone not in taken)


def scores_of(spec: Spec | None, steps: Sequence[Step]) -> Scores:
    """Return the parts of all scores of `steps`: those of the card first, then words."""
    known = spec.parts if spec else {}
    total: dict[str, float] = defaultdict(float)
    for part in _parts(steps):
        total[part.name] += abs(part.value)
    met = [name for name in total if total[name] or name in known]
    words = sorted((name for name in met if name not in known), key=lambda name: -total[name])
    keys = [name for name in known if name in met]
    most = min(WORDS, len(_free_tones(spec, keys)))
    keys += words if len(words) <= most else [*words[: most - 1], OTHERS]
    place = {name: number for number, name in enumerate(keys)}
    return Scores(spec, steps, keys, {name: place.get(name, len(keys) - 1) for name in total})


def _parts(steps: Iterable[Step]) -> Iterable[Part]:
    """Yield the parts of all scores in the steps, in order, with those of visit counts."""
    for step in steps:
        if isinstance(step, Offered):
            for offer in step.offers:
                yield from offer.parts
            for arrival in step.arrivals:
                yield from arrival.parts
        elif isinstance(step, Spread | Pooled):
            for hit in step.hits:
                yield from hit.parts
        elif isinstance(step, Ranked):
            for hit in (*step.hits, *step.pruned):
                yield from hit.parts
        if isinstance(step, Asked) and step.weight_of_visits:
            yield Part("importance", step.weight_of_visits)
