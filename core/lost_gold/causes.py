"""Why gold was lost: the reason that a step gave when the walk was next to it."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.funnel.data import LOWEST
from core.lost_gold.missed_gold import Gold
from core.lost_gold.rank_drops import Falls
from core.playback import Label
from core.playback.reasons import occasions, reason_of
from core.playback.wording import SPELLED_OUT, Title, begun, cropped, join_names
from core.steps import Offer, Offered, Step
from core.text.display.scores import FEWEST, both

EDGES = "edges"
"""What an `Offered` step of a walk over the hop graph has to choose from."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a gold passage was lost; empty if it was kept or the reason is unknown.

    `told` is the reason that step `t` gave at the nearest node, or how the passage dropped below
    the cut-off there. `line` is the candidate edge that would have led on and was not followed.
    """

    told: str = ""
    t: int | None = None
    line: str = ""


def causes(
    gold: Sequence[Gold],
    steps: Sequence[Step],
    names: Sequence[Label],
    title: Title,
    falls: Falls,
) -> list[Cause]:
    """Return why each of `gold` was lost, in the same order; `falls` are the drops of passages."""
    reasons = []
    for one in gold:
        why = Cause()
        if one.passage and one.fate:
            fell = falls[one.passage.id] if one.fate.stage == "cut" else None
            why = (
                Cause(fell.at(_where(names, fell.t)), fell.t)
                if fell
                else _cause(one, one.passage.id, steps, names, title)
            )
        reasons.append(why)
    return reasons


def _cause(
    gold: Gold, passage: str, steps: Sequence[Step], names: Sequence[Label], title: Title
) -> Cause:
    """Return the last refusal of the gold, or of the next passage on the path to it.

    It is empty if the fate explains itself, or no step refused it.
    """
    # Where an edge says itself why it is refused, what is said of those beside it explains nothing.
    if gold.fate and gold.fate.stage == "refused" and gold.fate.why:
        return Cause()
    onward = gold.way[1] if len(gold.way) > 1 else passage
    refusals = [
        (t, why, refused)
        for t, step, refused in _explaining_steps(gold, passage, steps, onward)
        if (why := _reason(step, gold, onward, title))
    ]
    if not refusals:
        return Cause()
    t, why, refused = refusals[-1]
    return Cause(f"{_where(names, t)}: {why}", t, refused.tie if refused else "")


def _explaining_steps(
    one: Gold, passage: str, steps: Sequence[Step], onward: str
) -> Sequence[tuple[int, Offered, Offer | None]]:
    """Return the steps that may explain the loss, each with the candidate that it refused.

    If several steps refused the passage, the one of its fate counts, so that a score and the edge
    with that score are told together.
    """
    own = [
        (t, step)
        for t, step in enumerate(steps, start=1)
        if isinstance(step, Offered) and not step.entry
    ]
    if one.fate and one.fate.stage == "refused" and not one.way:
        fate = one.fate.at, one.fate.tie, one.fate.score
        return [
            (t, step, offer)
            for t, step in own
            for offer in step.offers
            if offer.target == passage and (step.at, offer.tie, offer.score) == fate
        ][:1]
    near = one.way[0] if one.way else _refused_at(steps, passage)
    return [(t, step, _refused(step, onward)) for t, step in own if step.at == near]


def _where(names: Sequence[Label], t: int) -> str:
    return names[t - 1].round or names[t - 1].text


def _reason(step: Offered, one: Gold, onward: str, title: Title) -> str:
    """Return the reason of `step`, or the candidates followed instead of the rejected gold."""
    fate = one.fate
    if one.way and (refused := _refused(step, onward)):
        return _turned(step, refused, title)
    if fate and fate.stage == "refused" and fate.margin is not None and step.taken:
        return _instead(step, title)
    return reason_of(step)


def _instead(step: Offered, title: Title) -> str:
    """Name the candidate chosen instead, with its question; empty if there are several."""
    names = [f"'{title(offer.target)}'" for offer in step.taken]
    if len(names) > SPELLED_OUT:
        return ""
    if step.of != EDGES:
        return f"{join_names(names)} {'was' if len(names) == 1 else 'were'} selected instead."
    if len(names) == 1:
        (one,) = step.taken
        score = f"(score {one.score:.{FEWEST}f})"
        return f"the edge{_asking(one)} to {names[0]} {score} was followed instead."
    return f"the edges to {join_names(names)} were followed instead."


def _asking(edge: Offer) -> str:
    return f" '{cropped(edge.label)}'" if edge.label else ""


def _refused(step: Offered, onward: str) -> Offer | None:
    """Return the best candidate edge to `onward`; None if there is none, or one was followed."""
    there = [offer for offer in step.offers if offer.target == onward]
    return there[0] if there and not any(offer.taken for offer in there) else None


def _turned(step: Offered, refused: Offer, title: Title) -> str:
    """Say why the edge towards gold was not followed, and which one was followed instead."""
    least = min((offer.score for offer in step.taken), default=refused.score)
    ends = f"from '{title(step.at)}' to '{title(refused.target)}'"
    sentence = f"the edge {ends}, on the path to it, was not followed"
    if refused.why:
        sentence += f": {refused.why}"
    elif least > refused.score:
        score, lowest = both(refused.score, least)
        sentence += f": score {score}, {LOWEST} {lowest}"
    sentence = f"{sentence}. {begun(_instead(step, title))}".rstrip()
    if refused.why or (least > refused.score and not step.told.exchange):
        return sentence
    return f"{sentence} {reason_of(step)}".rstrip()


def _refused_at(steps: Sequence[Step], passage: str) -> str:
    """Return the node at which a passage was last a candidate; empty if it was ever selected."""
    met = occasions(steps, len(steps), node=passage)
    return "" if not met or any(one.offer.taken for one in met) else met[-1].step.at
