"""Put into words what a reader, planner or rule says at a step."""

from core.playback.fold import Frame
from core.playback.wording import BY_RULE, QUOTE, TITLE, Title, cropped, join_names, voice
from core.steps import Said

SAID = 120
"""Characters of what is said where the sentence has nothing else."""


def narration(step: Said, now: Frame, title: Title) -> str:
    """Describe a statement in the narration, without a capital letter.

    Rules are said to infer an answer, because no model has judged it.
    """
    asked = [f"'{cropped(now.questions[name].asked.query)}'" for name in step.closes]
    closed = f" This answers {join_names(asked)}." if asked else ""
    who = speaker(step.by)
    if not step.text:
        return _silent(step, now, who)
    ends = f" The search stops: {step.ends}." if step.ends else ""
    rests = [f"'{cropped(title(node), TITLE)}'" for node in step.rests_on]
    if closed and _by_rule(step):
        source = f", from {join_names(rests)}" if rests else ""
        answer = f"'{cropped(step.text, QUOTE)}'"
        return f"{who} infers the answer to {join_names(asked)}: {answer}{source}.{ends}"
    # What ends or closes nothing has the sentence to itself.
    text = cropped(step.text, QUOTE if ends or closed else SAID)
    stop = "" if text.endswith((".", "!", "?", "…")) else "."
    does = "replies"
    if _by_rule(step):
        does = f"quotes {join_names(rests)}" if rests else "returns"
    return f"{who} {does}: '{text}'{stop}{closed}{ends}"


def _silent(step: Said, now: Frame, who: str) -> str:
    """Describe a step without words: it ends the search or returns nothing."""
    if now.round is None or not now.round.number:
        round_ = ""
    elif step.ends:
        return f"This is the last {now.round.name}: {step.ends}."
    else:
        round_ = f"{now.round}: "
    return f"{round_}{f'the search stops: {step.ends}' if step.ends else f'{who} returns nothing'}."


def _by_rule(step: Said) -> bool:
    return voice(step.by) == BY_RULE


def speaker(by: str) -> str:
    """Return the speaker's name as it stands in a sentence.

    >>> speaker("reasoner"), speaker("rules"), speaker("rules (reasoner)")
    ('the reasoner', 'the rule-based fallback', 'the rule-based reasoner')
    """
    name, (_, _, role) = voice(by), by.removesuffix(")").partition(" (")
    if name == BY_RULE:
        return f"the rule-based {role or 'fallback'}"
    return f"the {name}"
