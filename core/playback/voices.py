"""What a voice says, as the sentence of its step."""

from collections.abc import Sequence

from core.playback.calling import Title
from core.playback.fold import Frame
from core.playback.wording import BY_RULE, QUOTE, RULE, TITLE, cropped, listed, voice
from core.steps import Said, Step

SAID = 120
"""Characters of what is said where the sentence has nothing else."""


def said(steps: Sequence[Step], step: Said, now: Frame, inside: str, title: Title) -> str:
    """`step`, the last of `steps`, without a capital letter; `inside` is the search it is in.

    What a rule answers is a guess: no model has judged it. That rules speak as there is no model is
    said of the first that do.
    """
    asked = [f"'{cropped(now.questions[name].asked.query)}'" for name in step.closes]
    closed = f" That answers {listed(asked)}." if asked else ""
    ruled = any(isinstance(one, Said) and one.text and _by_rule(one) for one in steps[:-1])
    who = RULE if ruled and _by_rule(step) else _voice(step.by)
    if not step.text:
        return _silent(step, now, inside, who)
    ends = f" The search stops: {step.ends}." if step.ends else ""
    rests = [f"'{cropped(title(node), TITLE)}'" for node in step.rests_on]
    if closed and _by_rule(step):
        source = f", from {listed(rests)}" if rests else ""
        answer = f"'{cropped(step.text, QUOTE)}'"
        return f"{who} infers the answer to {listed(asked)}: {answer}{source}.{ends}"
    # What ends or closes nothing has the sentence to itself.
    text = cropped(step.text, QUOTE if ends or closed else SAID)
    stop = "" if text.endswith((".", "!", "?", "…")) else "."
    does = f"quotes {listed(rests)}" if rests and _by_rule(step) else "says"
    return f"{who} {does}: '{text}'{stop}{closed}{ends}"


def _silent(step: Said, now: Frame, inside: str, who: str) -> str:
    """Of a voice without words, why it ends."""
    if now.round is None or not now.round.number:
        round_ = ""
    elif step.ends:
        return f"{inside}{now.round} is the last: {step.ends}."
    else:
        round_ = f"{inside}{now.round}: "
    return f"{round_}{f'the search stops: {step.ends}' if step.ends else f'{who} says nothing'}."


def _by_rule(step: Said) -> bool:
    return voice(step.by) == BY_RULE


def _voice(by: str) -> str:
    """Who speaks.

    >>> _voice("reasoner"), _voice("rules"), _voice("rules (reasoner)")
    ('the reasoner', 'a rule (no model)', 'a rule, in place of the reasoner,')
    """
    told, (_, _, role) = voice(by), by.removesuffix(")").partition(" (")
    if told == BY_RULE:
        return f"a rule, in place of the {role}," if role else "a rule (no model)"
    return f"the {told}"
