"""The lines that are drawn between the nodes of a retrieval."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from core.playback.layers import as_it_is, questions_drawn, spreads
from core.steps import ROOT, Asked, Offer, Offered, Ranked, Said, Step, Tie, things_of, ties_of


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A line of the drawing; `source` and `target` are its ends, whichever way it is followed.

    `of_graph` says that `id` is an edge of the index. `offered` is the step (counted from 1) at
    which it was first on offer or brought, `taken` the one at which it was first followed, None if
    never. `backwards`: it was looked at from its target.
    """

    id: str
    source: str
    target: str
    label: str
    offered: int
    taken: int | None = None
    backwards: bool = False
    of_graph: bool = False


def drawn_lines(steps: Sequence[Step]) -> list[DrawnLine]:
    """Every line that was on offer at a node or was brought by a step, once each, in order.

    The edges by which the seeds were found are not among them: they lead into the walk and are
    not part of it. What a question found is joined to it, where questions are drawn, and what was
    taken at a thing to that. The step that followed a line decides `backwards`; before that, the
    first.
    """
    drawn: dict[str, DrawnLine] = {}
    brought = {tie.id: tie for step in steps for tie in ties_of(step)}
    questions = questions_drawn(steps)
    places = questions.keys() | {thing.id for step in steps for thing in things_of(step)}
    listed = {} if spreads(steps) else _listed(steps, questions)
    rests = _rests(steps)
    for number, step in enumerate(steps, start=1):
        for tie in ties_of(step):
            drawn.setdefault(tie.id, DrawnLine(tie.id, tie.source, tie.target, tie.label, number))
        own = _lines(number, step, brought, questions, rests, places)
        for line in (*own, *listed.get(number, ())):
            before = drawn.setdefault(line.id, line)
            if line.taken and before.taken is None:
                drawn[line.id] = replace(before, taken=number, backwards=line.backwards)
    return list(drawn.values())


def _lines(
    number: int,
    step: Step,
    brought: Mapping[str, Tie],
    questions: Mapping[str, str],
    rests: Mapping[str, Sequence[str]],
    places: AbstractSet[str],
) -> Iterator[DrawnLine]:
    """The lines that `step` looks at or follows, from the `places` where lists are offered; to a
    question that is a sentence of a passage from that.
    """
    if isinstance(step, Asked) and step.id in questions:
        for parent in rests.get(step.id, step.parents):
            yield _descent(number, parent, step.id, brought)
    if not isinstance(step, Offered) or step.entry:
        return
    for offer in step.offers:
        taken = number if offer.taken else None
        if tie := brought.get(offer.tie):
            yield DrawnLine(tie.id, tie.source, tie.target, tie.label, number, taken)
        elif offer.tie:
            source, target = _ends(step.at, offer)
            yield DrawnLine(
                offer.tie, source, target, offer.label, number, taken, offer.backwards, True
            )
        elif step.at in places and offer.taken:
            name = f"{step.at}>{offer.target}"
            yield DrawnLine(name, step.at, offer.target, offer.label, number, taken)


def _rests(steps: Sequence[Step]) -> dict[str, Sequence[str]]:
    """Return the passages behind each question that repeats what was just said."""
    rests_on: dict[str, Sequence[str]] = {}
    said = None
    for step in steps:
        said = step if isinstance(step, Said) else said
        if isinstance(step, Asked) and said and said.rests_on and step.query == said.text:
            rests_on[step.id] = said.rests_on
    return rests_on


def _listed(steps: Sequence[Step], questions: Mapping[str, str]) -> dict[int, list[DrawnLine]]:
    """Return, by step, the lines from a sub-question to the passages in its list.

    A passage selected at a sub-question is joined to that one. Any other passage is joined to each
    sub-question that lists it.
    """
    own = as_it_is(steps)
    looks = [step for step in steps if isinstance(step, Offered)]
    walked = {offer.target: step.at for step in looks for offer in step.taken}
    by_step: dict[int, list[DrawnLine]] = {}
    open_: list[str] = []
    for number, step in enumerate(steps, start=1):
        if isinstance(step, Asked):
            open_.append(ROOT if step.id == own else step.id)
        elif isinstance(step, Ranked):
            question = open_.pop()
            for hit in step.hits if open_ and question in questions else ():
                name = hit.passage_id
                if walked.get(name, question) != question:
                    continue
                taken = None if name in walked else number
                line = DrawnLine(f"{question}>{name}", question, name, "", number, taken)
                by_step.setdefault(number, []).append(line)
    return by_step


def _descent(number: int, parent: str, question: str, brought: Mapping[str, Tie]) -> DrawnLine:
    """Return the line from the origin of a question to it.

    A line between two parts of a plan is not followed: one waits for the other.
    """
    for tie in brought.values():
        if {tie.source, tie.target} == {parent, question}:
            back, taken = tie.source == question, number if parent == ROOT else None
            return DrawnLine(tie.id, tie.source, tie.target, tie.label, number, taken, back)
    return DrawnLine(f"{parent}>{question}", parent, question, "", number, number)


def _ends(at: str, offer: Offer) -> tuple[str, str]:
    return (offer.target, at) if offer.backwards else (at, offer.target)
