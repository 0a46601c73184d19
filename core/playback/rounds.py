"""A whole round as one happening, for a player that goes by rounds."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from core.playback.grains import Grain
from core.playback.wording import begun, number, share, singular
from core.steps import Asked, Began, Offer, Offered, Ranked, Step

ROUND, STAGE = "round", "stage"
"""What comes several times, where it has no name of its own, and what comes once."""


@dataclass(frozen=True, slots=True)
class Round:
    """The round that step `t` belongs to, from its `Began` to `t`.

    `at` are the step numbers of what happened in it, without what its sub-questions did.
    `followed` are the offers taken in it, in order of time, with the place they were taken at;
    `new` the nodes that joined the queue; `considered` what was scored, `of` the words for it.
    """

    began: Began
    at: tuple[int, ...]
    of: str
    looked_at: tuple[str, ...]
    followed: tuple[tuple[str, Offer], ...]
    new: tuple[str, ...]
    considered: int

    @property
    def first(self) -> list[tuple[str, Offer]]:
        """Of what was `followed` the first to each node that is new."""
        found: dict[str, tuple[str, Offer]] = {}
        for at, offer in self.followed:
            if offer.target in self.new:
                found.setdefault(offer.target, (at, offer))
        return list(found.values())

    @property
    def told(self) -> list[tuple[str, Offer]]:
        """What was `followed`, first what led to something new, each best first."""
        first = self.first
        return sorted(self.followed, key=lambda one: (one not in first, -one[1].score))


def rounds_called(steps: Iterable[Step]) -> str:
    """What the rounds of a retrieval are called, for people: a hop where it says so."""
    named = {step.name for step in steps if isinstance(step, Began) and step.number}
    return "hop" if named == {"hop"} else ROUND


def stops_called(steps: Iterable[Step]) -> dict[Grain, str]:
    """What a player stops at, by grain, in a word: the retriever's own for its rounds.

    Where rounds and the searches inside of them are called alike, the finer stop is a part.
    """
    depth, outer, inner = 0, set[str](), set[str]()
    searches = False
    for step in steps:
        depth += isinstance(step, Asked)
        searches |= depth > 1
        if isinstance(step, Began):
            (inner if depth > 1 else outer).add(step.name if step.number else STAGE)
        depth -= isinstance(step, Ranked)
    whole = _noun(outer) if outer else "search"
    finer = _noun(inner) if inner else "search" if searches else whole
    if searches and finer == whole:
        finer = f"part of a {whole}"
    return {"whole": whole, "round": finer, "event": "step"}


def _noun(names: AbstractSet[str]) -> str:
    """The one of `names`; a step is what the finest stop is called."""
    (name, *others) = names
    return ROUND if others or name == "step" else name


def round_at(steps: Sequence[Step], t: int) -> Round | None:
    """The round of step `t`, as far as it has come; None when step `t` is not in a round."""
    if not t or isinstance(steps[t - 1], Asked | Ranked):
        return None
    own = _own_steps(steps, t)
    began = next((n for n in own if isinstance(steps[n - 1], Began)), None)
    first = steps[began - 1] if began else None
    if not isinstance(first, Began) or began is None:
        return None
    inside = sorted(n for n in own if n >= began)
    return _round(first, steps, inside, (n for n in own if n < began))


def run_of(steps: Sequence[Step], since: int, t: int) -> Round | None:
    """The steps behind `since` up to `t`, which are of one round, as if they were all of it; None
    when step `t` is not in a round.
    """
    now = round_at(steps, t)
    if now is None:
        return None
    own = _own_steps(steps, t)
    inside = sorted(n for n in own if n > since)
    return _round(now.began, steps, inside, (n for n in own if n <= since))


def _round(
    began: Began, steps: Sequence[Step], inside: Sequence[int], before: Iterable[int]
) -> Round:
    """With what happened `inside`; what came into the queue `before` is not new."""
    looked = [step for n in inside if isinstance(step := steps[n - 1], Offered)]
    earlier = [step for n in before if isinstance(step := steps[n - 1], Offered)]
    seen = {arrival.id for step in earlier for arrival in step.arrivals}
    arrived = [arrival.id for step in looked for arrival in step.arrivals]
    return Round(
        began=began,
        at=tuple(inside),
        of=looked[0].of if looked else "",
        looked_at=tuple(step.at for step in looked),
        followed=tuple((step.at, offer) for step in looked for offer in step.taken),
        new=tuple(dict.fromkeys(name for name in arrived if name not in seen)),
        considered=sum(step.scored for step in looked),
    )


def round_sentence(now: Round, kind: str = "passage") -> str:
    """What a round with a queue of `kind` did, in plain text."""
    edges = now.of or "edges"
    taken = f"no {singular(edges)} is on offer"
    if now.considered:
        taken = f"{share(len(now.followed), now.considered, edges)} taken"
    came = (
        f"{number(len(now.new), 'new passage')} {'joins' if len(now.new) == 1 else 'join'} "
        "the queue"
        if now.new
        else "no new passage joins the queue"
    )
    places = number(len(now.looked_at), kind)
    leave = "leaves" if len(now.looked_at) == 1 else "leave"
    name = begun(str(now.began))
    return f"{name}: {places} {leave} the queue, {taken}; {came}."


def _own_steps(steps: Sequence[Step], t: int) -> list[int]:
    """Numbers of the steps of the bracket that step `t` is in, the last first."""
    found = []
    inner = 0
    for number_ in range(t, 0, -1):
        step = steps[number_ - 1]
        if isinstance(step, Ranked) and number_ < t:
            inner += 1
        elif isinstance(step, Asked):
            if not inner:
                break
            inner -= 1
        elif not inner:
            found.append(number_)
    return found
