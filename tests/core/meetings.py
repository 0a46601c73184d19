"""Small random worlds in which anybody may have met anybody, and what no walk in them may break."""

import pytest
from hypothesis import strategies as st

from core.playback import frame
from core.steps import Began, Offered, Ranked
from core.types import Document

NAMES = ("Ada Birch", "Bo Cole", "Cy Dunn", "Di East", "Ed Ford", "Flo Gray")


@st.composite
def meetings(draw):
    count = draw(st.integers(1, 6))
    met = st.lists(st.sampled_from(NAMES), max_size=3, unique=True)
    return [
        Document(name, name, " ".join(f"{name} met {other}." for other in draw(met)) or "Nobody.")
        for name in NAMES[:count]
    ]


def invariants(index, steps, top_k):
    """What no walk may break."""
    reached = set()
    for t in range(len(steps) + 1):
        now = frame(steps, t)
        if now.counter:
            assert sum(now.importance.values()) == pytest.approx(1)
        assert set(now.queue) <= now.counter.keys()
    for step in steps:
        if isinstance(step, Began):
            assert set(step.waiting) <= reached
        if isinstance(step, Offered):
            assert [arrival.tie for arrival in step.arrivals] == [o.tie for o in step.taken]
            for arrival in step.arrivals:
                if not step.entry:
                    edge = index.graph.edge(arrival.tie)
                    assert {step.at, arrival.id} == {edge.source, edge.target}
                reached.add(arrival.id)
    assert frame(steps, len(steps)).counter.keys() == reached
    assert isinstance(steps[-1], Ranked)
    assert len(steps[-1].hits) <= top_k
