"""A sub-question that is planned, and the search for it, as one node.

So is the question of the whole with the first search, if that is for the question as it is.

A plan names its questions before they are asked, and a place in one, such as `#1`, is filled in
when it is. As two nodes they would say the same twice, so the planned one is called as it is asked.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from core.playback.layers import as_it_is
from core.steps import ROOT, Asked, Began, Offered, Pooled, Said, Spread, Step, Tie, things_of


def as_asked(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Rename the steps so that a planned question and the one search for it share an id.

    The search for the whole question takes the id of that question. All steps stay as they are if
    one search is for several planned questions or several searches are for one, and so does a
    question that a line leads to.
    """
    own = as_it_is(steps)
    names = {**_names(steps), **({own: ROOT} if own else {})}
    return tuple(_rename_nodes(step, names) for step in steps) if names else tuple(steps)


def _names(steps: Sequence[Step]) -> dict[str, str]:
    """Return, by planned question, the id of the search for it alone."""
    planned = {thing.id for step in steps for thing in things_of(step) if thing.kind == "query"}
    planned -= {name for step in steps for name in _visited_nodes(step)}
    asked = [step for step in steps if isinstance(step, Asked)]
    pairs = [(one, step.id) for step in asked for one in step.parents if one in planned]
    of, by = [one for one, _ in pairs], [name for _, name in pairs]
    return {one: name for one, name in pairs if of.count(one) == 1 == by.count(name)}


def _visited_nodes(step: Step) -> Iterable[str]:
    """Return the nodes that a step examines or ranks."""
    match step:
        case Began():
            return step.waiting
        case Offered():
            return step.at, *(offer.target for offer in step.offers)
        case Spread() | Pooled():
            return [hit.passage_id for hit in step.hits]
        case _:
            return ()


def _rename_nodes(step: Step, names: Mapping[str, str]) -> Step:
    """Return `step` with other ids for its nodes and lines."""

    def all_of(ids: Iterable[str]) -> tuple[str, ...]:
        return tuple(names.get(one, one) for one in ids)

    if isinstance(step, Asked):
        came = tuple(one for one in all_of(step.parents) if one != step.id)
        return replace(step, parents=came or (ROOT,)) if step.parents else step
    if not isinstance(step, Began | Offered | Spread | Said | Pooled):
        return step
    things = tuple(replace(one, id=names.get(one.id, one.id)) for one in step.things)
    ties = tuple(_renamed_edge(one, names) for one in step.ties)
    moved = replace(step, things=things, ties=ties) if things or ties else step
    if isinstance(moved, Offered):
        return replace(moved, at=names.get(moved.at, moved.at))
    if not isinstance(moved, Said):
        return moved
    about = names.get(moved.about, moved.about)
    return replace(moved, about=about, closes=all_of(moved.closes), rests_on=all_of(moved.rests_on))


def _renamed_edge(tie: Tie, names: Mapping[str, str]) -> Tie:
    """Return the edge with its ends renamed; names that are not in `names` stay."""
    return replace(
        tie,
        source=names.get(tie.source, tie.source),
        target=names.get(tie.target, tie.target),
    )
