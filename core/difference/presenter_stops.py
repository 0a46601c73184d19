"""The stops at which an audience goes through a difference, one by one, with what is drawn then."""

from collections.abc import Iterable, Iterator, Sequence

from core.difference.contract import GoldData, StopData
from core.difference.explanations import account, told_alone
from core.difference.paired_steps import Pair, parted
from core.difference.side import Side
from core.funnel.data import Fate
from core.playback.wording import begun
from core.text.display.plurals import counted, number
from core.trace_analysis.node_names import Cast


def stops(
    a: Side, b: Side, pairs: Sequence[Pair], gold: Sequence[GoldData], cast: Cast, parting: str
) -> list[StopData]:
    """Return the stops of a presentation: shared, first difference, gold, and everything.

    Each stop shows what was drawn before it as well. The last one has no text.
    """
    drawn: dict[str, None] = {}
    sentence_stops: list[StopData] = []
    for text, names in _sentences_with_nodes(a, b, pairs, gold, cast, parting):
        lit = tuple(names)
        drawn |= dict.fromkeys(lit)
        sentence_stops.append(
            {"text": text, "nodes": cast.numbers(drawn), "lit": cast.numbers(lit)}
        )
    return [*sentence_stops, {"text": "", "nodes": list(range(len(cast.names))), "lit": []}]


def _sentences_with_nodes(
    a: Side, b: Side, pairs: Sequence[Pair], gold: Sequence[GoldData], cast: Cast, parting: str
) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield the sentences of a presentation, each with the nodes it is about."""
    shared = [name for name in cast.names if name in a.kept & b.kept]
    yield _shared(a, b, len(shared)), shared
    first = parted(pairs)
    if first is None:
        yield parting, ()
        return
    taken = [name for act in (first.a, first.b) if act for name in act.nodes]
    yield parting, [name for name in (first.one.at, *taken) if name in cast.number]
    decides = _decides(a, b, gold, cast)
    for side in (a, b) if decides else ():
        own = side.own.get(decides, decides)
        if fate := _fate(side, own):
            titles = {name: side.plot.cast.title(name) for name in side.plot.cast.number}
            one = account(side.by.name, side.trace, {own: fate}, titles)
            got = [line for line in side.led.values() if decides in (line.source, line.target)]
            ends = [end for line in got for end in (line.source, line.target)]
            ways = (*side.way(decides), side.called(fate.at), *ends)
            yield told_alone(one, own, side.title(decides)), (decides, *ways)


def _shared(a: Side, b: Side, both: int) -> str:
    """Describe how many passages two retrievals share."""
    shared = counted(both, "is", "are") if both else "none are"
    ours, theirs = number(len(a.kept), "passage"), f"{len(b.kept):,}" if b.kept else "none"
    return (
        f"{begun(a.by.name)} retrieves {ours} and {b.by.name} retrieves {theirs}; {shared} in both."
    )


def _decides(a: Side, b: Side, gold: Sequence[GoldData], cast: Cast) -> str:
    """Return the gold passage that distinguishes A and B most, or an empty string.

    One that only one of them lost comes first, then that with ranks farthest apart, then the first
    that both lost.
    """

    def difference_size(gold_item: GoldData) -> tuple[int, int]:
        """Return the sort key of gold: lost by one retrieval, ranked differently, lost by both."""
        name = cast.names[gold_item["node"] or 0]
        fates = [_fate(side, side.own.get(name, name)) for side in (a, b)]
        ranks = [fate.rank or 0 if fate else 0 for fate in fates]
        if gold_item["lost"][0] != gold_item["lost"][1]:
            return 3, 0
        if all(gold_item["lost"]):
            return 1, 0
        return 2 * (ranks[0] != ranks[1]), abs(ranks[0] - ranks[1])

    placed = [one for one in gold if one["node"] is not None]
    best = max(placed, key=difference_size, default=None)
    return cast.names[best["node"] or 0] if best and difference_size(best)[0] else ""


def _fate(side: Side, own: str) -> Fate | None:
    """Return the fate of a gold passage, or None if it is unknown."""
    ranking = [hit.passage_id for hit in side.last.hits]
    if own in ranking:
        return Fate(own, own, "kept", rank=ranking.index(own) + 1)
    return side.played.missed.fates.get(own)
