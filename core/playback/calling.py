"""What nodes are called in a sentence, and with which round and place it begins."""

from collections.abc import Callable, Sequence

from core.playback.fold import Frame
from core.playback.layers import WORDS, nouns
from core.playback.wording import TITLE, cropped, singular
from core.steps import Offered, Step
from core.text.entities import is_number

Title = Callable[[str], str]


def kind_of(nodes: Sequence[str], now: Frame) -> str:
    """What all of `nodes` are, in one word."""
    kinds = {
        "question"
        if node in now.questions
        else now.things[node].kind
        if node in now.things
        else "passage"
        for node in nodes
    }
    return kinds.pop() if len(kinds) == 1 else "node"


def where(steps: Sequence[Step], step: Offered, now: Frame, title: Title) -> str:
    """The round and the place, as the beginning of a sentence; what is no passage with its kind."""
    place = _place(steps, step.at, now, title) if now.current else ""
    return f"{in_round(now)}{place}"


def _place(steps: Sequence[Step], at: str, now: Frame, title: Title) -> str:
    if at in now.questions and at not in now.things:
        named = now.round and now.round.number and str(now.round) == f"search {at}"
        return "" if named else f"from search {at}, "
    name = f"'{cropped(title(at), TITLE)}'"
    if kind_of([at], now) != "query":
        return f"at {kinded(at, now, title, TITLE)} " if at in now.things else f"at {name} "
    noun = nouns(steps, {at: ""})[at]
    if noun in ("question", "thought"):
        return f"at {name} "
    return f"for the {noun if ',' in name else singular(noun)} {name} "


def kinded(node: str, now: Frame, title: Title, room: int) -> str:
    """A node with its kind before its name, which does not say it once more."""
    kind = kind_of([node], now)
    name = nameless_kind(node, kind, now, title)
    return name if is_number(name) else f"{kind} '{cropped(name, room)}'"


def nameless_kind(node: str, kind: str, now: Frame, title: Title) -> str:
    """A title without the kind that is put behind it where a passage is called the same."""
    if node not in now.things:
        return title(node)
    return title(node).removesuffix(f" ({WORDS.get(now.things[node].kind, kind)})")


def in_round(now: Frame) -> str:
    return f"{inside(now)}{now.round}: " if now.round and now.round.number else ""


def inside(now: Frame) -> str:
    """The sub-question whose rounds these are, as several have rounds of one name."""
    return f"{now.asked.id}, " if now.asked and now.depth > 1 else ""
