"""Select passages and summaries from one list, and rank the passages that they contain."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.artefacts.base import Artefact
from core.artefacts.tree.growing import Tree
from core.artefacts.workbench import Workbench
from core.models.token_counts import tokens_of
from core.ranking import Scores, best
from core.retrievers.base import Tone
from core.steps import LEFT_OUT, ROOT, Offer, Offered, Pooled, Thing, Tie, Told
from core.store.index import Index
from core.store.schema import passage_text
from core.text.display.passage_labels import shortened
from core.types import Hit, Part

OWN, SUMMARY = "passage", "summary"
"""Parts of a score: of the passage itself, and of a summary above it."""
PARTS: Mapping[str, tuple[Tone, str]] = {
    OWN: ("b", "cosine of query and passage"),
    SUMMARY: ("c", "from the nearest summary above it, discounted at each level"),
}
_REFUSED = 5  # nodes listed although they are not selected
_LABEL = 60
NO_ROOM = "over the token limit"
"""The reason why a near text is not selected."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary: its trace node with the text as detail, its score part, and its cosine.

    `below` maps the numbers of the passages below it to their depth in steps, and `inner` has the
    ids of the summaries in between.
    """

    thing: Thing
    part: str
    score: float
    below: Mapping[int, int]
    inner: frozenset[str] = frozenset()


def thing_of(tree: Tree, number: int, name: str = "cluster") -> Thing:
    """Return the drawn node of a cluster of `tree`; `name` is the prefix of its id."""
    text = tree.clusters[number].text
    return Thing(f"{name}:{number}", "cluster", cropped(text), text)


def summary_of(tree: Tree, number: int, part: str, score: float, name: str = "cluster") -> Summary:
    """Return the summary of a cluster of a `tree` over passages; `name` as in `thing_of`."""
    under = tree.under(number)
    inner = frozenset(f"{name}:{n - tree.leaves}" for n in under if n >= tree.leaves)
    return Summary(thing_of(tree, number, name), part, score, tree.below(number), inner)


def cropped(text: str) -> str:
    """Shorten a text to the length of a node label."""
    return shortened(text, _LABEL)


def summaries_by(workbench: Workbench, artefact: Artefact[Any], tree: Tree) -> str:
    """Return a sentence about who wrote the summaries of `tree`, which `artefact` has."""
    if not tree.clusters:
        return "The corpus is too small for clusters."
    return workbench.authorship(artefact, [cluster.maker for cluster in tree.clusters])


def size_of(index: Index, passage: int) -> int:
    """Return the size of a passage, as a reader model receives it, in tokens."""
    taken = index.passages[passage]
    return tokens_of(passage_text(taken.title, taken.text))


def select_texts(
    index: Index,
    own: Scores,
    above: Scores,
    summary: Callable[[int], Summary],
    count: int,
    room: int,
    reason: str,
) -> tuple[Offered, list[int], list[Summary]]:
    """Select the nearest passages and summaries, at most `count`, whose texts fit into `room`.

    Texts that do not fit are skipped.

    Parameters
    ----------
    own, above : cosines of the passages, (n,), and of the summaries.
    summary : returns a summary by its number.
    room : maximum tokens of all selected texts.
    reason : who wrote the summaries.

    Returns
    -------
    The step, with lines from selected summaries to listed texts below them; the numbers of the
    selected passages; and the selected summaries.
    """
    order = best(np.concatenate((own, above)), count + _REFUSED).tolist()
    offers, things, passages, summaries = [], [], [], []
    left, taken = room, 0
    for place in order:
        one = summary(place - len(own)) if place >= len(own) else None
        score = one.score if one else float(own[place])
        size = tokens_of(one.thing.detail) if one else size_of(index, place)
        why = f"only {count} are kept" if taken == count else NO_ROOM if size > left else ""
        if not why:
            left, taken = left - size, taken + 1
            if one:
                summaries.append(one)
            else:
                passages.append(place)
        if one:
            things.append(one.thing)
        offers.append(
            Offer(
                one.thing.id if one else index.ids[place],
                score,
                (Part(one.part if one else OWN, score),),
                taken=not why,
                notes=((LEFT_OUT, why),) if why else (),
                size=size,
            )
        )
    listed = {place: index.ids[place] for place in order if place < len(own)}
    step = Offered(
        ROOT,
        "texts",
        tuple(offers),
        considered=len(own) + len(above),
        room=room,
        things=tuple(things),
        ties=summary_lines(summaries, listed),
        told=Told(reason=reason),
    )
    return step, passages, summaries


def summary_lines(summaries: Sequence[Summary], passages: Mapping[int, str]) -> tuple[Tie, ...]:
    """Return lines from each summary to the summaries and passages directly below it."""
    ties: list[Tie] = []
    for one in summaries:
        between = [other for other in summaries if other.thing.id in one.inner]
        nearer = {below for other in between for below in (*other.below, *other.inner)}
        names = [other.thing.id for other in between if other.thing.id not in nearer]
        names += [name for n, name in passages.items() if n in one.below and n not in nearer]
        ties += [summary_line(one.thing.id, name) for name in names]
    return tuple(ties)


def summary_line(summary: str, member: str) -> Tie:
    """Return the line between two nodes of a tree, by their ids."""
    return Tie(f"{summary}>{member}", summary, member, "summarises")


def rank_pool(
    index: Index,
    own: Scores,
    passages: Sequence[int],
    summaries: Sequence[Summary],
    share: float,
    kept: int,
) -> tuple[Pooled, tuple[Hit, ...]]:
    """Rank the passages selected or below a selected text: cosine + share^depth x summary's.

    Of several summaries above a passage, the one that adds most counts.

    Returns
    -------
    The step, with lines from summaries to the first `kept` passages, and all passages, best first.
    """
    given: dict[int, tuple[float, Summary | None]] = dict.fromkeys(passages, (0.0, None))
    for one in summaries:
        for number, depth in one.below.items():
            worth = share**depth * max(one.score, 0.0)
            if worth > given.get(number, (-1.0, None))[0]:
                given[number] = worth, one
    order = sorted(given, key=lambda n: (-(float(own[n]) + given[n][0]), n))
    hits = tuple(_hit(index.ids[number], float(own[number]), *given[number]) for number in order)
    ties = summary_lines(summaries, {n: index.ids[n] for n in order[:kept]})
    reason = "A passage scores its own cosine plus a share of its closest summary's score."
    return Pooled(
        _lists(passages, summaries), hits[:kept], ties=ties, told=Told(reason=reason)
    ), hits


def _lists(passages: Sequence[int], summaries: Sequence[Summary]) -> tuple[str, str]:
    """Describe what is pooled: selected passages, and those below selected summaries."""
    entities = sum(one.thing.kind == "entity" for one in summaries)
    counts = ((len(summaries) - entities, "summary", "summaries"), (entities, "entity", "entities"))
    who = " and ".join(_count_of(*each) for each in counts if each[0])
    below = len({number for one in summaries for number in one.below})
    under = f"{_count_of(below, 'passage', 'passages')} under {who}"
    return f"{_count_of(len(passages), 'passage', 'passages')} selected", under


def _count_of(count: int, singular: str, plural: str) -> str:
    """Format a count with its noun in the singular or plural."""
    return f"{count:,} {singular if count == 1 else plural}"


def _hit(passage: str, own: float, worth: float, above: Summary | None) -> Hit:
    parts = (Part(OWN, own), Part(above.part, worth)) if above else (Part(OWN, own),)
    return Hit(passage, sum(part.value for part in parts), parts)
