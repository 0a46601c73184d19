from typing import get_args

import pytest

from core.retrievers.step_ids import edge_ids, passage_ids
from core.steps import (
    Step,
)
from core.traces import Trace, dump, load
from tests.core.examples import NESTED
from tests.core.worlds import EDGES, PASSAGES

TRACE = Trace(
    query=NESTED[0].query,
    retriever="planner",
    index="five",
    graph_version="g1",
    steps=NESTED,
    passages={name: PASSAGES[name] for name in passage_ids(NESTED)},
    edges={name: EDGES[name] for name in edge_ids(NESTED)},
    gold=("town",),
    created="2026-01-01T00:00:00",
)


def test_the_file_gives_it_back():
    assert load(dump(TRACE)) == TRACE
    assert load(dump(TRACE).decode()) == TRACE


@pytest.mark.parametrize("kind", get_args(Step))
def test_every_kind_of_step_has_a_line_in_the_file(kind):
    assert f'{{"{kind.__name__.lower()}":'.encode() in dump(TRACE)
