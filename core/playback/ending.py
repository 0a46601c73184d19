"""The end of a retrieval beside its ranking: its own answer, and why it has no passage."""

from collections.abc import Sequence

from core.steps import ROOT, Asked, Offered, Pooled, Said, Spread, Step


def own_answer_step(steps: Sequence[Step]) -> Said | None:
    """Return the last step that answers the question, None if the retrieval gave no answer."""
    said = (step for step in reversed(steps) if isinstance(step, Said) and ROOT in step.closes)
    return next(said, None)


def empty_told(steps: Sequence[Step], searched: str = "No passage was found.") -> str:
    """Return a sentence about a retrieval that ranks no passage.

    Parameters
    ----------
    searched : the sentence where passages were searched for. Otherwise it is why the retrieval
        ended, and what was said then, unless that is an answer.
    """
    searches = sum(isinstance(step, Asked) for step in steps) > 1
    if searches or any(isinstance(step, Offered | Pooled | Spread) for step in steps):
        return searched
    last = next((s for s in reversed(steps) if isinstance(s, Said) and s.ends), None)
    if last is None:
        return searched
    sentence = f"No passage was retrieved: {last.ends}."
    return sentence if last.closes else f"{sentence} The {last.by} said: {last.text}"
