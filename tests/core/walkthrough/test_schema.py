"""The wire format as other programs read it."""

from core.walkthrough import schema


def test_written_files_are_those_of_the_contract():
    told = "run `python -m core.walkthrough.schema`"
    assert schema.SCHEMA.read_text() == schema.json_schema(), told
    assert schema.DECLARATIONS.read_text() == schema.declarations(), told


def test_types_are_written_as_typescript_has_them():
    made = schema.declarations()
    assert 'export type Mark = "plain" | "query" | "new";' in made
    assert "export type Piece = [string, Mark];" in made
    assert "  raised_by: number | null;" in made
    assert "  nodes: Record<string, NodeData>;" in made
    assert "  query_words: [string, boolean][];" in made
