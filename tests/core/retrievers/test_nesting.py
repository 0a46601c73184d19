"""A retrieval inside another one is the same retrieval, under another name."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import StoreError
from core.playback import check, frame
from core.playback.account import account
from core.retrievers.nesting import question, run_nested
from core.steps import (
    ROOT,
    Arrival,
    Asked,
    Began,
    Cost,
    Offer,
    Offered,
    Pooled,
    Ranked,
    Said,
    Spread,
    Step,
    Thing,
    Tie,
    Told,
)
from core.types import Hit
from tests.core.walks import walks
from tests.core.worlds import WALK


@dataclass(frozen=True)
class Given:
    """Yields what it was given."""

    steps: Sequence[Step]

    def retrieve(self, query: str) -> Iterator[Step]:
        yield from self.steps


@dataclass(frozen=True)
class Round:
    """Has `inner` answer, `times` times, and takes its end for its own."""

    inner: "Given | Round"
    times: int = 1
    seconds: float = 0.0
    things: tuple[Thing, ...] = ()

    def retrieve(self, query: str) -> Iterator[Step]:
        yield Asked("round", query, 5)
        end, parent = Ranked(()), ROOT
        for number in range(1, self.times + 1):
            end = yield from run_nested(self.inner, query, number, (parent,))
            parent = question(number)
        yield replace(end, told=Told(Cost(self.seconds)))


ONE = Ranked((Hit("a", 1.0),))


def asked(steps: Sequence[Step]) -> list[str]:
    return [step.id for step in steps if isinstance(step, Asked)]


def run(retriever: Round) -> tuple[Step, ...]:
    steps = tuple(retriever.retrieve("q"))
    check(steps)
    return steps


def test_ids_are_dotted_as_brackets_nest():
    bare = Given((Asked("x", "q", 5), ONE))
    steps = run(Round(Round(bare, times=2), times=2))
    assert asked(steps) == ["#", "#1", "#1.1", "#1.2", "#2", "#2.1", "#2.2"]
    deep = run(Round(Round(Round(bare), times=11)))
    assert "#1.11.1" in asked(deep)


def test_parents_are_who_nests_it_or_what_is_said():
    bare = Given((Asked("x", "q", 5), ONE))
    steps = run(Round(Round(bare, times=2), times=2))
    parents = {step.id: step.parents for step in steps if isinstance(step, Asked)}
    assert parents == {
        "#": (),
        "#1": ("#",),
        "#1.1": ("#1",),
        "#1.2": ("#1.1",),
        "#2": ("#1",),
        "#2.1": ("#2",),
        "#2.2": ("#2.1",),
    }


def test_every_place_where_a_question_can_stand_is_renamed():
    waiting = Thing("#2", "query", "what comes next")
    other = Thing("entity:#2", "entity", "number two")
    sub = (Asked("x", "s", 5, id="#1", parents=("#",)), ONE)
    inner = (
        Asked("x", "q", 5),
        Offered(
            ROOT,
            "questions",
            (Offer("#2", 1.0, taken=True, tie="t"), Offer("entity:#2", 0.5)),
            (Arrival("#2", (), "t"),),
            entry=True,
            things=(waiting, other),
            ties=(Tie("t", "#", "#2", "needs"), Tie("u", "#", "#2", "waits for")),
        ),
        Began("turn", 1, ("#2",)),
        Offered("#2", "passages", (Offer("a", 1.0),)),
        *sub,
        Said("s", "#1", "it is", closes=("#", "#1"), rests_on=("a",)),
        ONE,
    )
    check(inner)
    steps = run(Round(Given(inner)))
    entered = steps[2]
    assert [thing.id for thing in entered.things] == ["#1.2", "entity:#2"]
    assert entered.at == "#1"
    assert [offer.target for offer in entered.offers] == ["#1.2", "entity:#2"]
    assert entered.arrivals[0].id == "#1.2"
    assert {(tie.source, tie.target) for tie in entered.ties} == {("#1", "#1.2")}
    assert len({tie.id for tie in entered.ties}) == 2
    assert entered.offers[0].tie == entered.arrivals[0].tie == entered.ties[0].id
    assert steps[3].waiting == ("#1.2",)
    assert steps[4].at == "#1.2"
    assert (steps[5].id, steps[5].parents) == ("#1.1", ("#1",))
    assert (steps[7].about, steps[7].closes) == ("#1.1", ("#1", "#1.1"))


def test_a_question_in_a_list_is_renamed():
    waits = (Thing("#7", "query", "waits"),)
    inner = (
        Asked("x", "q", 5),
        Spread("worth", (Hit("#7", 1.0),), things=waits),
        Pooled(("all",), (Hit("#7", 1.0),)),
        Said("s", "#7", "it waits"),
        ONE,
    )
    check(inner)
    steps = run(Round(Given(inner)))
    assert [hit.passage_id for hit in steps[2].hits] == ["#1.7"]
    assert [hit.passage_id for hit in steps[3].hits] == ["#1.7"]


def test_the_same_nested_twice_is_two_questions_of_the_same_things():
    waits = (Thing("#1", "query", "waits"), Thing("entity:a", "entity", "a"))
    ties = (Tie("first", "#", "entity:a", "names"),)
    inner = Given(
        (Asked("x", "q", 5), Said("s", "#", "hm", things=waits, ties=ties), ONE),
    )
    steps = run(Round(inner, times=2))
    assert [t.id for s in steps if isinstance(s, Said) for t in s.things] == [
        "#1.1",
        "entity:a",
        "#2.1",
        "entity:a",
    ]


def test_cost_is_counted_once():
    told = Told(Cost(2.0, calls=3, tokens=50, cached=1))
    inner = Given(
        (
            Asked("x", "q", 5, told=Told(Cost(0.5))),
            Said("s", "#", "hm", told=told),
            replace(ONE, told=Told(Cost(4.0))),
        )
    )
    one = account(run(Round(Round(inner, seconds=5.0), seconds=6.0)))
    assert (one.embed_seconds, one.seconds) == (0.5, 6.0 - 0.5)
    assert (one.calls, one.tokens, one.kept) == (3, 50, 1)


def test_an_error_inside_passes_through_with_what_was_done_until_then():
    @dataclass(frozen=True)
    class Failing:
        def retrieve(self, query: str) -> Iterator[Step]:
            yield Asked("x", query, 5)
            raise StoreError("the disk is full")

    seen = []
    with pytest.raises(StoreError, match="full"):
        seen.extend(Round(Round(Failing())).retrieve("q"))  # type: ignore[arg-type]
    assert asked(seen) == ["#", "#1", "#1.1"]


def test_the_end_that_is_returned_is_the_outermost_one():
    inner = Given(
        (
            Asked("x", "q", 5),
            Asked("y", "s", 5, id="#1"),
            Ranked((Hit("b", 1.0),)),
            ONE,
        )
    )
    assert run(Round(inner))[-1].hits == ONE.hits


@given(walks(), st.integers(1, 4), st.integers(1, 3))
def test_a_walk_nested_keeps_the_contract_and_its_frames(walk, depth, times):
    alone, _, _ = walk
    _nested_as_alone(alone, depth, times)


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_the_walk_of_five_nested(depth):
    _nested_as_alone(WALK, depth, 1)


SEEN = (
    "queue",
    "counter",
    "visits",
    "ranking_rows",
    "cutoff",
    "hits",
    "pruned",
    "entries",
    "joined",
)


def _nested_as_alone(alone: Sequence[Step], depth: int, times: int) -> None:
    retriever: Given | Round = Given(alone)
    for _ in range(depth - 1):
        retriever = Round(retriever)
    retriever = Round(retriever, times)
    steps = run(retriever)
    starts = [n for n, s in enumerate(steps) if isinstance(s, Asked) and s.retriever != "round"]
    assert len(starts) == times
    for start in starts:
        for t in range(1, len(alone) + 1):
            inner, own = frame(steps, start + t), frame(alone, t)
            assert inner.depth == depth + own.depth
            for name in SEEN:
                assert getattr(inner, name) == getattr(own, name), (name, t)
            assert set(fields(inner)) == set(fields(own))
