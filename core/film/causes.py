"""Why gold was lost: what was told where a walk stood next to it."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.film.falls import fall
from core.film.misses import Gold
from core.funnel.data import Fate
from core.playback import Frame, Label
from core.playback.narration import Title
from core.playback.reasons import occasions
from core.playback.wording import SPELLED_OUT, TITLE, cropped, listed
from core.steps import Offered, Step


@dataclass(frozen=True, slots=True)
class Cause:
    """Of one gold passage; all is empty if it was kept, or nothing is known.

    `told` is what the step `t` said of the place from which it was nearest, or how it fell there
    below the line of what is kept.
    """

    told: str = ""
    t: int | None = None


def causes(
    gold: Sequence[Gold],
    steps: Sequence[Step],
    names: Sequence[Label],
    title: Title,
    frames: Sequence[Frame],
) -> list[Cause]:
    """Why each of `gold` was lost, in its order; `frames` are those of every step."""
    found = []
    for one in gold:
        why = Cause()
        if one.passage and one.fate:
            fell = fall(frames, one.passage.id) if one.fate.stage == "cut" else None
            why = (
                Cause(f"{_where(names, fell.t)}: {fell}", fell.t)
                if fell
                else _cause(one, one.passage.id, steps, names, title)
            )
        found.append(why)
    return found


def _cause(
    one: Gold, passage: str, steps: Sequence[Step], names: Sequence[Label], title: Title
) -> Cause:
    # Where an edge says itself why it is refused, what is said of those beside it explains nothing.
    if one.fate and one.fate.stage == "refused" and one.fate.why:
        return Cause()
    near = one.way[0] if one.way else _refused_at(steps, passage)
    looked = [
        (t, why)
        for t, step in enumerate(steps, start=1)
        if isinstance(step, Offered) and not step.entry and step.at == near
        if (why := _told(step, one.fate, title))
    ]
    if not looked:
        return Cause()
    t, why = looked[-1]
    return Cause(f"{_where(names, t)}: {why}", t)


def _where(names: Sequence[Label], t: int) -> str:
    return names[t - 1].round or names[t - 1].text


def _told(step: Offered, fate: Fate | None, title: Title) -> str:
    """What `step` says; of what a score refused there who was taken, for the reason is theirs."""
    if fate and fate.stage == "refused" and fate.margin is not None and step.taken:
        names = [f"'{title(offer.target)}'" for offer in step.taken]
        are = "is" if len(names) == 1 else "are"
        return f"{listed(names)} {are} taken there." if len(names) <= SPELLED_OUT else ""
    return step.told.reason


def _refused_at(steps: Sequence[Step], passage: str) -> str:
    """Where it was on offer last, if it was never taken."""
    met = occasions(steps, len(steps), node=passage)
    return "" if not met or any(one.offer.taken for one in met) else met[-1].step.at


def beside(gold: Sequence[Gold], causes: Sequence[Cause], title: Title) -> dict[int, str]:
    """By the step of its cause, from where an edge would have led to gold that no step named."""
    return {
        why.t: f"'{cropped(title(one.way[0]), TITLE)}' has the edge to gold "
        f"'{cropped(title(one.way[-1]), TITLE)}'."
        for one, why in zip(gold, causes, strict=True)
        if why.t is not None and len(one.way) == 2
    }
