"""The steps of a retrieval as nested brackets, and what each records about some passages."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from core.steps import Asked, Began, Offered, Pooled, Ranked, Step


@dataclass(frozen=True, slots=True)
class Refusal:
    """A step at which a passage was a candidate but not selected.

    `rank` counts from 1 in the step's list. `margin` is the deciding value minus its threshold: the
    candidate's own, or its score minus the lowest selected one; None if none was selected. `why` is
    the recorded reason, `asks` the question of the edge, and `beat` the last selected node, if its
    score was the threshold.
    """

    at: str
    tie: str
    hop: int
    rank: int
    score: float
    margin: float | None
    why: str = ""
    asks: str = ""
    beat: str = ""


@dataclass(slots=True)
class Bracket:
    """One retrieval, from `Asked` to `Ranked`.

    `own` are the steps between that are not of an `inner` one, each with the number of its round,
    0 before the first. `end` is empty while the bracket is open.
    """

    asked: Asked
    own: list[tuple[int, Step]] = field(default_factory=list)
    inner: list["Bracket"] = field(default_factory=list)
    end: Ranked = field(default_factory=lambda: Ranked(()))
    rounds: int = 0

    @property
    def round(self) -> str:
        """The noun for a round on the screen: `hop` if the retriever calls it that."""
        named = {step.name for _, step in self.own if isinstance(step, Began) and step.number}
        return "hop" if named == {"hop"} else "round"

    @property
    def offered(self) -> Iterator[tuple[int, Offered]]:
        """The candidate lists of the retrieval itself, each with its round."""
        return ((hop, step) for hop, step in self.own if isinstance(step, Offered))

    @property
    def walks(self) -> bool:
        """Whether the retrieval starts at seeds and follows edges or lists from there."""
        return any(step.entry for _, step in self.offered)

    @property
    def ranks_everything(self) -> bool:
        """Whether the retrieval ranks all passages of the index."""
        return not self.walks and not self.inner

    @property
    def seeds(self) -> tuple[str, ...]:
        return tuple(
            arrival.id for _, step in self.offered if step.entry for arrival in step.arrivals
        )


@dataclass(slots=True)
class Seen:
    """The records of some passages, by id, in the steps of a bracket without nested brackets.

    `reached` is the round in which each was first selected; `refused` the refusal with the smallest
    margin; `pooled` its rank and score in the last merged list.
    """

    reached: dict[str, int] = field(default_factory=dict)
    refused: dict[str, Refusal] = field(default_factory=dict)
    pooled: dict[str, tuple[int, float]] = field(default_factory=dict)


def outermost(steps: Sequence[Step]) -> Bracket:
    """Return the bracket of the whole retrieval.

    Raises
    ------
    ValueError : there is no step.
    """
    if not steps:
        raise ValueError("a retrieval begins with Asked, and there is no step")
    open_: list[Bracket] = []
    for step in steps:
        if isinstance(step, Asked):
            bracket = Bracket(step)
            if open_:
                open_[-1].inner.append(bracket)
            open_.append(bracket)
            continue
        here = open_[-1]
        if isinstance(step, Ranked):
            here.end = step
            if len(open_) > 1:
                open_.pop()
            continue
        if isinstance(step, Began):
            here.rounds = step.number
        here.own.append((here.rounds, step))
    return open_[0]


def within(bracket: Bracket) -> Iterator[Bracket]:
    """Yield all nested brackets, outer ones first."""
    for one in bracket.inner:
        yield one
        yield from within(one)


def seen(bracket: Bracket, wanted: Collection[str]) -> Seen:
    """Collect what the steps of `bracket` itself record about the nodes `wanted`."""
    record = Seen()
    for hop, step in bracket.own:
        if isinstance(step, Pooled):
            ranks = enumerate(step.hits, start=1)
            record.pooled = {
                hit.passage_id: (rank, hit.score) for rank, hit in ranks if hit.passage_id in wanted
            }
        if isinstance(step, Offered):
            _record_step(record, hop, step, wanted)
    return record


def _record_step(found: Seen, hop: int, step: Offered, wanted: Collection[str]) -> None:
    """Record in `found` which of the `wanted` passages a step selected or refused."""
    last = min(step.taken, key=lambda offer: offer.score, default=None)
    for rank, offer in enumerate(step.offers, start=1):
        if offer.target not in wanted:
            continue
        if offer.taken:
            found.reached.setdefault(offer.target, hop)
            continue
        margin, beat = offer.margin, ""
        if margin is None and last is not None:
            margin, beat = offer.score - last.score, last.target
        refusal = Refusal(
            *(step.at, offer.tie, hop, rank, offer.score, margin, offer.why, offer.label), beat
        )
        before = found.refused.get(offer.target)
        if before is None or _nearness(refusal) > _nearness(before):
            found.refused[offer.target] = refusal


def _nearness(refusal: Refusal) -> tuple[bool, float]:
    """Return the sort key of a refusal: its margin, or else its score."""
    short = refusal.margin
    return (short is not None, refusal.score if short is None else short)
