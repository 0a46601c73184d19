"""Put into words what a reader, planner or rule says at a step."""

from collections.abc import Sequence

from core.playback.fold import Frame
from core.playback.wording import BY_RULE, QUOTE, RULE, TITLE, Title, cropped, listed, voice
from core.steps import Said, Step

SAID = 120
"""Characters of what is said where the sentence has nothing else."""


def said(steps: Sequence[Step], step: Said, now: Frame, title: Title) -> str:
    """Return what `step`, which follows `steps`, says, without a capital letter.

    A rule infers its answers, because no model has judged them. Only the first rule says that there
    is no model.
    """
    asked = [f"'{cropped(now.questions[name].asked.query)}'" for name in step.closes]
    closed = f" That answers {listed(asked)}." if asked else ""
    ruled = any(isinstance(one, Said) and one.text and _by_rule(one) for one in steps)
    who = RULE if ruled and _by_rule(step) else _voice(step.by)
    if not step.text:
        return _silent(step, now, who)
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


def _silent(step: Said, now: Frame, who: str) -> str:
    """Return what a step without words does: it ends the search, or nothing."""
    if now.round is None or not now.round.number:
        round_ = ""
    elif step.ends:
        return f"This is the last {now.round.name}: {step.ends}."
    else:
        round_ = f"{now.round}: "
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
