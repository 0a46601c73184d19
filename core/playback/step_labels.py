"""Short names of steps, and the steps that show nothing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.playback.wording import begun
from core.steps import ROOT, Asked, Began, Offered, Pooled, Ranked, Said, Spread, Step


def idle(step: Step) -> bool:
    """Return whether a passage left the queue without its edges being examined."""
    return isinstance(step, Offered) and not step.offers and not step.entry


def merely_begins(step: Step, following: Step) -> bool:
    """Return whether a round begins with nothing new to be seen, and something happens in it."""
    if not isinstance(step, Began) or isinstance(following, Ranked):
        return False
    return not (step.things or step.ties or step.told.exchange)


@dataclass(frozen=True, slots=True)
class Label:
    """A short name of step `t`; `round` names the round that it is in, empty outside of rounds."""

    t: int
    text: str
    round: str


def labels(steps: Sequence[Step]) -> list[Label]:
    """Return a distinct label for each step, for a timeline.

    The n-th place of hop 2 is `Hop 2 · n`; what happens inside the sub-question `#1` begins so.
    """
    step_labels: list[Label] = []
    given: Counter[str] = Counter()
    brackets: list[str] = []
    rounds: list[str] = []
    counts: list[int] = []
    for t, step in enumerate(steps, start=1):
        if isinstance(step, Asked):
            brackets.append(step.id)
            rounds.append("")
            counts.append(0)
        text = _label(step)
        if isinstance(step, Began):
            rounds[-1], counts[-1] = text, 0
        elif isinstance(step, Ranked):
            rounds[-1] = ""
        elif rounds[-1]:
            counts[-1] += 1
            text = f"{rounds[-1]} · {counts[-1]}"
        inside = "" if brackets[-1] == ROOT else f"{brackets[-1]} "
        text = f"{inside}{text}"
        given[text] += 1
        again = f" ({given[text]})" if given[text] > 1 else ""
        step_labels.append(Label(t, text + again, f"{inside}{rounds[-1]}" if rounds[-1] else ""))
        if isinstance(step, Ranked):
            brackets.pop()
            rounds.pop()
            counts.pop()
    return step_labels


def _label(step: Step) -> str:
    """Return the label of a step before equal labels are numbered."""
    match step:
        case Asked():
            return "Question"
        case Began():
            return begun(str(step))
        case Offered():
            return "Seeds" if step.entry else begun(step.of)
        case Spread():
            return begun(step.of)
        case Said():
            name, _, role = step.by.removesuffix(")").partition(" (")
            return begun(f"{role} (rule-based)" if name == "rules" and role else step.by)
        case Pooled():
            return "Merging" if len(step.of) > 1 else "Passages"
        case Ranked():
            return "Result"
