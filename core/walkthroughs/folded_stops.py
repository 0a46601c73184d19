"""Several uneventful steps as one stop."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.playback import Frame
from core.steps import Asked, Offered, Pooled, Ranked, Spread
from core.text.display.cropping import ranged
from core.text.display.plurals import number, several
from core.walkthroughs.contract import CandidateData, FoldedStepData, QueueData, StopData
from core.walkthroughs.stops import Stops, same_bracket
from core.walkthroughs.wording import quoted, series

Outcome = Literal["new", "again", "not_followed", "none"]
ORDER = ("followed", "kept", "not_followed", "followed_again", "seed", "cut_off")
SHOWN = 4
"""Candidates that a fold shows: the most telling of all its steps."""


@dataclass(frozen=True)
class Folds:
    """Makes folds of stops.

    Parameters
    ----------
    every : the stop of each step, by its number in the walkthrough.
    """

    stops: Stops
    every: Sequence[StopData]

    def fold(self, numbers: Sequence[int]) -> StopData:
        """Return one stop for the stops of these numbers."""
        folded = [self.every[number] for number in numbers]
        first, last = folded[0], folded[-1]
        at = self.stops.played.at
        now, before = at[last["t"]], at[first["t"] - 1]
        steps = [self._folded_step(number) for number in numbers]
        named = self._nodes_of_headline([at[stop["t"]] for stop in folded], before)
        candidates = _telling(folded, named)
        shown = [*named, *(one["card"]["node"] for one in candidates)]
        made: StopData = {
            **last,
            "kind": "fold",
            "label": f"+{len(numbers)}",
            "round": _rounds([one["round"] for one in folded]),
            "headline": self._headline(folded, steps, before, named),
            "notes": [],
            "came_from": None,
            "arrived_by": "",
            "queue": self.stops.queues.number(_change_of_queue(before, now)),
            "candidates": candidates,
            "more_candidates": 0,
            "covered": [],
            "covered_here": [],
            "folded": steps,
            "helpfulness": self.stops.helpfulness(shown, now, before) or last["helpfulness"],
            "exchanges": [one for stop in folded for one in stop["exchanges"]],
        }
        return made

    def one(self, numbers: Sequence[int], shown: int) -> StopData:
        """Return the stop `shown` for stops of these numbers, of which others show the same."""
        return {**self.every[shown], "folded": [self._folded_step(number) for number in numbers]}

    def _folded_step(self, number: int) -> FoldedStepData:
        """Return the stop `number` as an item in the list of a folded stop."""
        stop = self.every[number]
        now = self.stops.played.at[stop["t"]]
        node = stop["here"]["node"]
        outcome = _outcome(now, self.stops.played.at[now.t - 1])
        return FoldedStepData(stop=number, node=node, title=stop["label"], outcome=outcome)

    def _headline(
        self,
        folded: Sequence[StopData],
        steps: Sequence[FoldedStepData],
        before: Frame,
        named: Sequence[str],
    ) -> str:
        """Summarise the folded steps: what entered the top k, or which gold was reached."""
        at = self.stops.played.at
        frames = [at[stop["t"]] for stop in folded]
        now = frames[-1]
        k = now.asked.top_k if now.asked else 0
        if all(isinstance(frame.step, Spread) for frame in frames):
            entered = _entering_top_k(before, now)
            few = {0: "no passage enters", 1: "one passage enters"}
            entering = few.get(len(entered), f"{number(len(entered), 'passage')} enter")
            return f"In the next {number(len(steps), 'iteration')}, {entering} the top {k}."
        if walks := _walks(frames):
            who = _next(len(walks), self.stops.nodes.noun(walks[0].at))
            return self._walked(who, frames, named, k)
        who = _next(len(steps), "step")
        if asked := [frame.step.id for frame in frames if isinstance(frame.step, Asked)]:
            return self._searched(asked, folded, frames)
        reached = [node for frame in frames for node in _selected_nodes(frame)]
        gold_among = self.stops.headlines.gold_among
        if gold := gold_among([node for node in reached if node not in before.roles]):
            return f"{who} reach gold: {gold}"
        return f"{who} reach no {'new ' if gold_among(reached) else ''}gold evidence."

    @staticmethod
    def _searched(asked: Sequence[str], folded: Sequence[StopData], frames: Sequence[Frame]) -> str:
        """Say which searches are folded; of one alone, what it uses and returns."""
        if len(asked) > 1:
            joint = "and" if len(asked) == 2 else "to"
            return f"Searches {asked[0]} {joint} {asked[-1]} follow."
        sentences = [
            stop["headline"]
            for stop, now in zip(folded, frames, strict=True)
            if now.asked and now.asked.id == asked[0] and isinstance(now.step, Asked | Ranked)
        ]
        return " ".join(sentences)

    def _nodes_of_headline(self, frames: Sequence[Frame], before: Frame) -> list[str]:
        """Return the passages that the headline of merged stops is about.

        They are those reached first, or else those that enter the top k; gold comes first, then the
        best of the result.
        """
        if not _walks(frames):
            return []
        now = frames[-1]
        named = _reached(frames) or _entering_top_k(before, now)
        result, gold = self._result(now), self.stops.nodes.gold_numbers
        last = len(result)
        order = {row.hit.passage_id: row.rank for row in now.ranking_rows}
        return sorted(
            named,
            key=lambda node: (node not in gold, result.get(node, last), order.get(node, 0), node),
        )

    def _walked(self, who: str, frames: Sequence[Frame], named: Sequence[str], k: int) -> str:
        """Say which new passages the folded visits reach, and how many of them are retrieved."""
        if not named:
            return f"{who} add no passage to the top {k}."
        names = series([quoted(self.stops.nodes.title(node)) for node in named])
        if not _reached(frames):
            moves = "moves" if len(named) == 1 else "move"
            return f"{who} lead to no new passages, but {names} {moves} up into the top {k}."
        kept = len({*named} & self._result(frames[-1]).keys())
        lead = f"{who} lead to {number(len(named), 'new passage')}"
        if len(named) == 1:
            return f"{lead}, {names}, which is {'' if kept else 'not '}in the final top {k}."
        every = "both are" if len(named) == 2 else "all of them are"
        those = {0: "none of them is", 1: "one of them is", len(named): every}
        return f"{lead}, {names}; {those.get(kept, f'{kept} of them are')} in the final top {k}."

    def _result(self, now: Frame) -> dict[str, int]:
        """Return the final hits of the retrieval that the step belongs to, with their places."""
        after = self.stops.played.at[now.t :]
        ends = (
            one.hits for one in after if isinstance(one.step, Ranked) and same_bracket(one, now)
        )
        return {hit.passage_id: place for place, hit in enumerate(next(ends, ()))}


def _next(count: int, noun: str) -> str:
    """Return the subject of a fold's headline; a fold has two steps at least."""
    return f"The next {count} {several(noun)}"


def _selected_nodes(now: Frame) -> list[str]:
    """Return the nodes that a step selects or lists."""
    if isinstance(now.step, Offered):
        return [offer.target for offer in now.step.taken]
    return [hit.passage_id for hit in getattr(now.step, "hits", ())]


def _change_of_queue(before: Frame, now: Frame) -> QueueData:
    """Return the queue after the folded steps, with all that joined and left it since `before`."""
    return QueueData(
        nodes=[*now.queue],
        joined=[node for node in now.queue if node not in before.queue],
        left=[node for node in before.queue if node not in now.queue],
    )


def _kept(now: Frame) -> set[str]:
    return {row.hit.passage_id for row in now.ranking_rows if row.kept}


def _entering_top_k(before: Frame, now: Frame) -> set[str]:
    """Return the passages that enter the top k between two frames of one retrieval."""
    return _kept(now) - _kept(before) if same_bracket(before, now) else set()


def _walks(frames: Sequence[Frame]) -> list[Offered]:
    """Return the steps of frames if each of them looks at a passage of a walk; else nothing."""
    walks = [one.step for one in frames if isinstance(one.step, Offered) and one.current]
    return walks if len(walks) == len(frames) and all(one.counter for one in frames) else []


def _reached(frames: Sequence[Frame]) -> set[str]:
    """Return the passages that are reached for the first time."""
    return {visit.id for now in frames for visit in now.arrivals if visit.new}


def _outcome(now: Frame, before: Frame) -> Outcome:
    """Classify a step: it reaches something new, or known nodes again, or follows no edge."""
    listed = _selected_nodes(now) if isinstance(now.step, Ranked | Pooled) else []
    if any(visit.new for visit in now.arrivals) or {*listed} - {*before.roles}:
        return "new"
    if listed or now.arrivals:
        return "again"
    return "not_followed" if now.offers and not any(one.taken for one in now.offers) else "none"


def _telling(folded: Sequence[StopData], named: Sequence[str]) -> list[CandidateData]:
    """Return the most telling candidates of several stops, each node once, `named` ones first."""
    by_node = {one["card"]["node"]: one for stop in reversed(folded) for one in stop["candidates"]}
    place = {node: number for number, node in enumerate(named)}
    order = sorted(
        by_node.values(),
        key=lambda one: (
            place.get(one["card"]["node"], len(named)),
            ORDER.index(one["verdict"]),
            -one["score"],
        ),
    )
    return order[:SHOWN]


def _rounds(names: Sequence[str]) -> str:
    """Return the rounds that a fold spans.

    >>> _rounds(["Hop 2", "Hop 2"]), _rounds(["Hop 2", "Hop 3", "Hop 4"]), _rounds(["", ""])
    ('Hop 2', 'Hops 2–4', '')
    """
    met = [name for name in dict.fromkeys(names) if name]
    return ranged(met[0], met[-1]) if met else ""
