"""What came of each amendment, read from the steps of the walk."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.counterfactual.amendments import Amendment, Amendments, Judge, Refuse, Seed, Take, parse
from core.steps import Asked, Offered, Step


@dataclass(frozen=True, slots=True)
class Outcome:
    """`made` says that the walk has made the choice so; otherwise `why` says why it has not.

    `changed` is False where it would have chosen so anyway.
    """

    amendment: Amendment
    made: bool
    changed: bool
    why: str = ""


def amendments_of(steps: Sequence[Step]) -> Amendments:
    """What was to be chosen by hand, as any of the retrievals says; empty for a plain one.

    Raises
    ------
    InputError : one of them is no amendment, as in a file from elsewhere.
    """
    texts = (text for step in steps if isinstance(step, Asked) for text in step.amendments)
    return tuple(dict.fromkeys(one for text in texts for one in parse(text)))


def outcomes(steps: Sequence[Step]) -> tuple[Outcome, ...]:
    """What came of each of `amendments_of(steps)`, in order."""
    return tuple(_outcome(one, steps) for one in amendments_of(steps))


def _outcome(one: Amendment, steps: Sequence[Step]) -> Outcome:
    if isinstance(one, Seed):
        places = [step for step in steps if isinstance(step, Offered) and step.entry]
    else:
        places = [
            step
            for step in steps
            if isinstance(step, Offered) and step.at == one.at and not step.entry
        ]
    if any(str(one) in step.told.by_hand for step in places):
        return Outcome(one, made=True, changed=True)
    if not places:
        return Outcome(one, made=False, changed=False, why=_unvisited(one))
    if any(_so_anyway(one, step) for step in places):
        return Outcome(one, made=True, changed=False, why="The walk already makes this choice.")
    return Outcome(one, made=False, changed=False, why=_missing(one))


def _so_anyway(one: Amendment, step: Offered) -> bool:
    taken = {offer.tie for offer in step.taken}
    match one:
        case Take():
            return one.tie in taken
        case Refuse():
            return any(offer.tie == one.tie and not offer.taken for offer in step.offers)
        case Judge():
            return taken == ({one.tie} if one.tie else set())
        case Seed():
            return one.added == (one.at in {offer.target for offer in step.taken})


def _unvisited(one: Amendment) -> str:
    if isinstance(one, Seed):
        return "There is no walk over the hop graph."
    return f"The walk never examines the edges of '{one.at}'."


def _missing(one: Amendment) -> str:
    match one:
        case Seed():
            return f"The index has no passage '{one.at}'."
        case Refuse():
            return f"The edge is not a candidate at '{one.at}'."
        case _:
            return f"The edge cannot be followed from '{one.at}'."
