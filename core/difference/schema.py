"""Writes the schema and the declarations of a difference: `python -m core.difference.schema`."""

from core.difference import contract
from core.walkthroughs.schema import WireFormat

DIFFERENCE = WireFormat("difference", contract, contract.DifferenceData)

if __name__ == "__main__":
    DIFFERENCE.write()
