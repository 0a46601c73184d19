"""What the screen shows at step t: a pure fold over the first t steps of a retrieval.

`frame` is the state at one t, so going back is free; `frames` are those of all t, folded once. `t`
counts the steps applied, from 0 (nothing happened yet) to `len(steps)` (the result).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.playback.state import Question, Role, State, Visit
from core.ranking import importance
from core.steps import Asked, Began, Offer, Offered, Ranked, Said, Step, Thing, Tie
from core.types import Hit


@dataclass(frozen=True, slots=True)
class RankingRow:
    """A row of the ranking. `rank` counts from 1; `visits` is 0 for what counts none."""

    rank: int
    hit: Hit
    visits: int
    kept: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """The state of a retrieval after the first `t` steps. Mappings are in order of first
    appearance.

    Queue, counts and ranking belong to the innermost open bracket; nodes and lines to all of them.

    | field | meaning |
    | --- | --- |
    | step | the step that led here; None at t = 0 |
    | asked, depth | the innermost open bracket, and the number of open ones; None and 0 at t = 0 |
    | round | the round that began last in it |
    | queue, joined, left | the queue in order; the nodes added and removed in this step |
    | current | the node that this step examines |
    | offers, arrivals | of this step: the candidates, and the visits |
    | entries | the queue at the start of the walk |
    | counter, visits | visits of each node, and their sum |
    | importance | IMP of each visited node (Eq. 3); sums to 1 |
    | ranking_rows | the ranking so far, best first, as if pruned now; the result at the end |
    | cutoff | score of the last kept row; None if no row would be cut off |
    | hits, pruned | the result; empty before the end |
    | walked, refused | lines with the step at which they were first followed, or refused |
    | roles | how to draw each node that was reached or a candidate |
    | things, ties | nodes that are no passages, and lines, so far |
    | questions | every question so far by its id, with its answer if it has one |
    | said | all statements so far, in order |
    | mass, spread | of the last spreading iteration: a hit for each node, and what was spread |
    """

    t: int
    step: Step | None
    asked: Asked | None
    depth: int
    round: Began | None
    queue: tuple[str, ...]
    joined: tuple[str, ...]
    left: tuple[str, ...]
    current: str | None
    offers: tuple[Offer, ...]
    arrivals: tuple[Visit, ...]
    entries: tuple[str, ...]
    counter: Mapping[str, int]
    visits: int
    importance: Mapping[str, float]
    ranking_rows: tuple[RankingRow, ...]
    cutoff: float | None
    hits: tuple[Hit, ...]
    pruned: tuple[Hit, ...]
    walked: Mapping[str, int]
    refused: Mapping[str, int]
    roles: Mapping[str, Role]
    things: Mapping[str, Thing]
    ties: Mapping[str, Tie]
    questions: Mapping[str, Question]
    said: tuple[Said, ...]
    mass: Mapping[str, Hit]
    spread: str

    @property
    def ended(self) -> bool:
        """Whether the innermost bracket has its result."""
        return bool(self.hits or self.pruned) or isinstance(self.step, Ranked)


def frame(steps: Sequence[Step], t: int) -> Frame:
    """Return the state after the first `t` steps, independent of later ones.

    Raises
    ------
    IndexError : when `t` is not from 0 to `len(steps)`.
    """
    if not 0 <= t <= len(steps):
        raise IndexError(f"t is {t}; there are {len(steps)} steps")
    state = State()
    for number, step in enumerate(steps[:t], start=1):
        state.apply(number, step)
    return _frame(t, steps[t - 1] if t else None, state)


def frames(steps: Sequence[Step]) -> Iterator[Frame]:
    """Yield `frame(steps, t)` for every t from 0 on, in one pass."""
    state = State()
    yield _frame(0, None, state)
    for number, step in enumerate(steps, start=1):
        state.apply(number, step)
        yield _frame(number, step, state)


def _frame(t: int, last: Step | None, state: State) -> Frame:
    """Return an immutable frame of the state after step `t`."""
    # Mappings are copied: the state goes on, and a frame that was given stays as it is.
    bracket = state.here
    queue = tuple(bracket.queue) if bracket else ()
    counter = dict(bracket.counts) if bracket else {}
    ranking_rows = _ranking_rows(state)
    cut = any(not row.kept for row in ranking_rows)
    current = _current(last, state)
    return Frame(
        t=t,
        step=last,
        asked=bracket.asked if bracket else None,
        depth=len(state.open),
        round=bracket.round if bracket else None,
        queue=queue,
        joined=tuple(node for node in queue if node not in state.waited),
        left=tuple(node for node in state.waited if node not in queue),
        current=current,
        offers=last.offers if isinstance(last, Offered) else (),
        arrivals=state.visits,
        entries=bracket.entries if bracket else (),
        counter=counter,
        visits=sum(counter.values()),
        importance=importance(counter),
        ranking_rows=ranking_rows,
        cutoff=[row for row in ranking_rows if row.kept][-1].hit.score if cut else None,
        hits=bracket.end.hits if bracket and bracket.end else (),
        pruned=bracket.end.pruned if bracket and bracket.end else (),
        walked=dict(state.walked),
        refused=dict(state.refused),
        roles=state.roles(current),
        things=dict(state.things),
        ties=dict(state.ties),
        questions=dict(state.questions),
        said=tuple(state.said),
        mass=dict(state.mass),
        spread=state.spread,
    )


def _current(last: Step | None, state: State) -> str | None:
    """Return the node whose candidates the step examines.

    None for the entry step, and where that node is the query itself.
    """
    if not isinstance(last, Offered) or last.entry:
        return None
    return None if state.here and last.at == state.here.asked.id else last.at


def _ranking_rows(state: State) -> tuple[RankingRow, ...]:
    """Return the ranking so far, the top k first, with the visit count of each passage."""
    if state.here is None:
        return ()
    kept, cut = state.here.kept_and_cut()
    counts = state.here.counts
    return tuple(
        RankingRow(place, hit, counts.get(hit.passage_id, 0), place <= len(kept))
        for place, hit in enumerate((*kept, *cut), start=1)
    )
