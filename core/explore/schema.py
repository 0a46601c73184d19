"""Writes the schema and the declarations of a neighbourhood: `python -m core.explore.schema`."""

from core.explore import contract
from core.walkthroughs.schema import WireFormat

NEIGHBOURHOOD = WireFormat("neighbourhood", contract, contract.NeighbourhoodData)

if __name__ == "__main__":
    NEIGHBOURHOOD.write()
