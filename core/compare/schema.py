"""Writes the schema and the declarations of rankings: `python -m core.compare.schema`."""

from core.compare import contract
from core.walkthroughs.schema import WireFormat

RANKINGS = WireFormat("rankings", contract, contract.RankingsData)

if __name__ == "__main__":
    RANKINGS.write()
