"""The stages at which gold is lost, and their words.

One outcome has one name wherever it is told, in a film, in a list, on Errors and in Compare:

    retrieved               it is in the top k
    below the top k         it has a rank, which is told, and too low a one
    reached, not ranked     something took it, and no list ranked it (counted as below the top k)
    not followed            it was a candidate, and others were chosen
    never a candidate       it was within reach, and in no list
    out of reach            the walk could not have come to it
    not found               nothing that was searched took it, so it has no rank
    not in the ranking      a ranking that was made elsewhere, of unknown steps, does not have it
    not in the index        there is nothing to find
"""

from typing import Literal

from core.playback.wording import begun

Stage = Literal[
    "absent", "far", "unoffered", "refused", "below", "unranked", "cut", "kept", "unused"
]
"""Where the way of gold through a retrieval ends."""

STAGES: dict[Stage, str] = {
    "absent": "not in the index",
    "far": "out of reach",
    "unoffered": "never a candidate",
    "refused": "not followed",
    "below": "not found",
    "unranked": "not in the ranking",
    "cut": "below the top k",
    "kept": "retrieved",
    "unused": "retrieved, not used by the answer",
}
"""In words, in the order in which a funnel shows them."""


def stage_words(stage: str, k: int | None = None) -> str:
    """Return the words for a stage, with the `k` retrieved; an unknown stage unchanged.

    >>> stage_words("cut"), stage_words("cut", 20), stage_words("")
    ('below the top k', 'below the top 20', '')
    """
    words = {str(key): words for key, words in STAGES.items()}.get(stage, stage)
    return words.replace("the top k", f"the top {k:,}") if k else words


MEANINGS: dict[Stage, str] = {
    "absent": "The passage is not in the index.",
    "far": "No path leads from a seed to the passage within the hop limit.",
    "unoffered": "The passage is within reach, but it was never a candidate.",
    "refused": "The passage was a candidate, but the retriever chose others.",
    "below": "No search returned the passage, so it has no rank.",
    "unranked": "The run was imported, and its ranking does not contain the passage.",
    "cut": "The passage was reached but ranks below the top k, or was never ranked.",
    "kept": "The passage is in the top k.",
    "unused": "The passage is in the top k, but the answer does not use it.",
}


def meaning(stage: str) -> str:
    """Return the meaning of a stage in a sentence; empty for an unknown stage."""
    return {str(key): text for key, text in MEANINGS.items()}.get(stage, "")


def explained(stage: str) -> str:
    """Return a stage with its meaning.

    >>> explained("kept")
    'Retrieved: The passage is in the top k.'
    """
    return f"{begun(stage_words(stage))}: {meaning(stage)}" if meaning(stage) else ""


LOST: tuple[Stage, ...] = (*("absent", "far", "unoffered", "refused", "below", "unranked", "cut"),)
"""The stages of gold that is not in the result."""
