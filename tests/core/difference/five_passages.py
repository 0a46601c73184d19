"""Retrievals over five passages, and how the tests read their difference."""

from types import SimpleNamespace

from core.difference.contract import DifferenceData, EdgeWhose, NodeWhose
from core.steps import Asked, Ranked, Step
from core.traces import Trace, record
from core.types import Hit
from tests.core.worlds import (
    ONE_SHOT,
    QUERY,
    WALK,
    ScriptedRetriever,
    WorldIndex,
    judged,
    offer,
)

GOLD = ("owner", "town")


# The same walk, but that it follows one edge less in its second hop.
SHORTER: tuple[Step, ...] = (
    *WALK[:5],
    judged("owner", offer("born", 0.7, taken=True), offer("married", 0.2)),
    Ranked(ONE_SHOT[-1].hits, (), "memory"),  # type: ignore[union-attr]
)


def trace(steps: tuple[Step, ...], gold: tuple[str, ...] = GOLD) -> Trace:
    card = SimpleNamespace(key="hoprag-similarity")
    return record(ScriptedRetriever(steps, card), steps[0].query, WorldIndex(), gold)  # type: ignore[arg-type,union-attr]


def whose(found: DifferenceData) -> dict[str, NodeWhose]:
    return {node["id"]: node["whose"] for node in found["nodes"]}


def lines(found: DifferenceData) -> dict[str, EdgeWhose]:
    return {edge["id"]: edge["whose"] for edge in found["edges"]}


def columns_of(found: DifferenceData) -> dict[str, list[str]]:
    """The nodes below each heading of the focus."""
    return {
        column["heading"]: [found["nodes"][i]["id"] for i in column["nodes"]]
        for column in found["views"]["focus"]
    }


def focus_of(found: DifferenceData) -> set[str]:
    return {name for names in columns_of(found).values() for name in names}


def ranking(*names: str, top_k: int = 2) -> Trace:
    """One that takes no steps."""
    hits = tuple(Hit(name, 1 / place) for place, name in enumerate(names, 1))
    return trace((Asked("bm25", QUERY, top_k), Ranked(hits[:top_k], hits[top_k:])), ("town",))


def found_gold(found: DifferenceData) -> list[str]:
    return [found["nodes"][one["node"]]["id"] for one in found["gold"] if one["node"] is not None]
