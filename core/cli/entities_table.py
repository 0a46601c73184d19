"""Sizes of the entities of an index as a table for the terminal."""

from typing import TYPE_CHECKING

from rich.table import Table

if TYPE_CHECKING:
    from core.artefacts.ontology.sizes import OntologySizes


def entities_table(sizes: "OntologySizes") -> Table:
    """Tabulate the entities of HiGraRetriever before and after alignment."""
    table = Table("", "", show_header=False)
    table.columns[1].justify = "right"
    for name, value in (
        ("Names in the passages", f"{sizes.names:,}"),
        ("Entities after alignment", f"{sizes.entities:,}"),
        ("… with a type", f"{sizes.typed:,}"),
        ("… with another name", f"{sizes.with_alias:,}"),
        ("… without a relation", f"{sizes.isolated:,}"),
        ("Links between similar names", f"{sizes.links:,}"),
        ("Relations (pairs of entities)", f"{sizes.relations:,}"),
        ("Components", f"{sizes.components:,}"),
        ("Entities in the largest component", f"{sizes.largest:,}"),
        ("Relations per entity, mean", f"{sizes.mean_degree:.2f}"),
        ("Relations per entity, maximum", f"{sizes.highest_degree:,}"),
        ("Passages per entity, mean", f"{sizes.passages_each:.2f}"),
    ):
        table.add_row(name, value)
    return table
