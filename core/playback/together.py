"""Several steps in one sentence, where none of them changes what matters."""

from collections.abc import Sequence

from core.playback.fold import Frame
from core.playback.narration import Title, kind_of, moved
from core.playback.wording import TITLE, begun, cropped, listed, number, share
from core.steps import Offered, Spread

FIRST = 5
"""Of a list that changes its order in what spreads: as many are told to stay."""


def looks_together(
    looks: Sequence[Offered], before: Frame, now: Frame, title: Title, *, others: bool
) -> str:
    """The `looks` of a round between `before` and `now`; `others` of it come before them."""
    places = [look.at for look in looks]
    who = number(len(places), f"{'more ' if others else ''}{kind_of(places, now)}")
    scored, taken = sum(look.scored for look in looks), sum(len(look.taken) for look in looks)
    of = next((look.of for look in looks if look.offers), "")
    edges = f", {share(taken, scored, of)} taken" if scored else ""
    new = [node for node in now.counter if node not in before.counter]
    come = f"{number(len(new), f'new {kind_of(new, now)}')} {'joins' if len(new) == 1 else 'join'}"
    join = f", {come} it" if new else ""
    changed = _changed(before, now, title)
    return begun(f"{now.round}: {who} leave the queue{edges}{join}; {changed}.")


def _changed(before: Frame, now: Frame, title: Title) -> str:
    """Who came into what would be retrieved, and in whose place if it is one."""
    was, is_ = _kept(before), _kept(now)
    come = [each for each in is_ if each not in was]
    gone = [each for each in was if each not in is_]
    if not come and not gone:
        return "what would be retrieved now stays the same"
    names = [_named(each, title) for each in come or gone]
    if len(come) == len(gone) == 1:
        return f"{names[0]} takes the place of {_named(gone[0], title)} in the top {len(is_)}"
    if not come:
        return f"{listed(names)} {'leaves' if len(gone) == 1 else 'leave'} the top {len(was)}"
    return f"{listed(names)} {'takes' if len(come) == 1 else 'take'} a place in the top {len(is_)}"


def _named(node: str, title: Title) -> str:
    return f"'{cropped(title(node), TITLE)}'"


def _kept(now: Frame) -> list[str]:
    """Best first."""
    return [row.hit.passage_id for row in now.standings if row.kept]


def spreads_together(frames: Sequence[Frame], news: str = "") -> str:
    """What spreads in the rounds of all `frames` but the first, which is that before them.

    `news` is what happens to gold in all of them.
    """
    rounds = frames[1:]
    began = [now.round for now in rounds if now.round]
    spread = [now.step for now in rounds if isinstance(now.step, Spread)]
    then = "at first" if began[0] == began[-1] else f"in {began[0]}"
    now = "just as much" if moved(spread[0]) == moved(spread[-1]) else moved(spread[-1])
    return begun(
        f"{began[-1]}: {then} {moved(spread[0])} of the {spread[0].of} moved to other nodes, "
        f"now {now}; {_first(frames)}{f', and {news}' if news else ''}."
    )


def _first(frames: Sequence[Frame]) -> str:
    """What becomes of the `FIRST` of each list; of passages, where any are ranked."""
    nodes = [list(now.mass)[:FIRST] for now in frames]
    ranks = [[row.hit.passage_id for row in now.standings[:FIRST]] for now in frames]
    if all(each == nodes[0] for each in nodes) and all(each == ranks[0] for each in ranks):
        return f"the first {FIRST} of each list stay where they are"
    before, *_, now = ranks if ranks[-1] else nodes
    new, noun = len(set(now) - set(before)), "passage" if ranks[-1] else "node"
    if not new:
        return f"the first {number(len(now), noun)} are the same"
    return f"of the first {number(len(now), noun)} {new} {'is' if new == 1 else 'are'} new"
