"""Several steps in one sentence, where none of them changes what matters."""

from collections.abc import Sequence

from core.playback.fold import Frame
from core.playback.narration import kind_of, moved
from core.playback.wording import begun, number, share
from core.steps import Offered, Spread

FIRST = 5
"""Of a list that changes its order in what spreads: as many are told to stay."""


def looks_together(looks: Sequence[Offered], before: Frame, now: Frame, *, others: bool) -> str:
    """The `looks` of a round between `before` and `now`; `others` of it come before them."""
    places = [look.at for look in looks]
    who = number(len(places), f"{'more ' if others else ''}{kind_of(places, now)}")
    scored, taken = sum(look.scored for look in looks), sum(len(look.taken) for look in looks)
    of = next((look.of for look in looks if look.offers), "")
    edges = f", {share(taken, scored, of)} taken" if scored else ""
    new = len(now.counter) - len(before.counter)
    join = f", {new:,} new {'joins' if new == 1 else 'join'} it" if new else ""
    return begun(f"{now.round}: {who} leave the queue{edges}{join}; {_changed(before, now)}.")


def _changed(before: Frame, now: Frame) -> str:
    """How much of what would be retrieved is not what it was."""
    was, is_ = _kept(before), _kept(now)
    if was == is_:
        return "what would be retrieved now stays the same"
    others = len(is_ - was)
    new = "is another one" if others == 1 else "are others"
    return f"{others} of the {len(is_)} that would be retrieved now {new}"


def _kept(now: Frame) -> set[str]:
    return {row.hit.passage_id for row in now.standings if row.kept}


def spreads_together(rounds: Sequence[Frame]) -> str:
    """What spreads in each of `rounds`, after which the `FIRST` are in the same order."""
    began = [now.round for now in rounds if now.round]
    spread = [now.step for now in rounds if isinstance(now.step, Spread)]
    then = "at first" if began[0] == began[-1] else f"in {began[0]}"
    return begun(
        f"{began[-1]}: {moved(spread[0])} of the {spread[0].of} moved {then}, {moved(spread[-1])} "
        f"does now; the first {FIRST} of each list stay where they are."
    )
