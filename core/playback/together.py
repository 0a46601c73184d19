"""Several steps in one sentence, where none of them changes what matters."""

from collections.abc import Collection, Iterator, Sequence

from core.playback.calling import Title, kind_of
from core.playback.fold import Frame
from core.playback.narration import moved
from core.playback.searches import Search
from core.playback.wording import (
    QUOTE,
    SPELLED_OUT,
    TITLE,
    asked_of,
    begun,
    cropped,
    listed,
    number,
    series,
    several,
    share,
    singular,
    stopped,
    such_as,
)
from core.steps import ARROW, Offered, Spread

_NOTHING = "nothing is taken"
FIRST = 5
"""Of a list that changes its order in what spreads: as many are told to stay."""


def looks_together(
    looks: Sequence[Offered], new: Sequence[str], now: Frame, title: Title, *, others: bool
) -> Iterator[str]:
    """What the `looks` of a round up to `now` come to, which reach what is `new`, with and without
    names; `others` of it come before them.

    How many edges were on offer, and which led to what was reached before, their list says.
    """
    asked = kind_of([look.at for look in looks], now) == "query"
    taken = dict.fromkeys(offer.target for look in looks for offer in look.taken)
    found = [*taken] if asked else new
    name = begun(f"{now.round}{' goes on and' if others else ''}")
    names = such_as([_quoted(title(node)) for node in found]) if found else ""
    does = _finds(looks, found, asked=asked, kind=kind_of(found, now) if found else "passage")
    for named in (names, ""):
        yield f"{name} {does}{named}."


def _finds(looks: Sequence[Offered], found: Sequence[str], *, asked: bool, kind: str) -> str:
    """What `looks` do; those that are `asked` have the whole corpus on offer, and walk nowhere."""
    if asked:
        queries = f"asks {_count(len(looks), 'query')} and " if len(looks) > 1 else ""
        return f"{queries}finds {_count(len(found), kind)}"
    if found:
        return f"reaches {_count(len(found), f'new {kind}')}"
    if any(look.taken for look in looks):
        return "reaches no new passage"
    return f"takes no {singular(looks[0].of)}"


def _count(count: int, noun: str) -> str:
    """In words where it is none, or one."""
    return f"{'one' if count else 'no'} {noun}" if count < 2 else number(count, noun)


def changed(before: Frame, now: Frame, title: Title, named: Collection[str]) -> str:
    """Who came into what would be retrieved, and in whose place if it is one, as a sentence behind
    another one, which has `named` some.
    """
    was, is_ = _kept(before), _kept(now)
    come = [each for each in is_ if each not in was]
    if 1 < len(come) == len(named) and set(come) <= {*named}:
        all_ = "Both" if len(come) == 2 else "All"
        return f" {all_} take a place in the top {len(is_)}."
    if len(come) == SPELLED_OUT and {*come} == {*[*named][:SPELLED_OUT]}:  # who were told just now
        return f" These two take a place in the top {len(is_)}."
    return f" {begun(_changed(before, now, title))}."


def _changed(before: Frame, now: Frame, title: Title) -> str:
    was, is_ = _kept(before), _kept(now)
    come = [each for each in is_ if each not in was]
    gone = [each for each in was if each not in is_]
    if not come and not gone:
        return f"the top {len(is_)} stays the same"
    names = [_quoted(title(each)) for each in come or gone]
    if len(come) == len(gone) == 1:
        return f"{names[0]} takes the place of {_quoted(title(gone[0]))} in the top {len(is_)}"
    if not come:
        return f"{listed(names)} {'leaves' if len(gone) == 1 else 'leave'} the top {len(was)}"
    return f"{listed(names)} {'takes' if len(come) == 1 else 'take'} a place in the top {len(is_)}"


def _quoted(text: str, room: int = TITLE) -> str:
    return f"'{cropped(text.removesuffix('.'), room)}'"


def _kept(now: Frame) -> list[str]:
    """Best first."""
    return [row.hit.passage_id for row in now.standings if row.kept]


def stays(before: Frame, now: Frame, gold: Sequence[str], title: Title) -> str:
    """Where `gold` ranks, of which there is no news, as a sentence behind another one; empty where
    none would be retrieved.
    """
    was, is_ = (_ranks(one, gold) for one in (before, now))
    if not is_:
        return ""
    ranks = [f"{rank:,}" for rank in sorted(is_.values())]
    told = f"rank{'s' if len(ranks) > 1 else ''} {series(ranks)}"
    alone = [_quoted(title(node)) for node in is_] if len(is_) == 1 < len(gold) else []
    who = " ".join(["Gold", *alone])
    if was == is_:
        return f" {who} stays at {told}."
    moved = sorted((node for node in is_ if is_[node] != was.get(node)), key=is_.__getitem__)
    if len(moved) == 2 and {*map(is_.get, moved)} == {*map(was.get, moved)}:
        first, last = (_quoted(title(node)) for node in moved)
        return f" Gold {first} passes gold {last} to rank {is_[moved[0]]:,}."
    return f" {who} is now at {told}."


def _ranks(now: Frame, gold: Sequence[str]) -> dict[str, int]:
    """Of what would be retrieved."""
    rows = ((row.hit.passage_id, row) for row in now.standings if row.kept)
    return {node: row.rank for node, row in rows if node in gold}


def search_together(search: Search, title: Title) -> str:
    """What is asked, how much is listed, and what is taken of it."""
    asked, hits, taken = search.asked, search.listed.hits, search.taken
    query = search.of or _quoted(asked.query, QUOTE)
    text = f"Search {asked.id} uses {asked_of(asked.retriever)} for {query}"
    if not hits:
        return f"{text}: no passage is found."
    if not taken:
        first = _quoted(title(hits[0].passage_id))
        return f"{text}: {number(len(hits), 'passage')}, {first} first."
    names = [_quoted(title(offer.target)) for offer in taken.taken]
    are = "is" if len(names) == 1 else "are"
    kept = "all" if len(names) == taken.scored > 2 else f"{len(names):,}"
    took = f"{kept} {are} taken: {listed(names)}" if names else "none is taken"
    return f"{text} and finds {number(taken.scored, 'passage')}; {took}."


def round_together(name: str, searches: Sequence[Search], title: Title) -> str:
    """What the round `name` of the question itself goes on with: these `searches`."""
    if len(searches) == 1:
        return f"{begun(name)}: s{search_together(searches[0], title)[1:]}"
    queries = listed([_quoted(one.asked.query) for one in searches])
    taken = [offer.target for one in searches if one.taken for offer in one.taken.taken]
    names = [_quoted(title(node)) for node in dict.fromkeys(taken)]
    are = "is" if len(names) == 1 else "are"
    came = f"{number(len(names), 'passage')} {are} taken, {listed(names)}" if names else _NOTHING
    return f"{begun(name)}: {number(len(searches), 'more search')}, {queries}; {came}."


def narrows_together(frames: Sequence[Frame], title: Title) -> str:
    """What is left in the end of the rounds of all `frames` but the first, and the best of it."""
    *_, last = (now.step for now in frames if isinstance(now.step, Offered))
    best = last.taken[0]
    *before, then = best.label.split(ARROW)
    if before:
        goes = "goes on" if len(before) > 1 else "leads"
        told = f" {goes} from {_quoted(before[-1], QUOTE)} to {_quoted(then, QUOTE)}"
    else:
        told = f": {_quoted(title(best.target), QUOTE)}"
    left, end = share(len(last.taken), last.scored, last.of), " in the end" * (len(frames) > 2)
    return stopped(f"{rounds_named(frames)}: {left} taken{end}. The best{told}.")


def spreads_together(frames: Sequence[Frame], news: str = "") -> str:
    """What spreads in the rounds of all `frames` but the first, which is that before them.

    `news` is what happens to gold in all of them.
    """
    rounds = frames[1:]
    spread = [now.step for now in rounds if isinstance(now.step, Spread)]
    what, then = spread[0].of, begun(news or _first(frames))
    first, last = moved(spread[0]), moved(spread[-1])
    if len(rounds) == 1:
        moves = f"{first} of the {what} moves"
    elif first == last:
        moves = f"{first} of the {what} moves in each"
    elif spread[-1].moved < spread[0].moved:
        moves = f"the {what} settles; {last} of it moves in the last round"
    else:
        moves = f"more and more of the {what} moves"
    return f"{rounds_named(frames)}: {moves}. {then}."


def rounds_named(frames: Sequence[Frame]) -> str:
    """The rounds of all `frames` but the first: `Rounds 2 to 8`."""
    began = [now.round for now in frames[1:] if now.round]
    if began[0] == began[-1]:
        return begun(f"{began[-1]}")
    return begun(f"{several(began[0].name)} {began[0].number} to {began[-1].number}")


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
