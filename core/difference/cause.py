"""Why one retrieves gold and another does not: by what the one got it, where the other lost it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from types import MappingProxyType

from core.funnel.data import Fate, against
from core.funnel.ends import furthest
from core.playback.wording import (
    SPELLED_OUT,
    TITLE,
    begun,
    cropped,
    listed,
    number,
    series,
    singular,
)
from core.steps import ROOT, Asked, Began, Offer, Offered, Ranked, Step, result, things_of
from core.text.scores import distance
from core.text.tokens import words
from core.traces import Trace
from core.types import Hit

LONG = 60
"""Letters of a question that is quoted in the middle of a sentence."""
LONGEST = 160
"""Letters of what is said of one gold passage, questions left out first."""


@dataclass(frozen=True)
class Account:
    """One of those that are compared: what it is called in a sentence, its steps and its ranking,
    the fate of each gold id, what a node of its steps is called, what each edge asks, and how near
    gold that has a rank stood in its own lists, by gold id.
    """

    name: str
    steps: Sequence[Step]
    fates: Mapping[str, Fate]
    title: Callable[[str], str] = str
    asks: Mapping[str, str] = field(default_factory=dict)
    near: Mapping[str, str] = field(default_factory=dict)

    @property
    def query(self) -> str:
        """What it was asked."""
        return next((step.query for step in self.steps if isinstance(step, Asked)), "")

    @property
    def hits(self) -> Sequence[Hit]:
        """What it retrieves, best first."""
        return result(self.steps).hits if self.steps else ()

    @property
    def ranking(self) -> list[str]:
        """The passages that it retrieves, best first."""
        return [hit.passage_id for hit in self.hits]


def account(
    name: str,
    trace: Trace,
    fates: Mapping[str, Fate],
    titles: Mapping[str, str],
    near: Mapping[str, str] = MappingProxyType({}),
) -> Account:
    """Of a retrieval; `titles` says what its passages are called, by their ids."""
    things = {thing.id: thing.label for step in trace.steps for thing in things_of(step)}
    asks = {edge.id: edge.question for edge in trace.edges.values()}

    def title(node: str) -> str:
        return titles.get(node) or things.get(node, node)

    return Account(name, trace.steps, fates, title, asks, near)


@dataclass(frozen=True, slots=True)
class _Way:
    """How a passage was taken first: the `offer`, the node `at` which it was made, and in which
    round; a seed has its `rank` alone; or the `search` that listed it, and what that `asks`; or
    the thing `at` that led to it, the one of that `rank` among those taken, called as `of` says.
    """

    rank: int = 0
    offer: Offer | None = None
    at: str = ""
    hop: str = ""
    search: str = ""
    asks: str = ""
    of: str = ""


def causes(accounts: Sequence[Account], gold: Mapping[str, str]) -> list[str]:
    """`A reaches 'Teo Marrask' at hop 1 by the edge from '1998 Lantern Cup final' and ranks it 2; B
    ranks it 42, 0.031 below its top 20.` For gold that all lost, how close each came.

    Parameters
    ----------
    gold : what each gold id is called, of that which the index holds. A few are told, first those
        that tell the accounts apart, and the others are named.

    Returns
    -------
    Sentences; none where all retrieve all of it.
    """
    told = [name for name in gold if any(one.fates[name].lost for one in accounts)]
    told.sort(key=lambda name: all(one.fates[name].lost for one in accounts))
    sentences = [_cause(accounts, name, gold[name]) for name in told[:SPELLED_OUT]]
    left: dict[str, list[str]] = {}
    for name in told[SPELLED_OUT:]:
        left.setdefault(_who(accounts, name), []).append(_quoted(gold[name]))
    more = (f"{who} lost {listed(names)} too." for who, names in left.items())
    return [*sentences, *more]


def moved(accounts: Sequence[Account], gold: Mapping[str, str]) -> list[str]:
    """Of gold that all retrieve at different ranks, how the one that ranks it best and the one that
    ranks it worst got it, in a sentence each; farthest apart first. `gold` as in `causes`.
    """
    return [_moved(accounts, name, gold[name]) for name in apart(accounts, gold)]


def apart(accounts: Sequence[Account], gold: Iterable[str]) -> list[str]:
    """The gold that all retrieve at different ranks, farthest apart first."""
    ranks = {
        name: [one.fates[name].rank or 0 for one in accounts]
        for name in gold
        if not any(one.fates[name].lost for one in accounts)
    }
    found = [name for name, of in ranks.items() if max(of) > min(of)]
    return sorted(found, key=lambda name: min(ranks[name]) - max(ranks[name]))


def told_alone(one: Account, gold: str, name: str) -> str:
    """What one of them did with a gold passage, in a sentence."""
    return f"{_does(one, gold, _quoted(name))}."


def _moved(accounts: Sequence[Account], gold: str, name: str) -> str:
    order = sorted(accounts, key=lambda one: one.fates[gold].rank or 0)
    best, *between, worst = order
    rest = _briefs(between, gold)
    return _fitting(
        lambda long: [
            f"{best.name} {_getting(best, gold, _quoted(name), long=long)}",
            f"{worst.name} {_getting(worst, gold, 'it', long=long)}",
            *rest,
        ]
    )


def by_parts(accounts: Sequence[Account], gold: str) -> str:
    """`The greatest part of its score is evidence in A and passages in B.` Of a gold passage that
    all retrieve; empty where no score has several parts."""
    most = [f"{part} in {one.name}" for one in accounts if (part := _most(one, gold))]
    return f"The greatest part of its score is {series(most)}." if most else ""


def _most(one: Account, gold: str) -> str:
    """The greatest part of the score that it ranks gold by, of several; one for each word that was
    asked tells nothing."""
    passage = one.fates[gold].passage or gold
    parts = next((hit.parts for hit in one.hits if hit.passage_id == passage), ())
    asked = {*words(one.query)}
    if len(parts) < 2 or any(part.name in asked for part in parts):
        return ""
    return max(parts, key=lambda part: part.value).name


def _fitting(told: Callable[[bool], Sequence[str]]) -> str:
    """What is `told` as one sentence; without questions where it is too long with them, and as
    several where it is too long then."""
    whole = "; ".join(told(True))
    if len(whole) < LONGEST:
        return f"{whole}."
    parts = told(False)
    short = "; ".join(parts)
    return f"{short if len(short) < LONGEST else '. '.join(map(begun, parts))}."


def otherwise(accounts: Sequence[Account]) -> str:
    """The first rank at which they do not have the same passage, in a sentence; empty if there is
    none."""
    for rank, found in enumerate(zip_longest(*(one.ranking for one in accounts)), start=1):
        if len(set(found)) > 1:
            has = (
                f"{one.name} {_quoted(one.title(name)) if name else 'nothing'}"
                for one, name in zip(accounts, found, strict=True)
            )
            return f"Their rankings differ first at rank {rank:,}: {', '.join(has)}."
    return ""


def _who(accounts: Sequence[Account], gold: str) -> str:
    """Who lost it."""
    lost = [one.name for one in accounts if one.fates[gold].lost]
    if len(lost) == len(accounts) > 1:
        return "Both" if len(lost) == 2 else "All"
    return series(lost)


def _cause(accounts: Sequence[Account], gold: str, name: str) -> str:
    """Of one gold passage: who got it best, who came nearest to it, and the others in brief."""
    quoted = _quoted(name)
    kept = sorted(
        (one for one in accounts if not one.fates[gold].lost),
        key=lambda one: one.fates[gold].rank or 0,
    )
    lost = [one for one in accounts if one.fates[gold].lost]
    if len(accounts) > 2:
        lost.sort(key=lambda one: furthest(one.fates[gold]), reverse=True)
    told, others = (kept[:1], [*kept[1:], *lost[1:]]) if kept else ((), lost[2:])
    told = [*told, *lost[: 1 if kept else 2]]
    rest = _briefs(others, gold)

    def parts(long: bool) -> list[str]:
        its = [quoted, *("it" for _ in told[1:])]
        whole = (_does(one, gold, it, long=long) for one, it in zip(told, its, strict=True))
        return [*whole, *rest]

    return _fitting(parts)


def _does(one: Account, gold: str, it: str, *, long: bool = True) -> str:
    """What one of them did with it, behind its name."""
    what = failing if one.fates[gold].lost else _getting
    return f"{one.name} {what(one, gold, it, long=long)}"


def _briefs(others: Iterable[Account], gold: str) -> list[str]:
    """What became of it in others, as one phrase; none without any."""
    ends = ((one, one.fates[gold]) for one in others)
    told = [f"{one.name}: {end.short if end.lost else f'rank {end.rank:,}'}" for one, end in ends]
    return ["; ".join(told)] if told else []


def _getting(one: Account, gold: str, it: str, *, long: bool = True) -> str:
    """By what it got gold that is called `it`, and the rank that it keeps it at; what was asked on
    the way where it may be `long`."""
    fate = one.fates[gold]
    ranks = f" and ranks it {fate.rank:,}"
    way = way_to(one.steps, fate.passage or gold)
    if way is None:
        return f"ranks {it} {fate.rank:,}"
    if way.search:
        asks = f", which asks '{cropped(way.asks, LONG)}'," if way.asks and long else ""
        return f"finds {it} at rank {way.rank} in search {way.search}{asks}{ranks}"
    if way.of:
        thing = f"the {way.of} {_quoted(one.title(way.at))}, its number {way.rank:,}"
        return f"takes {thing}, which leads to {it},{ranks}"
    if way.offer is None:
        return f"starts at {it}, its seed {way.rank:,},{ranks}"
    question = one.asks.get(way.offer.tie) or way.offer.label
    asks = f", '{cropped(question, LONG)}'," if question and long else ""
    by = "by the edge from" if way.offer.tie in one.asks else "from"
    return f"reaches {it}{way.hop} {by} {_quoted(one.title(way.at))}{asks}{ranks}"


def way_to(steps: Sequence[Step], passage: str) -> _Way | None:
    """How `passage` was taken first; where it only stood in the ranking of all, the thing that was
    taken and leads to it, None without one.
    """
    return _taken(steps, passage) or _thing(steps, passage)


def _thing(steps: Sequence[Step], passage: str) -> _Way | None:
    """The first of the things that were taken, be it a fact, an entity or a summary, which a line
    joins with `passage`."""
    ends = {
        tie.target if tie.source == passage else tie.source
        for step in steps
        if not isinstance(step, Asked | Ranked)
        for tie in step.ties
        if passage in (tie.source, tie.target)
    }
    found = [
        _Way(rank, at=offer.target, of=singular(step.of))
        for step in steps
        if isinstance(step, Offered)
        for rank, offer in enumerate(step.taken, start=1)
        if offer.target in ends
    ]
    return min(found, key=lambda way: way.rank, default=None)


def _taken(steps: Sequence[Step], passage: str) -> _Way | None:
    """By a seed, an edge or a search."""
    hop, open_ = "", []
    for step in steps:
        match step:
            case Asked():
                open_.append(step)
            case Began():
                hop = f" at {step.name} {step.number}"
            case Offered():
                for rank, offer in enumerate(step.taken, start=1):
                    if offer.target == passage:
                        # What is taken of all is told by its rank.
                        way = None if step.at == ROOT else _Way(rank, offer, step.at, hop)
                        return _Way(rank) if step.entry else way
            case Ranked():
                asked = open_.pop()
                ranks = {hit.passage_id: rank for rank, hit in enumerate(step.hits, start=1)}
                if asked.id != ROOT and passage in ranks:
                    same = open_ and asked.query == open_[0].query
                    asks = "" if same else asked.query
                    return _Way(ranks[passage], search=asked.id, asks=asks)
            case _:
                pass
    return None


def failing(one: Account, gold: str, it: str, *, long: bool = True) -> str:
    """What it did with gold that it lost, as a phrase behind its name; `it` is what that is called.

    >>> below = Fate("x", "x", "cut", rank=42, margin=-0.0312, k=20, of=203)
    >>> failing(Account("B", (), {"x": below}, str), "x", "it")
    'ranks it 42, 0.031 below its top 20'
    """
    fate = one.fates[gold]
    match fate.stage:
        case "absent":
            return f"has {it} not in its index"
        case "refused":
            return f"was offered {it}{_where(fate)} and did not take it{_short(fate, long)}"
        case "cut" if fate.rank:
            thing = None if fate.search else _thing(one.steps, fate.passage or gold)
            stood = one.near.get(gold, "")
            if thing:
                stood = f"its {thing.of} {_quoted(one.title(thing.at))} is number {thing.rank:,}"
            return f"{_ranked(fate, it)}{f': {stood}' if stood else ''}"
        case "cut":
            return f"reaches {it}{_where(fate)} and does not rank it"
        case "far":
            return f"cannot reach {it}: {_away(fate)}"
        case "unoffered":
            return f"is never offered {it}{_near(fate)}"
        case _:
            return f"does not find {it}{_near(fate)}"


def _ranked(fate: Fate, it: str) -> str:
    if fate.search and fate.unnamed:
        return f"lists {it} in no search: its best rank is {fate.rank:,}, in search {fate.search}"
    if fate.search:
        lists = f", which lists {fate.k:,}" if fate.k and (fate.rank or 0) > fate.k else ""
        end = lists if fate.inner or lists else " and does not keep it"
        return f"ranks {it} {fate.rank:,} in search {fate.search}{end}"
    if not fate.k or (fate.rank or 0) <= fate.k:
        return f"ranks {it} {fate.rank:,} and does not keep it"
    last = f"the last of its top {fate.k:,}"
    if fate.margin and fate.score is not None and not fate.held:
        return f"ranks {it} {fate.rank:,}: {against(fate.score, fate.margin, last)}"
    if fate.margin:
        return f"ranks {it} {fate.rank:,}, {distance(fate.margin)} below its top {fate.k:,}"
    if fate.margin == 0:
        return f"ranks {it} {fate.rank:,}, level with {last}"
    return f"ranks {it} {fate.rank:,}, below its top {fate.k:,}"


def _where(fate: Fate) -> str:
    hop = f" in {fate.round} {fate.hop}" if fate.hop else ""
    return f"{hop} at {_quoted(fate.place)}" if fate.place else hop


def _short(fate: Fate, long: bool) -> str:
    """By how much something else was taken; by both scores where they are known."""
    if fate.why:
        return f": {fate.why}"
    beat = f"{_quoted(fate.beat)}, which was taken" if fate.beat and long else "what was taken"
    if fate.beat and fate.margin and fate.score is not None:
        return f": {against(fate.score, fate.margin, beat)}"
    if fate.margin:
        return f", {distance(fate.margin)} {'below' if fate.margin < 0 else 'above'} {beat}"
    return ""


def _away(fate: Fate) -> str:
    if fate.hop is None:
        return "no path leads there from its seeds"
    return f"{number(fate.hop, 'edge')} from its nearest seed"


def _near(fate: Fate) -> str:
    """How near it stood to what was taken; or else to the seeds."""
    if fate.near:
        return f": {fate.near[0].brief}"
    if fate.entered:
        return f": {fate.entered}"
    return f": {number(fate.hop, 'edge')} from its nearest seed" if fate.hop else ""


def _quoted(name: str) -> str:
    return f"'{cropped(name, TITLE)}'"
