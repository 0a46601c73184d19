"""Actions of a retrieval, node by node, to compare with another retrieval."""

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from core.difference.side import Side
from core.playback.voices import speaker
from core.playback.wording import QUOTE, begun, join_names
from core.steps import ROOT, Asked, Began, Offered, Pooled, Ranked, Said, Spread, Step
from core.text.display.cropping import cropped

TOP = 5
"""Nodes of a list that count, where a step ranks many."""
ASKS, SAYS, STOPS = "asks", "receives", "stops:"
Key = tuple[str, str, str, int]
"""Phase, node by its own id, what happens there, and for which time it happens there."""


@dataclass(frozen=True, slots=True)
class Act:
    """The action of step `t`. Two actions are the same if their `does` is equal.

    `nodes` are those that it took, in order, and `refused` is gold that was on offer there and was
    not taken. `text` says it in words that follow A or B.
    """

    t: int
    key: Key
    at: str
    name: str
    nodes: tuple[str, ...]
    does: Hashable
    verb: str
    of: str
    refused: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return f"{self.verb} {self.of}"

    @property
    def is_notable(self) -> bool:
        """Whether the step selected or said anything, or refused gold."""
        return bool(self.nodes or self.refused) or self.verb in (ASKS, SAYS, STOPS)

    @property
    def phase(self) -> str:
        return self.key[0]


def acts(side: Side) -> list[Act]:
    """Return every step that selects, ranks or says something."""
    met: Counter[tuple[str, str, str]] = Counter()
    actions: list[Act] = []
    brackets: list[str] = []
    for t, (step, phase) in enumerate(
        zip(side.trace.steps, side.played.phases, strict=True), start=1
    ):
        if isinstance(step, Asked):
            brackets.append(side.called(step.id))
        for at, what, nodes, does, verb, of in _step_actions(side, step, brackets[-1]):
            place = phase, side.own.get(at, at), what
            met[place] += 1
            again = f" ({met[place]})" if met[place] > 1 else ""
            name = side.title(at) if at and at != ROOT else begun(what)
            key = (*place, met[place])
            refused = _refused_gold(side, step)
            actions.append(Act(t, key, at, f"{name}{again}", nodes, does, verb, of, refused))
        if isinstance(step, Ranked):
            brackets.pop()
    return actions


def _refused_gold(side: Side, step: Step) -> tuple[str, ...]:
    offers = step.offers if isinstance(step, Offered) else ()
    gold = side.plot.cast.gold
    return tuple(side.called(one.target) for one in offers if not one.taken and one.target in gold)


def _step_actions(
    side: Side, step: Step, question: str
) -> Iterator[tuple[str, str, tuple[str, ...], Hashable, str, str]]:
    """Yield (node, kind, nodes taken, compared value, verb, object) of a step."""
    match step:
        case Asked():
            if step.id != ROOT:
                same = step.query == side.trace.query
                of = "the original question" if same else f'"{quoted(step.query)}"'
                yield question, "asked", (), step.query, ASKS, of
        case Offered() if step.offers:
            nodes = tuple(side.called(offer.target) for offer in step.taken)
            at, what = ("", "seeds") if step.entry else (side.called(step.at), step.of)
            edges = any(offer.tie in side.plot.cast.edges for offer in step.offers)
            verb = "starts at" if step.entry else "hops to" if edges else "selects"
            if edges and not nodes:
                yield at, what, nodes, frozenset(nodes), "follows", "no edge"
                return
            yield at, what, nodes, frozenset(nodes), verb, titles(side, nodes)
        case Spread() | Pooled():
            nodes = tuple(side.called(hit.passage_id) for hit in step.hits[:TOP])
            what = step.of if isinstance(step, Spread) else "merged"
            yield question, what, nodes, nodes, "starts its ranking with", titles(side, nodes)
        case Said() if step.text:
            about = side.called(step.about)
            of = f'"{quoted(step.text)}" from {speaker(step.by)}'
            yield about, step.by, (), step.text, SAYS, of
        case Said() if step.ends:
            yield side.called(step.about), step.by, (), step.ends, STOPS, step.ends
        case Ranked():
            nodes = tuple(side.called(hit.passage_id) for hit in step.hits)
            verb = "retrieves" if question == ROOT else "keeps"
            yield question, "result", nodes, nodes, verb, titles(side, nodes)
        case Began() | Offered() | Said():
            return


def titles(side: Side, nodes: tuple[str, ...]) -> str:
    """Return the titles of the first nodes as a phrase."""
    return join_names([f"'{quoted(side.title(name))}'" for name in nodes]) or "nothing"


def quoted(text: str) -> str:
    return cropped(text, QUOTE)
