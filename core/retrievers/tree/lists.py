"""The lists behind the steps over a tree, whole: passages, and the summaries above them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from core.artefacts.tree.growing import Tree
from core.ranking import Scores
from core.retrievers.searched_lists import Searched, lists_in, reasons_left_out
from core.retrievers.tree.pool import NO_ROOM, Summary, thing_of
from core.steps import Kind, Offered, Step

NAMED: Mapping[Kind, str] = {"cluster": "summary"}
"""What is called otherwise than its kind."""


def texts_searched(
    steps: Sequence[Step], own: Scores, above: Scores, summary: Callable[[int], Summary]
) -> Iterator[Searched]:
    """Yield the list of all texts: for passages themselves, summaries above them, and entities.

    Parameters
    ----------
    own, above : cosines of the passages, and of the summaries.
    summary : the one of a number.
    """
    cosine = np.concatenate((own, above))
    summaries = {len(own) + number: summary(number) for number in range(len(above))}
    for _, step in lists_in(steps, "texts"):
        out, taken = reasons_left_out(step), len(step.taken)
        yield Searched.from_scores("text", cosine, taken)
        no_room = [n for n, one in summaries.items() if out.get(one.thing.id) == NO_ROOM]
        for kind in dict.fromkeys(one.thing.kind for one in summaries.values()):
            above_it = {n: one for n, one in summaries.items() if one.thing.kind == kind}
            yield Searched.from_scores(
                *(NAMED.get(kind, kind), cosine, taken, partial(_above, above_it)),
                name=lambda n: summaries[n].thing.label,
            ).with_after(dict.fromkeys(no_room, "but it does not fit the token limit"))


def _above(summaries: Mapping[int, Summary], passage: int) -> list[int]:
    """Return the summaries above a passage, as positions in the list."""
    return [place for place, one in summaries.items() if passage in one.below]


def clusters_searched(step: Offered, tree: Tree, where: str) -> Searched:
    """Return the clusters listed at one place; those above a passage lead to it."""
    names = {thing_of(tree, n).id: n for n in range(len(tree.clusters))}
    order = [names[offer.target] for offer in step.offers]
    scores = {n: offer.score for n, offer in zip(order, step.offers, strict=True)}
    return Searched(
        *("summary", order, scores, len(step.taken)),
        lambda passage: [n for n in order if passage in tree.below(n)],
        lambda n: thing_of(tree, n).label,
        where,
    )
