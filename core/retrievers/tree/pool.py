"""Passages and summaries in one list: which are taken, and what that says of each passage."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from core.artefacts.tree.growing import Tree
from core.models.money.counting import tokens_of
from core.ranking import Scores, best
from core.retrievers.base import Tone
from core.steps import ROOT, Offer, Offered, Pooled, Thing, Tie, Told
from core.store.index import Index
from core.store.schema import passage_text
from core.text.shown import shortened
from core.types import Hit, Part

OWN, SUMMARY = "passage", "summary"
"""Parts of a score: of the passage itself, and of a summary that stands for it."""
PARTS: Mapping[str, tuple[Tone, str]] = {
    OWN: ("b", "cosine of question and passage"),
    SUMMARY: ("c", "of the nearest summary above it, the less the higher that one stands"),
}
Drawn = Callable[[int], tuple[Thing, str]]
"""How the summary of a number is drawn, its text being the detail, and the part that it gives."""
_REFUSED = 5  # of what was not taken, that is listed
_LABEL = 60
NO_ROOM = "no room"
"""Why something near is not taken."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary that was taken, the part that it gives, and its cosine. `below` has the passages
    that it stands for, by number, with how many steps down each is."""

    thing: Thing
    part: str
    score: float
    below: Mapping[int, int]


def thing_of(tree: Tree, number: int, name: str = "cluster") -> Thing:
    """A cluster of `tree` as it is drawn; `name` begins its id."""
    text = tree.clusters[number].text
    return Thing(f"{name}:{number}", "cluster", cropped(text), text)


def cropped(text: str) -> str:
    """As much of a text as a node is called by."""
    return shortened(text, _LABEL)


def whose(tree: Tree, substitute: str) -> str:
    """Who wrote the summaries of `tree`."""
    makers = Counter(cluster.maker for cluster in tree.clusters)
    if not makers:
        return "There are too few texts for a cluster."
    if not makers[""]:
        return f"The summaries are by {', '.join(sorted(makers))}."
    if len(makers) == 1:
        return substitute
    return f"{makers['']} of {makers.total()} clusters have no summary by a model. {substitute}"


def size_of(index: Index, passage: int) -> int:
    """Of a passage as a reader is shown it, in tokens."""
    found = index.passages[passage]
    return tokens_of(passage_text(found.title, found.text))


def offered(
    index: Index, own: Scores, above: Scores, drawn: Drawn, count: int, room: int, reason: str
) -> tuple[Offered, list[int], list[int]]:
    """The list of the nearest passages and summaries, with the numbers of both that are taken.

    Taken is what is nearest, `count` at most, as far as there is room for its text; what has no
    room is passed over.

    Parameters
    ----------
    own, above : cosines of the passages, and of the summaries.
    room : tokens of all that is taken.
    reason : who wrote the summaries.
    """
    order = best(np.concatenate((own, above)), count + _REFUSED).tolist()
    offers, things, passages, summaries = [], [], [], []
    left, taken = room, 0
    for place in order:
        number = place - len(own)
        thing, part = drawn(number) if number >= 0 else (None, OWN)
        score = float(own[place] if thing is None else above[number])
        size = size_of(index, place) if thing is None else tokens_of(thing.detail)
        why = f"{count} are taken" if taken == count else NO_ROOM if size > left else ""
        if not why:
            left, taken = left - size, taken + 1
            if thing is None:
                passages.append(place)
            else:
                summaries.append(number)
        if thing:
            things.append(thing)
        offers.append(
            Offer(
                thing.id if thing else index.ids[place],
                score,
                (Part(part, score),),
                taken=not why,
                notes=(("left out:", why),) if why else (),
                size=size,
            )
        )
    considered = len(own) + len(above)
    listed = Offered(
        ROOT,
        "texts",
        tuple(offers),
        considered=considered,
        room=room,
        things=tuple(things),
        told=Told(reason=reason),
    )
    return listed, passages, summaries


def pooled(
    index: Index,
    own: Scores,
    passages: Iterable[int],
    summaries: Iterable[Summary],
    share: float,
    kept: int,
) -> tuple[Pooled, tuple[Hit, ...]]:
    """The passages that were taken, and those below what was: own cosine + share^depth x summary's.

    Of several summaries above a passage the one counts that gives most.

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
    ties = tuple(
        Tie(f"{given_by.thing.id}>{name}", given_by.thing.id, name, "stands for")
        for n in order[:kept]
        if (given_by := given[n][1]) and (name := index.ids[n])
    )
    reason = "A passage has its own cosine, and a share of the nearest summary above it."
    lists = ("passages taken", "passages below summaries taken")
    return Pooled(lists, hits[:kept], ties=ties, told=Told(reason=reason)), hits


def _hit(passage: str, own: float, worth: float, above: Summary | None) -> Hit:
    parts = (Part(OWN, own), Part(above.part, worth)) if above else (Part(OWN, own),)
    return Hit(passage, sum(part.value for part in parts), parts)
