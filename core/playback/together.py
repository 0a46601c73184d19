"""Several steps in one sentence, where none of them changes what matters."""

from collections.abc import Sequence

from core.playback.fold import Frame
from core.playback.narration import in_round, kind_of, moved
from core.playback.wording import begun, number, several, share
from core.steps import Began, Offered, Spread

FIRST = 5
"""Of a list that changes its order in what spreads: as many are told to stay."""


def looks_together(looks: Sequence[Offered], now: Frame, new: int, *, others: bool) -> str:
    """The `looks` of a round up to `now`, after which the same is kept as before.

    By them `new` nodes joined the queue; `others` have been looked at in the round before them.
    """
    places = [look.at for look in looks]
    who = number(len(places), f"{'more ' if others else ''}{kind_of(places, now)}")
    scored, taken = sum(look.scored for look in looks), sum(len(look.taken) for look in looks)
    of = next((look.of for look in looks if look.offers), "")
    edges = f", {share(taken, scored, of)} taken" if scored else ""
    join = f", {new:,} new {'joins' if new == 1 else 'join'} it" if new else ""
    return begun(f"{in_round(now)}{who} leave the queue{edges}{join}; what is kept stays the same.")


def spreads_together(rounds: Sequence[Began], spread: Sequence[Spread]) -> str:
    """The iterations `spread`, of `rounds`, after which the `FIRST` are in the same order."""
    first, last = rounds[0], rounds[-1]
    return begun(
        f"{several(first.name)} {first.number} to {last.number}: {moved(spread[0])} of the "
        f"{spread[0].of} moves at first, {moved(spread[-1])} at last; the first {FIRST} of each "
        "list stay where they are."
    )
