"""The lines that are drawn between the nodes of a retrieval."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from core.playback.layers import as_it_is, questions_drawn, spreads
from core.steps import ROOT, Asked, Offer, Offered, Ranked, Said, Step, Tie, things_of, ties_of


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A line of the drawing; `source` and `target` do not depend on the direction of the walk.

    Parameters
    ----------
    offered : the step, from 1, that first brought the line or examined it as a candidate.
    taken : the step that first followed the line; None if no step did.
    backwards : whether the walk examined the line from its target.
    of_graph : whether `id` is an edge of the index.
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
    """Return each line that a step brought or examined at a node, once, in order.

    Edges that led to the seeds are left out: they are not part of the walk. If questions are drawn,
    lines join each question to the passages that it found. Passages selected at a node are joined
    to that node. `backwards` is set by the step that followed the line, or else by the first step
    that examined it.
    """
    drawn: dict[str, DrawnLine] = {}
    brought = {tie.id: tie for step in steps for tie in ties_of(step)}
    questions = questions_drawn(steps)
    places = questions.keys() | {thing.id for step in steps for thing in things_of(step)}
    listed = {} if spreads(steps) else _lines_to_results(steps, questions)
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
    """Yield the lines that `step` examines or follows.

    Parameters
    ----------
    rests : the passages behind each question that repeats what was just said, by question id.
    places : nodes with candidates: questions and things.
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
            line_id = f"{step.at}>{offer.target}"
            yield DrawnLine(line_id, step.at, offer.target, offer.label, number, taken)


def _rests(steps: Sequence[Step]) -> dict[str, Sequence[str]]:
    """Return the passages behind each question that repeats what was just said."""
    rests_on: dict[str, Sequence[str]] = {}
    said = None
    for step in steps:
        said = step if isinstance(step, Said) else said
        if isinstance(step, Asked) and said and said.rests_on and step.query == said.text:
            rests_on[step.id] = said.rests_on
    return rests_on


def _lines_to_results(
    steps: Sequence[Step], questions: Mapping[str, str]
) -> dict[int, list[DrawnLine]]:
    """Return, by step, the lines from a question to the passages that a search for it returned.

    The final ranking of the retrieval gets no lines. A nested search that repeats the whole
    question starts its lines at that question (`ROOT`). A passage selected at some node gets a line
    only if that node is the question; any other passage gets one from each question that lists it.
    """
    repeated = as_it_is(steps)
    looks = [step for step in steps if isinstance(step, Offered)]
    selected_at = {offer.target: step.at for step in looks for offer in step.taken}
    by_step: dict[int, list[DrawnLine]] = {}
    open_: list[str] = []
    for number, step in enumerate(steps, start=1):
        if isinstance(step, Asked):
            open_.append(ROOT if step.id == repeated else step.id)
        elif isinstance(step, Ranked):
            question = open_.pop()
            for hit in step.hits if open_ and question in questions else ():
                passage = hit.passage_id
                if selected_at.get(passage, question) != question:
                    continue
                taken = None if passage in selected_at else number
                line = DrawnLine(f"{question}>{passage}", question, passage, "", number, taken)
                by_step.setdefault(number, []).append(line)
    return by_step


def _descent(number: int, parent: str, question: str, brought: Mapping[str, Tie]) -> DrawnLine:
    """Return the line from `parent` to `question`.

    A line between two sub-questions of a plan is not followed: it only says that the second waits
    for the answer to the first.
    """
    for tie in brought.values():
        if {tie.source, tie.target} == {parent, question}:
            backwards, taken = tie.source == question, number if parent == ROOT else None
            return DrawnLine(tie.id, tie.source, tie.target, tie.label, number, taken, backwards)
    return DrawnLine(f"{parent}>{question}", parent, question, "", number, number)


def _ends(at: str, offer: Offer) -> tuple[str, str]:
    return (offer.target, at) if offer.backwards else (at, offer.target)
