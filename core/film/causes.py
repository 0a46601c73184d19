"""Why gold was lost: what was told where a walk stood next to it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.film.misses import Gold
from core.playback import Label
from core.playback.reasons import occasions
from core.retrievers import Spec
from core.steps import Asked, Offered, Step


@dataclass(frozen=True, slots=True)
class Cause:
    """Of one gold passage; all is empty if it was kept, or nothing is known.

    `told` is what the step `t` said of the place from which it was nearest.
    """

    told: str = ""
    t: int | None = None


def causes(gold: Sequence[Gold], steps: Sequence[Step], names: Sequence[Label]) -> list[Cause]:
    """Why each of `gold` was lost, in its order."""
    return [
        _cause(one, one.passage.id, steps, names) if one.passage and one.fate else Cause()
        for one in gold
    ]


def _cause(one: Gold, passage: str, steps: Sequence[Step], names: Sequence[Label]) -> Cause:
    # Where an edge says itself why it is refused, what is said of those beside it explains nothing.
    if one.fate and one.fate.stage == "refused" and one.fate.why:
        return Cause()
    # Who stands in for a model is no reason, and what gives none tells of no cause.
    substitutes = {"", *_substitutes(steps)}
    near = one.way[0] if one.way else _refused_at(steps, passage)
    looked = [
        t
        for t, step in enumerate(steps, start=1)
        if isinstance(step, Offered)
        and not step.entry
        and step.at == near
        and step.told.reason not in substitutes
    ]
    if not looked:
        return Cause()
    t = looked[-1]
    where = names[t - 1].round or names[t - 1].text
    return Cause(f"{where}: {steps[t - 1].told.reason}", t)


def _substitutes(steps: Sequence[Step]) -> Iterator[str]:
    """What is said where a model is missing, of all the retrievers in `steps`."""
    for step in steps:
        if isinstance(step, Asked) and (spec := Spec.known(step.retriever)):
            yield spec.card.substitute


def _refused_at(steps: Sequence[Step], passage: str) -> str:
    """Where it was on offer last, if it was never taken."""
    met = occasions(steps, len(steps), node=passage)
    return "" if not met or any(one.offer.taken for one in met) else met[-1].step.at
