"""The pair of retrievers that the difference shows by default."""

from collections.abc import Callable
from itertools import combinations

from core.artefacts.workbench import Workbench
from core.retrievers import Spec
from pages.components.ask.imported_results import Compared
from pages.components.compare.comparison import comparison
from pages.components.compare.form import Request

Pair = tuple[Compared, ...]


def usual_pair(wish: Request, bench: Workbench, tell: Callable[[str], object]) -> Pair:
    """Return the reference and the retriever that differs most from it.

    First counts gold that only the reference lost, then gold that only one of the two lost, then
    whether only the other one walks. No model is called. `tell` as in `comparison`.
    """
    reference, *others = wish.columns
    if len(others) == 1:
        return wish.columns
    lost = _lost_gold(wish, bench, tell)

    def telling(spec: Compared) -> tuple[int, int, bool]:
        """Return a sort key: gold that only the reference loses, gold that differs, whether it
        walks.
        """
        walks = bool(spec.card.direction) and not reference.card.direction
        if reference not in lost or spec not in lost:
            return 0, 0, walks
        ours, theirs = lost[reference], lost[spec]
        return len(ours - theirs), len(ours ^ theirs), walks

    return reference, max(others, key=telling)


def next_pair(pair: Pair, specs: Pair) -> Pair:
    """Return the pair of `specs` that follows `pair` in order.

    After the last the first. Which of the two is A does not matter.
    """
    pairs = list(combinations(specs, 2))
    places = [place for place, two in enumerate(pairs) if set(two) == set(pair)]
    return pairs[(places[0] + 1) % len(pairs)]


def pair_position(pair: Pair, specs: Pair) -> str:
    """Return the position of `pair` among all pairs: `2 of 6`."""
    pairs = [set(two) for two in combinations(specs, 2)]
    return f"{pairs.index(set(pair)) + 1} of {len(pairs)}"


def _lost_gold(
    wish: Request, bench: Workbench, tell: Callable[[str], object]
) -> dict[Compared, frozenset[str]]:
    """Return the gold that each column lost; retrievers that need a model are not run."""
    asked = [
        one
        for one in wish.columns
        if bench.oracle is None or not isinstance(one, Spec) or not one.asks_model
    ]
    found = comparison(bench, wish.question, asked, wish.top_k, tell)
    fates = {
        spec: found.fates[column.key]
        for spec, column in zip(asked, found.columns, strict=True)
        if column.steps
    }
    return {
        spec: frozenset(gold for gold, fate in each.items() if fate.lost)
        for spec, each in fates.items()
    }
