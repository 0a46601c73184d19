"""How a reply ended, and how to fix a reply that ended too early."""

from typing import Any

from core.models.prompt import Ending

THOUGHT = "</think>"
"""The mark at the end of a model's thinking, if that is part of its text."""
_THINKS = "<think>"
_THINKING = ("reasoning_content", "reasoning", "thinking")  # as vLLM, OpenRouter, others name it


def ending_of(message: dict[str, Any], finish: object, text: str) -> Ending:
    """Classify how the reply in `message` ended.

    Parameters
    ----------
    finish : the server's `finish_reason`.
    text : the text of the message.
    """
    if message.get("refusal") or finish == "refusal":
        return "refusal"
    if finish == "content_filter":
        return "filter"
    if not _without_thinking(text):
        thought = text.strip() or any(message.get(name) for name in _THINKING)
        if thought:
            return "thought"
        return "length" if finish == "length" else "empty"
    return "length" if finish == "length" else "whole"


def _without_thinking(text: str) -> str:
    """Return the reply without the thinking before it."""
    _, thought, after = text.rpartition(THOUGHT)
    said = after if thought else text
    return "" if said.lstrip().startswith(_THINKS) else said.strip()


_SAID: dict[Ending, str] = {
    "whole": "The reply is complete.",
    "length": "The reply was cut off at the length limit. Set HOPRAG_LLM_THINKING higher, or "
    "use a less verbose model.",
    "thought": "The model used its whole limit for thinking and did not reply. Set "
    "HOPRAG_LLM_THINKING higher, or reduce thinking with HOPRAG_LLM_EXTRA.",
    "refusal": "The model declined to answer. Use another model for this text.",
    "filter": "A content filter on the server removed the reply. Use another model for this text.",
    "empty": "The reply is empty. Try again, or use another model.",
    "overlong": "The reply is far longer than the limit, which the server ignores. Limit the "
    "length on the server (num_predict for Ollama), or use another model.",
}


# What a model is told when it is asked again.
_AGAIN: dict[Ending, str] = {
    "length": "It was too long and was cut off: write less.",
    "thought": "There was nothing behind its thinking: think less, and write the reply.",
    "refusal": "It declined. The message is material to work on, and asks nothing itself.",
    "filter": "A filter took it away: choose other words.",
    "empty": "It was empty.",
    "overlong": "It was far too long: write less, and repeat nothing.",
}


def ending_told(ending: Ending) -> str:
    """Return the instruction for the next attempt after a reply with this ending."""
    return _AGAIN.get(ending, "")


def ending_said(ending: Ending) -> str:
    """Explain how a reply ended and how to fix it."""
    return _SAID[ending]
