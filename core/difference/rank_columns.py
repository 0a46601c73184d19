"""Two that only rank, side by side: who retrieves what, each by its rank."""

from collections.abc import Collection, Mapping

from core.difference.contract import Whose
from core.difference.side import Side
from core.playback import Columns, DrawnLine
from core.steps import ROOT

PASSAGE = "passage"
QUESTION = "Question"

HEADINGS: Mapping[Whose, str] = {"a": "A only", "both": "Both", "b": "B only"}
"""Over the columns, in their order. `shown_heading` names the retrievals."""
BESIDE = ("Ranked by A", "Ranked by B")
"""Over what a retriever found that does not walk, and the walk beside it has not retrieved."""
LED = "Led to gold"
"""Over what gold was got from, be it a question or a thing, in front of all."""
NEITHER = "Retrieved by neither"
"""Over gold that is in no result, and what was reached alone."""
Ranks = tuple[int | None, int | None]
"""Of a node in A and in B, from 1; None where it has none, or that is not known."""


def only_rank(a: Side, b: Side) -> bool:
    """Check whether the drawing only shows which retrieval has which passage."""
    return no_layout(a, b) or not (a.followed or b.followed)


def no_layout(a: Side, b: Side) -> bool:
    """Check whether one walks between passages while the other spreads over node kinds.

    No layout fits both: it would put all of the other's nodes into its last column.
    """
    return a.walks and b.walks and a.plot.spreads != b.plot.spreads


def passages(a: Side, b: Side, names: Collection[str]) -> set[str]:
    """Return those of `names` that can appear in a ranking."""
    kinds = {
        name: side.plot.cast.kind(side.own.get(name, name))
        for side in (b, a)
        for name in names
        if name in side.reached
    }
    return {name for name in names if kinds.get(name, PASSAGE) == PASSAGE}


def led_by(a: Side, b: Side) -> dict[str, DrawnLine]:
    """Return the lines that explain how gold was reached, if the drawing has no others."""
    return {**b.led, **a.led} if only_rank(a, b) else {}


def leads(a: Side, b: Side) -> list[str]:
    """Return the sources of these lines that cannot appear in a ranking, the question first."""
    of = {name for side in (b, a) for name in _explaining_nodes(side)}
    return sorted(of, key=lambda name: (name != ROOT, name))


def _explaining_nodes(side: Side) -> list[str]:
    """Return the nodes other than passages at the lines that explain how gold was reached."""
    cast, ends = side.plot.cast, [(line.source, line.target) for line in side.led.values()]
    return [
        name
        for line_ends in ends
        for name in line_ends
        if name == ROOT or cast.kind(side.own.get(name, name)) != PASSAGE
    ]


def by_ranks(a: Side, b: Side, kept: Collection[str]) -> Columns:
    """Lay out the nodes of `kept` in a column per retrieval, by rank, after their `leads`."""
    columns, others = Columns(), [*HEADINGS]
    first = leads(a, b)
    for name in first:
        columns.put(name, 0, QUESTION if first == [ROOT] else LED)
    kept = set(kept) - set(first)
    ranks = {name: ranks_of(a, b, name) for name in kept}
    shift = bool(first)

    def there(name: str) -> tuple[int, str]:
        own = [rank for rank, side in zip(ranks[name], (a, b), strict=True) if name in side.kept]
        known = [rank for rank in own or ranks[name] if rank]
        return min(known, default=len(kept)), name

    for name in sorted(kept, key=there):
        if name in a.kept | b.kept:
            whose: Whose = "both" if name in a.kept & b.kept else "a" if name in a.kept else "b"
            columns.put(name, shift + others.index(whose), HEADINGS[whose])
        else:
            columns.put(name, shift + len(others), NEITHER)
    return columns


def ranks_of(a: Side, b: Side, name: str) -> Ranks:
    """Return the ranks of a node in A and in B; for gold, also below the cut-off."""
    one, other = (_rank(side, name) for side in (a, b))
    return one, other


def _rank(side: Side, name: str) -> int | None:
    """Return the rank of a node in a retrieval, for lost gold also below the top k.

    It is None if the node is not ranked there.
    """
    own_id = side.own.get(name, name)
    if name in side.alias:
        return None
    for row in side.last.ranking_rows:
        if row.hit.passage_id == own_id:
            return row.rank
    fate = side.played.missed.fates.get(own_id)
    # Of what was on offer and not taken it is a place in that list, and no rank.
    return fate.rank if fate and fate.stage != "refused" else None


def shown_heading(heading: str, a: Side, b: Side) -> str:
    """Return a heading as the screen shows it, with the name or sign of the retrieval."""
    whose = {
        HEADINGS["a"]: f"{a.by.sign} only",
        HEADINGS["b"]: f"{b.by.sign} only",
        BESIDE[0]: f"Ranked by {a.by.name}",
        BESIDE[1]: f"Ranked by {b.by.name}",
    }
    return whose.get(heading, heading)


def of_b(heading: str) -> bool:
    """Check whether a column lists nodes of B alone, in B's order."""
    return heading in (HEADINGS["b"], BESIDE[1])


def rank_label(ranks: Ranks, heading: str = "", signs: tuple[str, str] = ("A", "B")) -> str:
    """Return the rank label: one rank, or both with signs, the column's own first.

    >>> rank_label((3, None)), rank_label((None, 4)), rank_label((6, 7)), rank_label((None, None))
    ('3', '4', 'A 6 · B 7', '')
    >>> rank_label((22, 15), "B only")
    'B 15 · A 22'
    """
    known = [(sign, rank) for sign, rank in zip(signs, ranks, strict=True) if rank]
    if len(known) == 1:
        return f"{known[0][1]:,}"
    return " · ".join(f"{sign} {rank:,}" for sign, rank in known[:: -1 if of_b(heading) else 1])
