"""Explain why one retrieval finds a gold passage and another misses it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from types import MappingProxyType

from core.difference.arrivals import arrival_of, linked_thing
from core.funnel.data import UNNAMED, Fate, against, beside_cut_off, shortfall
from core.funnel.ends import furthest
from core.playback.wording import SPELLED_OUT, TITLE, begun, cropped, join_names, series
from core.steps import Asked, Step, result, things_of
from core.text.display.plurals import number, ordinal
from core.text.tokens import words
from core.traces import Trace
from core.types import Hit

LONG = 60
"""Letters of a question that is quoted in the middle of a sentence."""


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
        """The query of the retrieval."""
        return next((step.query for step in self.steps if isinstance(step, Asked)), "")

    @property
    def hits(self) -> Sequence[Hit]:
        """The passages retrieved, best first."""
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
    """Return the account of a retrieval; `titles` are passage titles by id."""
    things = {thing.id: thing.label for step in trace.steps for thing in things_of(step)}
    asks = {edge.id: edge.question for edge in trace.edges.values()}

    def title(node: str) -> str:
        return titles.get(node) or things.get(node, node)

    return Account(name, trace.steps, fates, title, asks, near)


@dataclass(frozen=True, slots=True)
class Cause:
    """The reasons why retrievals found or missed a gold passage.

    Parameters
    ----------
    title : of the gold passage.
    told : the place of a retrieval among those compared, its name, what it did, and whether it
        missed the passage; the best one first.
    others : the ranks of the other retrievals.
    """

    title: str
    told: tuple[tuple[int, str, str, bool], ...]
    others: str = ""

    def __str__(self) -> str:
        said = (f"{name} {what}" for _, name, what, _ in self.told)
        return " ".join(f"{each}." for each in filter(None, (*said, self.others)))


def causes(accounts: Sequence[Account], gold: Mapping[str, str]) -> list[Cause]:
    """Say of gold that at least one retrieval misses how each of them found or missed it.

    Parameters
    ----------
    gold : the title of each gold id that the index holds. The first few are explained, those on
        which the retrievals differ first; `also_missed` names the others.

    Returns
    -------
    A cause for each gold passage; none if all retrieve all of it.
    """
    return [_cause(accounts, name, gold[name]) for name in _lost(accounts, gold)[:SPELLED_OUT]]


def also_missed(accounts: Sequence[Account], gold: Mapping[str, str]) -> list[str]:
    """Name the missed gold that `causes` does not explain, in a sentence for each group.

    Gold that all retrievals miss is left out: `outcome` names it.
    """
    left: dict[str, list[str]] = {}
    for name in _lost(accounts, gold)[SPELLED_OUT:]:
        if all(one.fates[name].lost for one in accounts):
            continue
        left.setdefault(_who_misses(accounts, name), []).append(_quoted(gold[name]))
    return [f"{who} {join_names(names)}." for who, names in left.items()]


def _lost(accounts: Sequence[Account], gold: Iterable[str]) -> list[str]:
    """Return the gold that any retrieval missed; what all missed comes last."""
    lost = [name for name in gold if any(one.fates[name].lost for one in accounts)]
    return sorted(lost, key=lambda name: all(one.fates[name].lost for one in accounts))


def moved(accounts: Sequence[Account], gold: Mapping[str, str]) -> list[Cause]:
    """Explain rank differences of gold passages that every retriever finds.

    The largest difference comes first. `gold` is as in `causes`.
    """
    return [_moved(accounts, name, gold[name]) for name in apart(accounts, gold)]


def apart(accounts: Sequence[Account], gold: Iterable[str]) -> list[str]:
    """Return the gold that all retrieve at different ranks, farthest apart first."""
    ranks = {
        name: [one.fates[name].rank or 0 for one in accounts]
        for name in gold
        if not any(one.fates[name].lost for one in accounts)
    }
    differing = [name for name, of in ranks.items() if max(of) > min(of)]
    return sorted(differing, key=lambda name: min(ranks[name]) - max(ranks[name]))


def told_alone(one: Account, gold: str, name: str) -> str:
    """Say in a sentence how a retrieval found or missed a gold passage."""
    return f"{begun(one.name)} {_does(one, gold, _quoted(name))}."


def _moved(accounts: Sequence[Account], gold: str, name: str) -> Cause:
    order = sorted(accounts, key=lambda one: one.fates[gold].rank or 0)
    best, *between, worst = order
    return _told(accounts, [best, worst], between, gold, name)


def _told(
    accounts: Sequence[Account],
    explained: Sequence[Account],
    others: Sequence[Account],
    gold: str,
    name: str,
) -> Cause:
    """Explain how each of `explained` found or lost `gold`, and list the ranks of the `others`."""
    places = {id(one): place for place, one in enumerate(accounts)}
    its = [_quoted(name), *("it" for _ in explained[1:])]
    told = tuple(
        (places[id(one)], one.name, _does(one, gold, it), one.fates[gold].lost)
        for one, it in zip(explained, its, strict=True)
    )
    ends = ((one, one.fates[gold]) for one in others)
    rest = "; ".join(
        f"{one.name}: {end.short if end.lost else f'rank {end.rank:,}'}" for one, end in ends
    )
    return Cause(name, told, rest)


def by_parts(accounts: Sequence[Account], gold: str) -> str:
    """Name the largest component of each score of a gold passage that has several components."""
    return " ".join(filter(None, (_most(one, gold) for one in accounts)))


def _most(one: Account, gold: str) -> str:
    """Say which of several parts of a score is the largest; query words do not count as parts."""
    passage = one.fates[gold].passage or gold
    parts = next((hit.parts for hit in one.hits if hit.passage_id == passage), ())
    asked = {*words(one.query)}
    if len(parts) < 2 or any(part.name in asked for part in parts):
        return ""
    of_score = f"of the score of {_quoted(one.title(passage))}"
    first = max(parts, key=lambda part: part.value)
    if 2 * first.value > sum(part.value for part in parts):
        return f"In {one.name}, most {of_score} comes from the component '{first.name}'."
    return f"In {one.name}, the largest component {of_score} is '{first.name}'."


def first_difference(accounts: Sequence[Account]) -> str:
    """Name the first rank at which the rankings differ; empty if there is none."""
    for rank, at_rank in enumerate(zip_longest(*(one.ranking for one in accounts)), start=1):
        if len(set(at_rank)) > 1:
            by_passage: dict[str | None, list[Account]] = {}
            for retrieval, passage in zip(accounts, at_rank, strict=True):
                by_passage.setdefault(passage, []).append(retrieval)
            clauses = "; ".join(_having(some, passage) for passage, some in by_passage.items())
            return f"The rankings differ from rank {rank:,}: {clauses}."
    return ""


def _having(accounts: Sequence[Account], passage: str | None) -> str:
    """Return which retrievals have a passage, or none: `B and C both have 'Ilo Venn'`."""
    have = {1: "has", 2: "both have"}.get(len(accounts), "all have")
    called = _quoted(accounts[0].title(passage)) if passage else "no passage"
    return f"{series([one.name for one in accounts])} {have} {called}"


def _who_misses(accounts: Sequence[Account], gold: str) -> str:
    """Name the retrievers that lost a gold passage, with the verb: `A and B also miss`."""
    lost = [one.name for one in accounts if one.fates[gold].lost]
    return f"{series(lost)} also miss{'es' if len(lost) == 1 else ''}"


def _cause(accounts: Sequence[Account], gold: str, name: str) -> Cause:
    """Explain the best and the nearest retrieval of a gold passage, and list the others' ranks."""
    kept = sorted(
        (one for one in accounts if not one.fates[gold].lost),
        key=lambda one: one.fates[gold].rank or 0,
    )
    lost = [one for one in accounts if one.fates[gold].lost]
    if len(accounts) > 2:
        lost.sort(key=lambda one: furthest(one.fates[gold]), reverse=True)
    first_kept, others = (kept[:1], [*kept[1:], *lost[1:]]) if kept else ((), lost[2:])
    explained = [*first_kept, *lost[: 1 if kept else 2]]
    return _told(accounts, explained, others, gold, name)


def _does(one: Account, gold: str, it: str) -> str:
    """Describe how a retrieval found or lost a gold passage, as a phrase after its name."""
    what = missed_phrase if one.fates[gold].lost else _found_phrase
    return what(one, gold, it)


def _found_phrase(one: Account, gold: str, it: str) -> str:
    """Describe the rank at which a retrieval has a gold passage, called `it`, and how it got
    there.
    """
    fate = one.fates[gold]
    rank_text = f"finds {it} at rank {fate.rank:,}"
    arrival = arrival_of(one.steps, fate.passage or gold)
    if arrival is None:
        return rank_text
    if arrival.search:
        asks = f" ('{cropped(arrival.asks, LONG)}')" if arrival.asks else ""
        return f"{rank_text}; search {arrival.search}{asks} finds it at rank {arrival.rank}"
    if arrival.of:
        thing = f"{arrival.of} {_quoted(one.title(arrival.at))}"
        return f"{rank_text}, via the {thing} (rank {arrival.rank:,})"
    if arrival.offer is None:
        return f"{rank_text}; it is seed {arrival.rank:,}"
    question = one.asks.get(arrival.offer.tie) or arrival.offer.label
    edge = f" via the edge '{cropped(question, LONG)}'" if question else ""
    return f"{rank_text}, reached{arrival.hop} from {_quoted(one.title(arrival.at))}{edge}"


def missed_phrase(one: Account, gold: str, it: str) -> str:
    """Describe how a retrieval missed a gold passage, as a phrase after the retrieval's name.

    >>> below = Fate("x", "x", "cut", rank=42, score=0.412, margin=-0.031, k=20, of=203)
    >>> missed_phrase(Account("B", (), {"x": below}, str), "x", "it")
    'ranks it 42nd, below its top 20 (score 0.412, cut-off 0.443)'
    """
    fate = one.fates[gold]
    match fate.stage:
        case "absent":
            return f"cannot retrieve {it}, because it is not in the index"
        case "refused":
            what = f"does not follow the edge to {it}" if fate.tie else f"does not select {it}"
            why = fate.why or shortfall(fate)
            return f"{what}{_where(fate)}{f': {why}' if why else ''}"
        case "cut" if fate.rank:
            thing = None if fate.search else linked_thing(one.steps, fate.passage or gold)
            stood = one.near.get(gold, "")
            if thing:
                stood = f"its {thing.of} {_quoted(one.title(thing.at))} ranks {ordinal(thing.rank)}"
            return f"{_rank_phrase(fate, it)}{f'; {stood}' if stood else ''}"
        case "cut":
            return f"reaches {it}{_where(fate)}, but does not rank it"
        case "far":
            return f"cannot reach {it}: {_distance(fate)}"
        case "unoffered":
            return f"never considers {it} as a candidate{_near(fate)}"
        case _:
            return f"does not find {it}{_near(fate)}"


def _rank_phrase(fate: Fate, it: str) -> str:
    """Describe the rank of a gold passage that was cut off, with score and cut-off."""
    rank = f"ranks {it} {ordinal(fate.rank or 0)}"
    if fate.search and fate.unnamed:
        return f"{rank} at best (search {fate.search}); {UNNAMED}"
    where = f" in search {fate.search}" if fate.search else ""
    if not fate.k or (fate.rank or 0) <= fate.k:
        return f"{rank}{where}" + ("" if fate.inner else ", but does not retrieve it")
    scores = "" if fate.search else against(fate.score, fate.margin)
    if fate.held or not scores:
        scores = "" if fate.search else beside_cut_off(fate.margin)
    return f"{rank}{where}, below its top {fate.k:,}{f' ({scores})' if scores else ''}"


def _where(fate: Fate) -> str:
    hop = f" in {fate.round} {fate.hop}" if fate.hop else ""
    return f"{hop} at {_quoted(fate.place)}" if fate.place else hop


def _distance(fate: Fate) -> str:
    if fate.hop is None:
        return "no path leads there from its seeds"
    return _from_seed(fate.hop)


def _from_seed(edges: int) -> str:
    return f"the nearest seed is {number(edges, 'edge')} away"


def _near(fate: Fate) -> str:
    """Return how close a gold passage came to the selected candidates, or to the seeds."""
    if fate.near:
        return f": {fate.near[0].brief}"
    if fate.entered:
        return f": {fate.entered}"
    return f": {_from_seed(fate.hop)}" if fate.hop else ""


def _quoted(name: str) -> str:
    return f"'{cropped(name, TITLE)}'"
