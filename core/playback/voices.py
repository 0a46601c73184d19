"""What a voice says, as the sentence of its step."""

from collections.abc import Sequence

from core.playback.fold import Frame
from core.playback.wording import BY_RULE, QUOTE, RULE, cropped, listed, voice
from core.steps import Said, Step

SAID = 120
"""Characters of what is said where the sentence has nothing else."""


def said(steps: Sequence[Step], step: Said, now: Frame, inside: str) -> str:
    """`step`, the last of `steps`, without a capital letter; `inside` is the search it is in.

    That rules speak as there is no model is said of the first that do.
    """
    closed = ""
    if step.closes:
        asked = [f"'{cropped(now.questions[name].asked.query)}'" for name in step.closes]
        closed = f" That answers {listed(asked)}."
    ruled = any(isinstance(one, Said) and one.text and _by_rule(one) for one in steps[:-1])
    who = RULE if ruled and _by_rule(step) else _voice(step.by)
    if not step.text:
        return _silent(step, now, inside, who)
    ends = f" The search stops: {step.ends}." if step.ends else ""
    # What ends or closes nothing has the sentence to itself.
    text = cropped(step.text, QUOTE if ends or closed else SAID)
    stop = "" if text.endswith((".", "!", "?", "…")) else "."
    return f"{who}: '{text}'{stop}{closed}{ends}"


def _silent(step: Said, now: Frame, inside: str, who: str) -> str:
    """Of a voice without words, why it ends."""
    if now.round is None or not now.round.number:
        round_ = ""
    elif step.ends:
        return f"{inside}{now.round} is the last: {step.ends}."
    else:
        round_ = f"{inside}{now.round}: "
    nothing = f"{who}: nothing" if who in (BY_RULE, RULE) else f"{who} nothing"
    return f"{round_}{f'the search stops: {step.ends}' if step.ends else nothing}."


def _by_rule(step: Said) -> bool:
    return voice(step.by) == BY_RULE


def _voice(by: str) -> str:
    """Who speaks, as what stands before a colon.

    >>> _voice("reasoner"), _voice("rules"), _voice("rules (reasoner)")
    ('the reasoner says', 'by rule (no model)', 'by rule (no model)')
    """
    told = voice(by)
    return told if told == BY_RULE else f"the {told} says"
