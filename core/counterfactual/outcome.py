"""The effect of each amendment, read from the steps of the walk."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.counterfactual.amendments import Amendment, Amendments, Judge, Refuse, Seed, Take, parse
from core.steps import Asked, Offered, Step


@dataclass(frozen=True, slots=True)
class Outcome:
    """The effect of an amendment.

    Parameters
    ----------
    made : whether the walk made the choice that the amendment asks for.
    changed : whether the amendment changed the choice.
    why : why the walk did not make the choice, or that it makes it without the amendment.
    """

    amendment: Amendment
    made: bool
    changed: bool
    why: str = ""


def amendments_of(steps: Sequence[Step]) -> Amendments:
    """Return the amendments recorded in the steps, each once; empty if the walk was not amended.

    Raises
    ------
    InputError : a recorded text is not a valid amendment, as may happen in an imported file.
    """
    texts = (text for step in steps if isinstance(step, Asked) for text in step.amendments)
    return tuple(dict.fromkeys(amendment for text in texts for amendment in parse(text)))


def outcomes(steps: Sequence[Step]) -> tuple[Outcome, ...]:
    """Return the outcome of each of `amendments_of(steps)`, in order."""
    return tuple(_outcome(amendment, steps) for amendment in amendments_of(steps))


def _outcome(amendment: Amendment, steps: Sequence[Step]) -> Outcome:
    """Return the outcome of an amendment; only steps at its node, or at the seeds, can make it."""
    if isinstance(amendment, Seed):
        places = [step for step in steps if isinstance(step, Offered) and step.entry]
    else:
        places = [
            step
            for step in steps
            if isinstance(step, Offered) and step.at == amendment.at and not step.entry
        ]
    if any(str(amendment) in step.told.by_hand for step in places):
        return Outcome(amendment, made=True, changed=True)
    if not places:
        return Outcome(amendment, made=False, changed=False, why=_unvisited(amendment))
    if any(_is_chosen(amendment, step) for step in places):
        return Outcome(
            amendment, made=True, changed=False, why="The walk already makes this choice."
        )
    return Outcome(amendment, made=False, changed=False, why=_not_applicable_reason(amendment))


def _is_chosen(amendment: Amendment, step: Offered) -> bool:
    """Return whether `step` already makes the choice."""
    taken = {offer.tie for offer in step.taken}
    match amendment:
        case Take():
            return amendment.tie in taken
        case Refuse():
            return any(offer.tie == amendment.tie and not offer.taken for offer in step.offers)
        case Judge():
            return taken == ({amendment.tie} if amendment.tie else set())
        case Seed():
            return amendment.added == (amendment.at in {offer.target for offer in step.taken})


def _unvisited(amendment: Amendment) -> str:
    if isinstance(amendment, Seed):
        return "There is no walk over the hop graph."
    return f"The walk never examines the edges of '{amendment.at}'."


def _not_applicable_reason(amendment: Amendment) -> str:
    """Explain why an amendment had no effect."""
    match amendment:
        case Seed():
            return f"The index has no passage '{amendment.at}'."
        case Refuse():
            return f"The edge is not a candidate at '{amendment.at}'."
        case _:
            return f"The edge cannot be followed from '{amendment.at}'."
