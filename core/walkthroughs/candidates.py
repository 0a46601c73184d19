"""Candidates of a step: where each leads, what became of it, and why."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from core.funnel.data import LOWEST
from core.playback import Frame
from core.steps import Offer, Offered, Pooled, Ranked, Spread
from core.text.display.scores import both
from core.text.stop_words import STOP_WORDS
from core.types import Hit
from core.walkthroughs.cards import Cards
from core.walkthroughs.contract import CandidateData, Verdict
from core.walkthroughs.edges import Edges
from core.walkthroughs.score import Scores, rounded
from core.walkthroughs.wording import quoted, series

MOST = 8
"""Candidates of a stop; more are counted. Gold and what is followed come before others."""
MOST_PARTS = 3
"""Parts of a score that are named as its reason."""
BY_RANK = "1/rank"
"""The part of a score that is given for a place in a list."""


@dataclass(frozen=True)
class Candidates:
    """Makes the candidates of a stop."""

    cards: Cards
    edges: Edges
    scores: Scores
    gold: Collection[str]

    def of_step(self, now: Frame, at: str) -> list[CandidateData]:
        """Return the candidates of a frame's step, at the node `at`."""
        match now.step:
            case Offered() as step:
                shown = shown_offers(step, self.gold)
                return [self._candidate(offer, step, now, at) for offer in shown]
            case Spread() | Pooled() | Ranked() as step:
                first = self._joined(step) if isinstance(step, Spread) else self.gold
                return [self._ranked_candidate(hit, now) for hit in _shown_hits(step, first)]
        return []

    def _candidate(self, offer: Offer, step: Offered, now: Frame, at: str) -> CandidateData:
        """Describe one candidate of a step, with its verdict and reason."""
        # A seed is found by the question that it answers, which is its label.
        edge = offer.tie if not step.entry and self.edges.known([offer.tie]) else ""
        answers = self.edges.sentence(edge, offer.target) if edge else None
        way = self.cards.nodes.path(at)
        return CandidateData(
            card=self.cards.card(offer.target, now, (answers,)),
            edge=edge,
            label=offer.label,
            score=rounded(offer.score),
            verdict=_verdict(offer, step, now),
            reason=_reason(offer, step),
            adds=self.cards.nodes.added(offer.target, way),
        )

    def _ranked_candidate(self, hit: Hit, now: Frame) -> CandidateData:
        """Describe one row of a ranking as a candidate."""
        node = hit.passage_id
        row = self.cards.row(node, now)
        evidence = self.cards.nodes.evidence_sentences(node)
        return CandidateData(
            card=self.cards.card(node, now, evidence),
            edge="",
            label="",
            score=rounded(hit.score),
            verdict="cut_off" if row and not row.kept else "kept",
            reason=series(names) if (names := self.led(hit)) else "",
            adds=self.cards.nodes.added(node, ()),
        )

    def _joined(self, step: Spread) -> Collection[str]:
        """Return gold that has a share, and for each the node beside it with the largest share."""
        shares = {hit.passage_id: place for place, hit in enumerate(step.hits)}
        beside: dict[str, list[str]] = {node: [] for node in shares if node in self.gold}
        for line in self.cards.nodes.plot.cast.lines:
            for node, other in ((line.source, line.target), (line.target, line.source)):
                if node in beside and other in shares:
                    beside[node].append(other)
        nearest = (min(others, key=shares.__getitem__) for others in beside.values() if others)
        return {*beside, *nearest}

    def led(self, hit: Hit) -> list[str]:
        """Return the parts that most of a score comes from, best first."""
        known = self.scores.spec.parts if self.scores.spec else {}
        if len(hit.parts) == 1 and hit.parts[0].name in known:  # the whole score
            return []
        parts = sorted(hit.parts, key=lambda part: -part.value)
        return [
            part.name if part.name in known else quoted(part.name)
            for part in parts[:MOST_PARTS]
            if part.value > 0 and part.name != BY_RANK and part.name not in STOP_WORDS
        ]


def shown_offers(step: Offered, gold: Collection[str]) -> list[Offer]:
    """Return the offers of a step that a stop shows, best first."""
    order = sorted(
        range(len(step.offers)),
        key=lambda n: (step.offers[n].target not in gold, not step.offers[n].taken, n),
    )
    return [step.offers[number] for number in sorted(order[:MOST])]


def _shown_hits(step: Spread | Pooled | Ranked, gold: Collection[str]) -> list[Hit]:
    hits = [*step.hits, *(step.pruned if isinstance(step, Ranked) else ())]
    order = sorted(range(len(hits)), key=lambda n: (hits[n].passage_id not in gold, n))
    return [hits[number] for number in sorted(order[:MOST])]


def _verdict(offer: Offer, step: Offered, frame: Frame) -> Verdict:
    """Return the outcome of a candidate at a step, given the frame after it.

    An edge is `followed_again` if its target had been visited before.
    """
    if step.entry:
        return "seed" if offer.taken else "cut_off"
    walks = bool(step.arrivals) or bool(offer.tie) or bool(frame.queue)
    if not offer.taken:
        return "not_followed" if walks else "cut_off"
    if not step.arrivals:
        return "kept"
    visits = [visit for visit in frame.arrivals if visit.id == offer.target]
    # A seed has been reached before an edge leads to it, but nothing has been followed to it.
    before = frame.counter[offer.target] - len(visits) - (offer.target in frame.entries)
    again = any(
        not visit.new and visit.tie in ("", offer.tie) and before + earlier > 0
        for earlier, visit in enumerate(visits)
    )
    return "followed_again" if again else "followed"


def _reason(offer: Offer, step: Offered) -> str:
    """Return why an offer was not taken, or what spoke for it."""
    if offer.taken:
        return "; ".join(f"{what} {text}" for what, text in offer.notes)
    if offer.why:
        return _of_passage(offer.why)
    least = min((one.score for one in step.taken), default=None)
    if least is None or step.told.exchange or offer.score >= least:
        return ""
    own, last = both(offer.score, least)
    return f"score {own}, {LOWEST} {last}"


def _of_passage(why: str) -> str:
    """Say that the score in a reason is the passage's; the one beside the question is the edge's.

    >>> _of_passage("score 0.473, cut-off 0.692 (rank 20)")
    'passage score 0.473, cut-off 0.692 (rank 20)'
    >>> _of_passage("only the best 4 are followed")
    'only the best 4 are followed'
    """
    return f"passage {why}" if why.startswith("score ") else why


def labelled(now: Frame) -> str:
    """Return the noun for the candidates of a step."""
    match now.step:
        case Offered() as step:
            return "seeds" if step.entry else step.of
        case Spread() as step:
            return step.of
        case Pooled() | Ranked():
            return "passages"
    return ""


def scored(now: Frame) -> int:
    """Count the candidates of a step that were scored, listed or not."""
    match now.step:
        case Offered() as step:
            return step.scored
        case Spread() | Pooled() as step:
            return len(step.hits)
        case Ranked() as step:
            return len(step.hits) + len(step.pruned)
    return 0


def followed(candidates: Sequence[CandidateData]) -> list[CandidateData]:
    """Return the candidates that were taken."""
    taken = ("followed", "followed_again", "seed", "kept")
    return [one for one in candidates if one["verdict"] in taken]
