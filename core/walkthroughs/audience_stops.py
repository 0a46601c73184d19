"""Choose the steps an audience sees one by one, and fold the others into single stops."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from core.lost_gold.rank_drops import Falls
from core.playback import Frame
from core.playback.step_labels import idle
from core.steps import Asked, Offer, Offered, Pooled, Ranked, Said, Spread, Step

MOST = 12
"""Stops of an audience, the evidence chain included."""
LEAST = 12.0
"""Interest of a step below which it is always folded: it brings nothing that an audience looks for,
such as gold that is reached or drops out, a passage high in the result, the first one of a hop, or
the first refusal."""


@dataclass(frozen=True)
class AudienceStops:
    """Chooses stops by what happens to gold and to the result.

    Parameters
    ----------
    every : the steps that have a stop.
    kept : by passage, its rank in the result.
    falls : the drops of passages below the cut-off.
    """

    steps: Sequence[Step]
    at: Sequence[Frame]
    every: Sequence[int]
    gold: Collection[str]
    kept: Mapping[str, int]
    falls: Falls

    def groups(self) -> list[list[int]]:
        """Return the steps of each stop in order: one alone, or several that are folded."""
        fixed = {t for t in self._shown if self._always(t)}
        rest = [t for t in self._shown if t not in fixed]
        chosen = fixed
        for t in sorted(rest, key=lambda t: (-self.interest(t), t)):
            if self.interest(t) < LEAST:
                break
            if len(self._stop_groups({*chosen, t})) < MOST:
                chosen = {*chosen, t}
        groups = self._stop_groups(chosen)
        apart = [piece for group in groups for piece in self._by_round(group)]
        return self._whole(apart if len(apart) < MOST else groups)

    def _whole(self, groups: Sequence[Sequence[int]]) -> list[list[int]]:
        """Return the groups with the steps that repeat what one of their steps shows."""
        merged = [[*group] for group in groups]
        stop_of = {t: group for group in merged for t in group}
        for t in self.every:
            if self.is_double(t):
                opens = isinstance(self.steps[t - 1], Asked)
                beside = min(one for one in stop_of if one > t) if opens else t - 1
                stop_of[t] = stop_of[beside]
                stop_of[t].append(t)
        return [sorted(group) for group in merged]

    @cached_property
    def _shown(self) -> list[int]:
        """Return the steps that an audience may see."""
        return [t for t in self.every if not self.is_double(t)]

    def is_double(self, t: int) -> bool:
        """Return whether the step beside this one shows the same.

        A search is opened and ends at once, or all that it found is listed once more.
        """
        step = self.steps[t - 1]
        if isinstance(step, Asked):
            return self.at[t].depth > 1 and isinstance(self.steps[t], Ranked)
        if isinstance(step, Offered):
            follows = isinstance(self.steps[t - 2], Ranked)
            return follows and self._repeats(t, step) and all(one.taken for one in step.offers)
        return False

    def _stop_groups(self, chosen: Collection[int]) -> list[list[int]]:
        """Group steps into stops: each chosen step alone, the steps between them together."""
        grouped: list[list[int]] = []
        for alone, run in groupby(self._shown, key=lambda t: t in chosen):
            together = list(run)
            grouped += [[t] for t in together] if alone else [together]
        return grouped

    def _by_round(self, group: Sequence[int]) -> list[list[int]]:
        """Split folded steps where a round begins that reaches passages of the result."""
        groups: list[list[int]] = []
        for _, run in groupby(group, key=lambda t: self.at[t].round):
            piece = list(run)
            if groups and not (self._reaches(groups[-1]) and self._reaches(piece)):
                groups[-1] += piece
            else:
                groups.append(piece)
        return groups

    def _reaches(self, group: Sequence[int]) -> bool:
        """Return whether steps reach a new passage of the result."""
        return any(node in self.kept for t in group for node in self._new(t))

    def _new(self, t: int) -> set[str]:
        return {visit.id for visit in self.at[t].arrivals if visit.new}

    def _always(self, t: int) -> bool:
        """Return whether a step is the question, the seeds, or the result of the whole."""
        step, now = self.steps[t - 1], self.at[t]
        outermost = now.depth == 1 and isinstance(step, Asked | Ranked)
        return outermost or (now.depth == 1 and isinstance(step, Offered) and step.entry)

    def interest(self, t: int) -> float:
        """Return how much a step matters to an audience.

        What happens to gold counts most, then what ends high in the result, then how the
        retrieval works: its first refusal, its first and last iteration, what is said.
        """
        step, now = self.steps[t - 1], self.at[t]
        match step:
            case Offered():
                return self._list_weight(t, step, now)
            case Spread():
                return self._among(t, Spread, 60, 40, 70 if self._kept_gold(t) else 1)
            case Said() if self._leads_to_search(t):
                return 65
            case Said():
                return 35 if step.ends or step.closes else 30
            case Pooled():
                return 10 if self._searched(t) else 50
            case Ranked():
                retrieved_gold = {hit.passage_id for hit in step.hits} & {*self.gold}
                return (
                    20 + 40 * bool(retrieved_gold) + 40 * bool(retrieved_gold - self._searched(t))
                )
            case Asked():
                return 8  # what is asked stands beside what is found
        return 1

    def _leads_to_search(self, t: int) -> bool:
        """Check whether a statement is followed by a search of its own."""
        return any(isinstance(step, Asked) for step in self.steps[t : t + 2])

    def _searched(self, t: int) -> set[str]:
        """Return the passages that searches returned before a step."""
        ended = (step for step in self.steps[: t - 1] if isinstance(step, Ranked))
        return {hit.passage_id for step in ended for hit in step.hits}

    def _repeats(self, t: int, step: Offered) -> bool:
        """Return whether a list is what searches returned, with no gold left out."""
        left_out = (offer.target for offer in step.offers if not offer.taken)
        again = {offer.target for offer in step.offers} <= self._searched(t)
        return bool(step.offers) and again and not any(one in self.gold for one in left_out)

    def _kept_gold(self, t: int) -> bool:
        """Return whether gold enters the top k at a step."""
        before, now = (
            {row.hit.passage_id for row in self.at[n].ranking_rows if row.kept} for n in (t - 1, t)
        )
        return any(node in self.gold for node in now - before)

    def _among(self, t: int, kind: type, first: float, last: float, other: float) -> float:
        alike = [n for n in self.every if isinstance(self.steps[n - 1], kind)]
        return {alike[-1]: last, alike[0]: first}.get(t, other)

    def _list_weight(self, t: int, step: Offered, frame: Frame) -> float:
        """Return how much a candidate list at step `t` matters to an audience; higher is more.

        Gold that is followed or refused, new passages of the result and the seeds count most.
        """
        new = self._new(t)
        if self._repeats(t, step):
            return 5
        points = float(bool(step.offers))
        for offer in step.offers:
            if offer.target in self.gold:
                points += self._of_gold(t, step, offer, offer.target in new)
        points += 40 * (step.at in self.gold and bool(new))
        points += 60 * (frame.current is None)
        points += 60 * (t in self._drops)
        points += sum(30 / self.kept[node] + 3 for node in new if node in self.kept)
        points += 10 * self._begins(t)
        refused = [n for n in self.every if _refuses(self.steps[n - 1])]
        return points + 14 * (refused[:1] == [t])

    def _of_gold(self, t: int, step: Offered, offer: Offer, is_new: bool) -> float:
        """Return the weight that a candidate adds if it is gold; a repetition adds nothing."""
        if offer.taken and (is_new or not step.arrivals):
            return 90
        before = [one for one in self.steps[: t - 1] if isinstance(one, Offered)]
        if offer.taken:
            ends = {step.at, offer.target}
            joined = any({one.at, other.target} == ends for one in before for other in one.taken)
            return 40 * (step.at in self.gold and not joined)
        known = any(offer.target == other.target for one in before for other in one.offers)
        return 45 * (not known)

    @cached_property
    def _drops(self) -> set[int]:
        """Return the steps at which gold drops out of the top k for good."""
        drops = (self.falls[node] for node in self.gold)
        return {drop.t for drop in drops if drop and drop.above}

    def _begins(self, t: int) -> bool:
        """Return whether a step is the first of its round that reaches a new passage."""
        round_ = self.at[t].round
        return bool(self._new(t)) and not any(
            self._new(n) for n in self.every if n < t and self.at[n].round == round_
        )


def _refuses(step: Step) -> bool:
    return isinstance(step, Offered) and not idle(step) and not step.taken
