"""Several steps in one sentence, where none of them changes what matters."""

from collections.abc import Sequence

from core.playback.fold import Frame
from core.playback.narration import kind_of, moved
from core.playback.wording import begun, number, several, share
from core.steps import Offered, Spread

FIRST = 5
"""Of a list that changes its order in what spreads: as many are told to stay."""


def looks_together(looks: Sequence[Offered], now: Frame, new: int, *, others: bool) -> str:
    """The `looks` of a round up to `now`, after which the same would be retrieved as before.

    By them `new` nodes joined the queue; `others` have been looked at in the round before them.
    """
    places = [look.at for look in looks]
    who = number(len(places), f"{'more ' if others else ''}{kind_of(places, now)}")
    scored, taken = sum(look.scored for look in looks), sum(len(look.taken) for look in looks)
    of = next((look.of for look in looks if look.offers), "")
    edges = f", {share(taken, scored, of)} taken" if scored else ""
    join = f", {new:,} new {'joins' if new == 1 else 'join'} it" if new else ""
    same = "what would be retrieved now stays the same"
    return begun(f"{now.round}: {who} leave the queue{edges}{join}; {same}.")


def spreads_together(rounds: Sequence[Frame]) -> str:
    """What spreads in each of `rounds`, after which the `FIRST` are in the same order."""
    began = [now.round for now in rounds if now.round]
    spread = [now.step for now in rounds if isinstance(now.step, Spread)]
    first, last = began[0], began[-1]
    name = f"{several(first.name)} {first.number} to {last.number}"
    return begun(
        f"{first if first == last else name}: {moved(spread[0])} of the {spread[0].of} moves at "
        f"first, {moved(spread[-1])} at last; the first {FIRST} of each list stay where they are."
    )
