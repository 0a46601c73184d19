"""Runs: question sets evaluated with retrievers, stored beside the index with all measurements.

A run keeps the settings, the content of the index and the digest of each configuration; what is
listed of it is read a page at a time.
"""

from core.measures import MEASURES
from core.runs.configuration import configuration
from core.runs.run import Column, Row, Run, State, hops_of
from core.runs.store import Runs
from core.runs.store.listing import ALL, Order, Other, Where, Won
from core.runs.store.schema import FILE

__all__ = [
    "ALL",
    "FILE",
    "MEASURES",
    "Column",
    "Order",
    "Other",
    "Row",
    "Run",
    "Runs",
    "State",
    "Where",
    "Won",
    "configuration",
    "hops_of",
]
