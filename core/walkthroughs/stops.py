"""The stop of each step. It depends on its step alone, not on how one came there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from core.playback import Frame
from core.playback.reasons import reason_of
from core.playback.step_labels import merely_begins
from core.playback.wording import begun
from core.steps import ROOT, Asked, Began, Offered, Pooled, Ranked, Said, Spread, Step
from core.trace_analysis.trace_frames import Played
from core.walkthroughs.candidates import Candidates, followed, labelled, scored
from core.walkthroughs.cards import Cards
from core.walkthroughs.contract import (
    CandidateData,
    CardData,
    HelpfulnessData,
    QueueData,
    RankingData,
    StatesData,
    StopData,
    StopKind,
)
from core.walkthroughs.edges import Edges
from core.walkthroughs.gold import Piece
from core.walkthroughs.headlines import Headlines, speaker
from core.walkthroughs.nodes import Nodes
from core.walkthroughs.score import Scores
from core.walkthroughs.wording import number_of, quoted

KINDS: Mapping[type, StopKind] = {
    Asked: "question",
    Began: "round",
    Offered: "candidates",
    Spread: "iteration",
    Said: "statement",
    Pooled: "merging",
    Ranked: "result",
}
_T = TypeVar("_T")


@dataclass
class Table(list[_T]):
    """Different values in the order in which they came."""

    _numbers: dict[str, int] = field(default_factory=dict)

    def number(self, value: _T) -> int:
        """Return the number of a value; it is added if it is new."""
        key = repr(value)
        if key not in self._numbers:
            self._numbers[key] = len(self)
            self.append(value)
        return self._numbers[key]


@dataclass
class Stops:
    """Makes the stops of a walkthrough, and keeps what they refer to by number.

    Parameters
    ----------
    exchanges : by step, the numbers of what a model was asked there.
    nouns : what a piece of gold is called, and several.
    columns : the column of each node that the overview draws.
    """

    played: Played
    nodes: Nodes
    edges: Edges
    cards: Cards
    candidates: Candidates
    scores: Scores
    headlines: Headlines
    gold: Sequence[Piece]
    nouns: tuple[str, str]
    exchanges: Mapping[int, Sequence[int]]
    columns: Mapping[str, int]
    rankings: Table[RankingData] = field(default_factory=Table)
    queues: Table[QueueData] = field(default_factory=Table)
    states: Table[StatesData] = field(default_factory=Table)

    @property
    def steps(self) -> Sequence[Step]:
        """The steps of the retrieval."""
        return self.played.trace.steps

    def every(self) -> list[int]:
        """Return the steps that have a stop: all but rounds that merely begin."""
        following = [*self.steps[1:], None]
        pairs = enumerate(zip(self.steps, following, strict=True), start=1)
        return [t for t, (one, then) in pairs if then is None or not merely_begins(one, then)]

    def stop(self, t: int) -> StopData:
        """Return the stop of step `t`."""
        now = self.played.at[t]
        here = self._here(now)
        origin = self.nodes.origins.get(here)
        candidates = _led_by(self.candidates.of_step(now, here), self.headlines.about(now))
        came = origin.source if origin else ""
        line = origin.line if origin and not origin.is_seed else ""
        card = self.cards.card(here, now, self._matters(here, line, candidates))
        way = [one for one in self.nodes.path(here) if one != ROOT]
        if now.ended and now.depth == 1:
            way = [hit.passage_id for hit in now.hits]
        covered = self.nodes.covered_by(way)
        added = covered - self.nodes.covered_by(way[:-1]) if here in way else frozenset[str]()
        holding, known = self.nodes.gold_numbers, self.edges.known
        waiting = QueueData(nodes=[*now.queue], joined=[*now.joined], left=[*now.left])
        seen = StatesData(
            nodes={n: state for n, state in self.cards.states(now).items() if n in self.columns},
            followed=known(now.walked),
            not_followed=[line for line in known(now.refused) if line in self.edges.wanted],
        )
        return StopData(
            t=t,
            kind=KINDS[type(now.step)],
            label=self.label(now, here),
            round=self._round(t),
            headline=self.headlines.of(now),
            notes=self._notes(now),
            came_from=self._came_from(came, line, now) if came else None,
            arrived_by=line,
            here=card,
            candidates=candidates,
            candidates_label=labelled(now),
            more_candidates=max(0, scored(now) - len(candidates)),
            scored=scored(now),
            covered=self.nodes.words.numbers(covered),
            covered_here=self.nodes.words.numbers(added),
            stack=self._stack(now),
            folded=[],
            chain=None,
            helpfulness=self.helpfulness(
                self._nodes_with_sums(now, here, candidates), now, self.played.at[t - 1]
            ),
            ranking=self.rankings.number(self.scores.ranking(now, holding)),
            queue=self.queues.number(waiting),
            states=self.states.number(seen),
            gold_status=[piece.status(now) for piece in self.gold],
            exchanges=[*self.exchanges.get(t, ())],
            statements=len(now.said),
        )

    def label(self, now: Frame, here: str) -> str:
        """Return the label of a step on the timeline."""
        match now.step:
            case Offered() as step if now.current and self.nodes.kind(here) != "query":
                return self.nodes.title(here)
            case Asked() as step if now.depth > 1:
                return f"Search {step.id}"
            case Spread() if now.round and now.round.number:
                return begun(str(now.round))
            case Offered() as step if not step.entry:
                return begun(step.of)
            case Pooled():
                return "Merging"
            case Said() as step:
                return speaker(step)
            case Ranked() if now.depth > 1 and now.asked:
                return f"List of {now.asked.id}"
        return self.played.names[now.t - 1].text

    def _round(self, t: int) -> str:
        """Return the round of a step, or the round of the search it belongs to."""
        at, names = self.played.at, self.played.names
        if names[t - 1].round or at[t].depth < 2:
            return names[t - 1].round
        outer = next((n for n in range(t - 1, 0, -1) if at[n].depth < at[t].depth), 0)
        return self._round(outer) if outer else ""

    def question(self, now: Frame) -> str:
        """Return the node of the question of the innermost retrieval."""
        asked = now.asked.id if now.asked else ROOT
        return asked if asked in self.nodes.plot.cast.questions else ROOT

    def _here(self, now: Frame) -> str:
        known = {*self.nodes.plot.cast.names}
        about = now.step.about if isinstance(now.step, Said) else now.current
        return about if about and about in known else self.question(now)

    def _stack(self, now: Frame) -> list[str]:
        """Return the queries of the retrievals around that of a step, the outermost first."""
        open_: list[str] = []
        for step in self.steps[: now.t]:
            if isinstance(step, Asked):
                open_.append(step.query)
            elif isinstance(step, Ranked) and step is not now.step:
                open_.pop()
        return open_[:-1]

    def _came_from(self, node: str, line: str, now: Frame) -> CardData:
        raised = self.edges.sentence(line, node) if line else None
        return self.cards.card(node, now, (raised,))

    def _matters(self, here: str, line: str, found: Sequence[CandidateData]) -> list[int | None]:
        """Return the sentences of `here` that raise what is followed, and the one that answers."""
        raised = [self.edges.sentence(one["edge"], here) for one in followed(found) if one["edge"]]
        offered = [self.edges.sentence(one["edge"], here) for one in found if one["edge"]]
        answers = self.edges.sentence(line, here) if line else None
        return [*raised, answers] if any(raised) or answers is not None else offered[:1]

    def _notes(self, now: Frame) -> list[str]:
        """Return the notes of a stop: gold that is reached, reasons, and fallbacks."""
        step = now.step
        if step is None:
            return []
        notes: list[str] = []
        if isinstance(step, Offered) and not step.entry:
            again = {visit.id for visit in now.arrivals if not visit.new}
            reached = [one.target for one in step.taken if one.target not in again]
            named = self.headlines.of(now)
            unnamed = [one for one in reached if quoted(self.nodes.title(one)) not in named]
            notes.append(self.headlines.gold_among(unnamed))
        if isinstance(step, Ranked) and now.depth == 1:
            kept = sum(piece.retrieved for piece in self.gold)
            notes.append(gold_told(kept, len(self.gold), *self.nouns) if self.gold else "")
        notes += self._dropped.get(now.t, ())
        if not (isinstance(step, Offered) and not step.offers):  # its headline has the reason
            notes.append(unsaid(reason_of(step), self.headlines.of(now)))
        if step.told.fallback:
            notes.append(f"Fallback: {step.told.fallback}")
        spec = self.played.spec
        first = now.round is not None and now.round.number == 1
        if spec and first and now.round and not isinstance(step, Ranked):
            notes.append(spec.card.rounds.get(now.round.name, ""))
        return [one for one in dict.fromkeys(notes) if one]

    @cached_property
    def _dropped(self) -> dict[int, list[str]]:
        """Return which gold drops out of the top k for good, by step."""
        sentences: dict[int, list[str]] = {}
        for node in self.nodes.gold_numbers:
            drop = self.played.falls[node]
            if drop and drop.above:
                title = quoted(self.nodes.title(node))
                sentences.setdefault(drop.t, []).append(f"{drop.of(title)}.")
        return sentences

    def _nodes_with_sums(self, now: Frame, here: str, found: Sequence[CandidateData]) -> list[str]:
        """Return the nodes whose score may be shown as a sum, best first.

        They are the one in the headline, gold just selected, other selected nodes, and `here`.
        """
        taken = [one["card"]["node"] for one in followed(found)]
        holding = [node for node in taken if node in self.nodes.gold_numbers]
        return [*filter(None, [self.headlines.about(now)]), *holding, *taken, here]

    def helpfulness(
        self, nodes: Sequence[str], now: Frame, before: Frame
    ) -> HelpfulnessData | None:
        """Return the sum of the first of `nodes` that has one, and what it was at `before`."""
        for node in nodes:
            row = self.cards.row(node, now)
            if row:
                earlier = self.cards.row(node, before) if same_bracket(before, now) else None
                made = self.scores.row(row)
                was = self.scores.row(earlier) if earlier else None
                changed = was is not None and was["parts"] != made["parts"]
                return HelpfulnessData(
                    row=made,
                    before=was if changed else None,
                    why_lower=self._why_lower(node, now, before) if changed else "",
                )
        return None

    def _why_lower(self, node: str, now: Frame, before: Frame) -> str:
        """Return that the share of visits of `node` fell since `before`; empty if it did not."""
        if not now.asked or not now.asked.weight_of_visits:
            return ""
        own, earlier = now.counter.get(node, 0), before.counter.get(node, 0)
        if not earlier or own * before.visits >= earlier * now.visits:
            return ""
        return f"IMP fell from {earlier}/{before.visits} to {own}/{now.visits} of all visits"


def same_bracket(before: Frame, now: Frame) -> bool:
    """Return whether two frames are of one retrieval."""
    return bool(before.asked and now.asked and before.asked.id == now.asked.id)


def _led_by(found: Sequence[CandidateData], node: str) -> list[CandidateData]:
    """Return candidates with the one of `node` first."""
    return sorted(found, key=lambda one: one["card"]["node"] != node)


def without_candidates(stop: StopData) -> StopData:
    """Return a stop at which nothing is chosen."""
    return {
        **stop,
        "came_from": None,
        "arrived_by": "",
        "candidates": [],
        "candidates_label": "",
        "more_candidates": 0,
        "scored": 0,
        "covered_here": [],
        "helpfulness": None,
        "exchanges": [],
    }


def unsaid(reason: str, headline: str) -> str:
    """Return the part of a reason that a headline does not repeat.

    >>> unsaid("The only edge is followed (similarity 0.376).", "The only edge is followed.")
    'Similarity 0.376.'
    >>> unsaid("The model chose it.", "The only edge is followed.")
    'The model chose it.'
    """
    sentence, bracket, rest = reason.rstrip(".").rpartition(" (")
    if not (bracket and rest.endswith(")") and headline.startswith(sentence)):
        return reason
    return f"{begun(rest[:-1])}."


def gold_told(kept: int, all_: int, noun: str, nouns: str) -> str:
    """Say in a sentence how much of the gold is retrieved.

    >>> gold_told(1, 1, "gold passage", "gold passages")
    'The only gold passage is retrieved.'
    >>> gold_told(1, 3, "piece of evidence", "pieces of evidence")
    '1 of 3 pieces of evidence is retrieved.'
    """
    if 0 < kept < all_:
        return f"{kept} of {all_} {nouns} {'is' if kept == 1 else 'are'} retrieved."
    return f"{number_of(kept, all_, noun, nouns)} retrieved."
