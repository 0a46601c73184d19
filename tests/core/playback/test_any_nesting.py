from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from core.playback import (
    check,
    columns,
    drawn_lines,
    frame,
    frames,
    labels,
)
from core.steps import (
    ROOT,
    Asked,
    Began,
    Offer,
    Offered,
    Pooled,
    Ranked,
    Said,
    Spread,
    Step,
    Thing,
)
from core.types import Hit
from tests.core.examples import NESTED

END = len(NESTED)


@st.composite
def nestings(draw: st.DrawFn, id_: str = ROOT, depth: int = 0) -> list[Step]:
    """Brackets in brackets, with any steps between them."""
    parent = () if id_ == ROOT else (ROOT,)
    top_k = draw(st.integers(1, 3))
    steps: list[Step] = [Asked("r", draw(st.sampled_from("pq")), top_k, id=id_, parents=parent)]
    thing = Thing(f"entity:{id_}", "entity", id_)
    children = 0
    rounds = {"turn": 0, "hop": 0}
    hits = tuple(Hit(name, 1 / place) for place, name in enumerate("abc", start=1))
    for what in draw(st.lists(st.sampled_from("nbosvp"), max_size=5)):
        if what == "n" and depth < 2:
            children += 1
            inner = f"#{children}" if id_ == ROOT else f"{id_}.{children}"
            steps += draw(nestings(inner, depth + 1))
        elif what == "b":
            name = draw(st.sampled_from(sorted(rounds)))
            rounds[name] += 1
            steps.append(Began(name, rounds[name]))
        elif what == "o":
            offers = tuple(Offer(name, 0.5, taken=draw(st.booleans())) for name in "abc")
            steps.append(Offered(id_, "passages", offers))
        elif what == "s":
            steps.append(Spread("mass", (Hit(thing.id, 2.0), *hits), things=(thing,)))
        elif what == "v":
            steps.append(Said("voice", id_, draw(st.text(max_size=3)), closes=(id_,)))
        elif what == "p":
            steps.append(Pooled(("x", "y"), hits))
    kept = draw(st.integers(1, top_k))
    return [*steps, Ranked(hits[:kept], hits[kept:])]


@given(nestings())
def test_any_nesting_can_be_played(steps: Sequence[Step]):
    check(steps)
    names = [label.text for label in labels(steps)]
    assert len(set(names)) == len(names)
    opened = ended = 0
    for t in range(len(steps) + 1):
        now = frame(steps, t)
        assert now == frame(steps[:t], t)
        if t:
            opened += isinstance(steps[t - 1], Asked)
            assert now.depth == opened - ended  # a bracket is open at its own end
            ended += isinstance(steps[t - 1], Ranked)
        assert sum(row.kept for row in now.ranking_rows) <= (now.asked.top_k if now.asked else 0)
        assert now.roles.keys() <= columns(steps).of.keys()
    assert {line.source for line in drawn_lines(steps)} <= columns(steps).of.keys()


def test_frames_of_nested_retrievals_in_one_pass():
    assert list(frames(NESTED)) == [frame(NESTED, t) for t in range(END + 1)]
