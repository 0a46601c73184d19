"""A policy whose choices are changed by manual amendments; see `core.counterfactual`."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from core.counterfactual import Amendment, Amendments, Judge, Refuse, Seed, Take
from core.retrievers.hoprag.traverse import Policy, Verdict
from core.steps import Arrival, Offer
from core.store.index import Index

_NOTE_AND_REASON = {
    Take: ("taken", "One edge is followed by hand."),
    Refuse: ("refused", "One edge is refused by hand."),
    Judge: ("chosen", "The choice is made by hand."),
}
"""The note on the edge, and the reason of the choice, by amendment."""


class AmendedPolicy(Policy):
    """Chooses as `policy`, except where `amendments` change the choice.

    At a vertex with a `Judge`, no model is called. An edge that cannot be followed there is
    ignored; `core.counterfactual.outcomes` reports it.
    """

    def __init__(self, policy: Policy, amendments: Amendments) -> None:
        at_edges = sorted((a for a in amendments if not isinstance(a, Seed)), key=lambda a: a.at)
        self._policy = policy
        self._amendments_at = {
            at: tuple(those) for at, those in groupby(at_edges, key=lambda a: a.at)
        }

    def expect(self, seeds: Sequence[str]) -> None:
        self._policy.expect(seeds)

    def begin(self, queue: Sequence[str]) -> None:
        self._policy.begin([vertex for vertex in queue if not self._is_judged(vertex)])

    def enter(self, passage_id: str, tie: str = "") -> Arrival:
        return self._policy.enter(passage_id, tie)

    def judge(self, vertex: str) -> Verdict:
        """Judge a vertex by the policy, then apply its amendments: `Judge` first."""
        verdict = self._policy.judge(vertex)
        for one in sorted(self._amendments_at.get(vertex, ()), key=_judged_first):
            verdict = self._apply(vertex, verdict, one)
        return verdict

    def arrive(self, vertex: str, offer: Offer) -> Arrival:
        return self._policy.arrive(vertex, offer)

    def offer_at(self, vertex: str, tie: str) -> Offer | None:
        return self._policy.offer_at(vertex, tie)

    def _is_judged(self, vertex: str) -> bool:
        judged = (one.tie for one in self._amendments_at.get(vertex, ()) if isinstance(one, Judge))
        return any(tie is None or self.offer_at(vertex, tie) for tie in judged)

    def _apply(self, vertex: str, verdict: Verdict, one: Amendment) -> Verdict:
        """Apply one amendment to the verdict at a vertex, if it changes anything there."""
        taken = {offer.tie for offer in verdict.chosen}
        match one:
            case Take(tie=tie) if tie not in taken:
                return self._with_ties(vertex, verdict, one, taken | {tie})
            case Refuse(tie=tie) if tie in taken:
                return self._with_ties(vertex, verdict, one, taken - {tie})
            case Judge(tie=tie):
                return self._with_ties(vertex, verdict, one, {tie} if tie else set())
        return verdict

    def _with_ties(
        self, vertex: str, verdict: Verdict, one: Take | Refuse | Judge, ties: set[str]
    ) -> Verdict:
        """Return `verdict` with `ties` chosen; unchanged if one of them cannot be followed here."""
        missing = ties - {offer.tie for offer in verdict.offers}
        new = [offer for tie in missing if (offer := self.offer_at(vertex, tie))]
        if len(new) < len(missing):
            return verdict
        if isinstance(one, Judge):
            verdict = replace(verdict, reason="", fallback="", judgement="", exchange=None)
        done, said = _NOTE_AND_REASON[type(one)]
        listed = [
            _with_note(offer, done) if offer.tie == one.tie else offer
            for offer in sorted((*verdict.offers, *new), key=lambda offer: -offer.score)
        ]
        return replace(
            verdict,
            offers=tuple(listed),
            chosen=tuple(offer for offer in listed if offer.tie in ties),
            reason=f"{verdict.reason} {said}".strip(),
            by_hand=(*verdict.by_hand, str(one)),
        )


def amended(policy: Policy, amendments: Amendments) -> Policy:
    """Return `policy` with the manual choices; `policy` itself without any."""
    return AmendedPolicy(policy, amendments) if amendments else policy


def amended_seeds(
    policy: Policy, offers: Sequence[Offer], amendments: Amendments, index: Index
) -> tuple[tuple[Offer, ...], tuple[Arrival, ...], tuple[str, ...]]:
    """Return the candidate seeds, the arrivals of the selected ones, and the amendments applied."""
    wanted = {one.at: one for one in amendments if isinstance(one, Seed)}
    found: list[Offer] = []
    arrivals: list[Arrival] = []
    by_hand: list[str] = []
    policy.expect([offer.target for offer in offers])
    for offer in offers:
        one = wanted.get(offer.target)
        if one and not one.added:
            by_hand.append(str(one))
            found.append(_with_note(offer, "not used as a seed"))
        else:
            arrivals.append(policy.enter(offer.target, offer.tie))
            found.append(replace(offer, taken=True))
    there = {offer.target for offer in offers}
    for one in wanted.values():
        if one.added and one.at not in there and one.at in index.number:
            arrival = policy.enter(one.at)
            score = sum(part.value for part in arrival.parts)
            by_hand.append(str(one))
            arrivals.append(arrival)
            seed = Offer(one.at, score, arrival.parts, taken=True)
            found.append(_with_note(seed, "started here"))
    return tuple(found), tuple(arrivals), tuple(by_hand)


def _with_note(offer: Offer, done: str) -> Offer:
    """Prepend the note, because the narration uses the first one."""
    return replace(offer, notes=(("by hand:", done), *offer.notes))


def _judged_first(one: Amendment) -> bool:
    """Sort key: `Judge` comes first, since the others change the choice that it makes."""
    return not isinstance(one, Judge)
