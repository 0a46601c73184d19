"""The wire format as other programs read it."""

import pytest

from core.compare.schema import RANKINGS
from core.difference.schema import DIFFERENCE
from core.explore.schema import NEIGHBOURHOOD
from core.walkthroughs.schema import WALKTHROUGH, WireFormat

WIRES = (WALKTHROUGH, RANKINGS, DIFFERENCE, NEIGHBOURHOOD)


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)
def test_written_files_are_those_of_the_contract(wire: WireFormat):
    told = wire.declarations_file.read_text()
    assert told == wire.declarations(), told.splitlines()[0]
    assert wire.schema_file.read_text() == wire.json_schema(), told.splitlines()[0]


def test_types_are_written_as_typescript_has_them():
    made = WALKTHROUGH.declarations()
    assert 'export type Mark = "plain" | "query" | "new";' in made
    assert "export type Piece = [string, Mark];" in made
    assert "  raised_by: number | null;" in made
    assert "  nodes: Record<string, NodeData>;" in made
    assert "  query_words: [string, boolean][];" in made
