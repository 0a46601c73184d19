"""Asking the model in one of a retriever's roles, with a substitute where it cannot."""

from core.errors import LlmError
from core.models.oracle import Guess, Oracle, Read, T, unanswered
from core.models.prompt import Prompt
from core.steps import Told


def reply_or_none(
    oracle: Oracle | None, prompt: Prompt, read: Read[T], guess: Guess[T], substitute: str
) -> tuple[T | None, Told]:
    """Return the model's reply, or None where the substitute applies, and its record.

    Parameters
    ----------
    substitute : a sentence that says what stands in for the model: the reason where there is none,
        the fallback where it fails.

    Raises
    ------
    LeaveMissing : it is not kept, and the oracle has no leave to ask for it.
    """
    if oracle is None:
        return None, Told(reason=substitute)
    try:
        reply, said = oracle.ask(prompt, read, guess)
    except LlmError as error:
        reply, said = None, unanswered(oracle.llm.model, prompt, str(error))
    if reply is not None:
        return reply, Told(said.cost, exchange=said)
    return None, Told(said.cost, fallback=f"{said.trouble} {substitute}", exchange=said)


def speaker(role: str, told: Told) -> str:
    """Return who speaks in a role: the role's name for the model, or rules in its place."""
    return role if told.exchange and not told.fallback else f"rules ({role})"
